/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Reduction;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.udf.UdfErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.DataType;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** Defines all scalar functions and the aggregate, and registers them with Spark. */
public final class TensorFunctions {
  private static final UdfParameter BAD_INDICES = UdfParameter.string("bad_indices", "error");
  private static final UdfParameter NEGATIVE_INDICES = UdfParameter.optional("negative");
  private static final String BAD =
      "bad_indices - policy for indices out of bounds: 'error' (default), 'ignore' or" + " 'clip'";
  private static final String NEGATIVE =
      "negative - policy for negative indices: 'error' (default), 'wrap' (count from "
          + "the end, once) or 'oob' (out of bounds, which 'ignore' implies)";
  private static final String NEGATIVE_WRAPS =
      "negative - policy for negative indices: 'wrap' (count from the end, once; "
          + "default), 'error' or 'oob'";
  private static final UdfParameter INCLUDE_SELF =
      UdfParameter.flag(IncludeSelfArgument.NAME, true);
  private static final String SELF = IncludeSelfArgument.NAME + " - " + IncludeSelfArgument.MEANING;
  private static final String TENSOR =
      " - an array nested as deep as the rank, or struct<shape: array<bigint>, values: array<T>>";

  /** Created once: if a session registers the functions twice, Spark sees equal objects. */
  private static final List<
          Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, Expression>>>
      REGISTERED = all().stream().map(TensorFunctions::registered).toList();

  private TensorFunctions() {}

  private static Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, Expression>>
      registered(FunctionDefinition definition) {
    return new Tuple3<>(
        new FunctionIdentifier(definition.name()), definition.info(), new Builder(definition));
  }

  /**
   * Adds the functions to a session. Spark built-ins take precedence. They become built-ins
   * themselves, because Spark considers any other function of an extension temporary, and refuses
   * it in persistent views and SQL functions.
   */
  public static void inject(SparkSessionExtensions extensions) {
    var builtin = FunctionRegistry.builtin();
    for (var function : REGISTERED) {
      if (!builtin.functionExists(function._1())) {
        builtin.registerFunction(function._1(), function._2(), function._3());
      }
      if (builtin.lookupFunction(function._1()).contains(function._2())) {
        extensions.injectFunction(function);
      }
    }
  }

  /**
   * Returns the SQL function {@code name} bound to these argument types, with default options.
   *
   * @throws io.sparknd.tensor.SparkNdException if it does not support these types, or would cast
   *     one
   */
  public static RowFunction function(String name, DataType... types) {
    List<Expression> arguments = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      arguments.add(new BoundReference(i, types[i], true));
    }
    FunctionDefinition definition =
        all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    RowCall call =
        (RowCall) definition.binding().apply(definition.arranged(UdfArguments.seq(arguments)));
    for (int i = 0; i < types.length; i++) {
      if (call.arguments().get(i) instanceof Cast cast) {
        String argument = definition.parameters().get(i).name();
        throw UdfErrors.cannotCast(
            argument, types[i].simpleString(), name, cast.dataType().simpleString());
      }
    }
    return call.function();
  }

  private static final class Builder extends AbstractFunction1<Seq<Expression>, Expression> {
    private final FunctionDefinition definition;

    Builder(FunctionDefinition definition) {
      this.definition = definition;
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
      return definition.bind(arguments);
    }
  }

  static List<FunctionDefinition> all() {
    List<FunctionDefinition> all = new ArrayList<>();
    Map<String, String> results =
        Map.of(
            "update", "[10, 9, 7]",
            "add", "[10, 28, 37]",
            "sub", "[10, 12, 23]",
            "mul", "[10, 180, 210]",
            "min", "[10, 18, 30]",
            "max", "[10, 20, 37]");
    for (Reduction reduction :
        List.of(
            Reduction.NONE,
            Reduction.ADD,
            Reduction.SUB,
            Reduction.MUL,
            Reduction.MIN,
            Reduction.MAX)) {
      String word = reduction == Reduction.NONE ? "update" : reduction.toString();
      all.add(tensorScatterNd(word, reduction, results.get(word)));
    }
    all.add(scatterNd());
    all.add(gatherNd());
    all.add(scatterElements());
    all.add(gatherElements());
    all.addAll(List.of(shape(), zeros(), reshape(), decode(), encode(), aggregate()));
    return all;
  }

  private static FunctionDefinition tensorScatterNd(
      String word, Reduction reduction, String result) {
    String name = "tensor_scatter_nd_" + word;
    String does =
        switch (reduction) {
          case NONE -> "written to the slices at indices; the last update of a slice wins";
          case ADD -> "added to the slices at indices";
          case SUB -> "subtracted from the slices at indices";
          case MUL -> "multiplied into the slices at indices";
          case MIN -> "combined with the slices at indices by minimum";
          default -> "combined with the slices at indices by maximum";
        };
    return new FunctionDefinition(
        name,
        List.of(
            UdfParameter.required("tensor"),
            UdfParameter.required("indices"),
            UdfParameter.required("updates"),
            BAD_INDICES,
            NEGATIVE_INDICES,
            INCLUDE_SELF),
        "_FUNC_(tensor, indices, updates) - Returns the tensor with updates " + does + ".",
        List.of(
            "tensor" + TENSOR,
            "indices - integers; the last dimension is an index tuple of k values, the "
                + "address of a slice of shape tensor.shape[k:]",
            "updates - one slice for each tuple, in the order in which they apply",
            BAD,
            NEGATIVE,
            SELF),
        scatterExamples(reduction, result),
        in -> ArgumentBindings.tensorScatterNd(name, reduction, in));
  }

  private static List<String> scatterExamples(Reduction reduction, String result) {
    String indices = "array(array(1), array(2), array(1))";
    String updates =
        switch (reduction) {
          case NONE -> "array(8, 7, 9)";
          case ADD, SUB -> "array(3, 7, 5)";
          case MUL -> "array(3, 7, 3)";
          default -> "array(18, 37, 19)";
        };
    return List.of(
        "_FUNC_(array(10, 20, 30), " + indices + ", " + updates + ")",
        result,
        "_FUNC_(array(10, 20, 30), array(array(5)), array(9), bad_indices => 'ignore')",
        "[10, 20, 30]");
  }

  private static FunctionDefinition scatterNd() {
    return new FunctionDefinition(
        "scatter_nd",
        List.of(
            UdfParameter.required("indices"),
            UdfParameter.required("updates"),
            UdfParameter.required("shape"),
            BAD_INDICES,
            NEGATIVE_INDICES),
        "_FUNC_(indices, updates, shape) - Returns a tensor of zeros, or empty strings,"
            + " with the updates added to the slices at indices.",
        List.of(
            "indices - integers; the last dimension is an index tuple of k values, the "
                + "address of a slice of shape shape[k:]",
            "updates - one slice for each tuple",
            "shape - of the result, as array(...)",
            BAD,
            NEGATIVE),
        List.of(
            "_FUNC_(array(array(1), array(3), array(1)), array(9, 10, 11), array(5))",
            "[0, 20, 0, 10, 0]"),
        ArgumentBindings::scatterNd);
  }

  private static FunctionDefinition gatherNd() {
    return new FunctionDefinition(
        "gather_nd",
        List.of(
            UdfParameter.required("params"),
            UdfParameter.required("indices"),
            UdfParameter.integer("batch_dims", 0),
            UdfParameter.optional("depth"),
            BAD_INDICES,
            NEGATIVE_INDICES),
        "_FUNC_(params, indices) - Returns the slices of params at indices.",
        List.of(
            "params" + TENSOR,
            "indices - integers; the last dimension is an index tuple of k values, the "
                + "address of a slice of shape params.shape[k:]",
            "batch_dims - number of leading batch dimensions of params and indices; default" + " 0",
            "depth - k, a constant; required if indices is not written as array(...) and "
                + "the rank of params is above 1",
            "bad_indices - policy for indices out of bounds: 'error' (default), 'ignore' "
                + "(returns 0, false or '') or 'clip'",
            NEGATIVE),
        List.of(
            "_FUNC_(array(array(1, 2), array(3, 4)), array(array(1), array(0)))",
            "[[3, 4], [1, 2]]",
            "_FUNC_(array(array(1, 2), array(3, 4)), array(array(1, 0), array(0, 1)))",
            "[3, 2]"),
        ArgumentBindings::gatherNd);
  }

  private static FunctionDefinition scatterElements() {
    return new FunctionDefinition(
        "scatter_elements",
        List.of(
            UdfParameter.required("data"),
            UdfParameter.required("indices"),
            UdfParameter.required("updates"),
            UdfParameter.required("axis"),
            UdfParameter.string("reduction", "none"),
            BAD_INDICES,
            NEGATIVE_INDICES,
            INCLUDE_SELF),
        "_FUNC_(data, indices, updates, axis) - Returns data with each update written "
            + "to the element at the update's own position, with the coordinate along axis "
            + "replaced by its index.",
        List.of(
            "data" + TENSOR,
            "indices - integers, of the rank of data",
            "updates - of the shape of indices",
            "axis - a constant; a negative one counts from the last dimension",
            "reduction - 'none' (default), 'add', 'sub', 'mul', 'div', 'min', 'max', 'fmin', 'fmax'"
                + " or 'mean'",
            BAD,
            NEGATIVE_WRAPS,
            SELF),
        List.of(
            "_FUNC_(array(array(1, 2, 3)), array(array(0, -1)), array(array(8, 9)), 1)",
            "[[8, 2, 9]]",
            "_FUNC_(array(1, 2, 3), array(0, 0), array(8, 9), 0, 'add')",
            "[18, 2, 3]"),
        ArgumentBindings::scatterElements);
  }

  private static FunctionDefinition gatherElements() {
    return new FunctionDefinition(
        "gather_elements",
        List.of(
            UdfParameter.required("data"),
            UdfParameter.required("indices"),
            UdfParameter.required("axis"),
            BAD_INDICES,
            NEGATIVE_INDICES),
        "_FUNC_(data, indices, axis) - Returns for each index the element at the "
            + "index's own position, with the coordinate along axis replaced by the index.",
        List.of(
            "data" + TENSOR,
            "indices - integers, of the rank of data; the result has their shape",
            "axis - a constant; a negative one counts from the last dimension",
            "bad_indices - policy for indices out of bounds: 'error' (default), 'ignore' "
                + "(returns 0, false or '') or 'clip'",
            NEGATIVE_WRAPS),
        List.of("_FUNC_(array(array(1, 2), array(3, 4)), array(array(1, 0)), 0)", "[[3, 2]]"),
        ArgumentBindings::gatherElements);
  }

  private static FunctionDefinition shape() {
    return new FunctionDefinition(
        "nd_shape",
        List.of(UdfParameter.required("tensor")),
        "_FUNC_(tensor) - Returns the dimensions of a tensor, outermost first, as array<bigint>.",
        List.of("tensor" + TENSOR),
        List.of("_FUNC_(array(array(1, 2, 3), array(4, 5, 6)))", "[2, 3]"),
        ArgumentBindings::shape);
  }

  private static FunctionDefinition zeros() {
    return new FunctionDefinition(
        "nd_zeros",
        List.of(UdfParameter.required("shape"), UdfParameter.string("type", "float")),
        "_FUNC_(shape[, type]) - Returns a tensor of zeros, false or empty strings.",
        List.of(
            "shape - of the result, as array(...)",
            "type - SQL type of an element, default 'float'; or of a tensor struct, as "
                + "'struct<shape: array<bigint>, values: array<float>>', for which shape may be "
                + "any expression"),
        List.of("_FUNC_(array(2, 3), 'int')", "[[0, 0, 0], [0, 0, 0]]"),
        ArgumentBindings::zeros);
  }

  private static FunctionDefinition reshape() {
    return new FunctionDefinition(
        "nd_reshape",
        List.of(UdfParameter.required("tensor"), UdfParameter.required("shape")),
        "_FUNC_(tensor, shape) - Returns the elements of a tensor, row-major, in "
            + "another shape.",
        List.of(
            "tensor" + TENSOR,
            "shape - of the result, as array(...); one dimension may be -1 and is computed "
                + "from the others"),
        List.of("_FUNC_(array(1, 2, 3, 4, 5, 6), array(2, -1))", "[[1, 2, 3], [4, 5, 6]]"),
        ArgumentBindings::reshape);
  }

  private static FunctionDefinition decode() {
    return new FunctionDefinition(
        "nd_decode",
        List.of(
            UdfParameter.required("value"),
            UdfParameter.required("dtype"),
            UdfParameter.optional("shape")),
        "_FUNC_(value, dtype[, shape]) - Decodes a binary value, little-endian and "
            + "row-major, to arrays.",
        List.of(
            "value - binary, as in tables with layout 'binary'",
            "dtype - of the elements, a constant such as 'float32'; unsigned integers and "
                + "half floats become the next wider SQL type",
            "shape - of the result, as array(...); default: one dimension with all elements"),
        List.of(
            "_FUNC_(X'0000803F00000040', 'float32')",
            "[1.0, 2.0]",
            "_FUNC_(X'01020304', 'uint8', array(2, 2))",
            "[[1, 2], [3, 4]]"),
        BytesBinding::decode);
  }

  private static FunctionDefinition encode() {
    return new FunctionDefinition(
        "nd_encode",
        List.of(UdfParameter.required("tensor"), UdfParameter.required("dtype")),
        "_FUNC_(tensor, dtype) - Encodes the elements of a tensor as a binary value, "
            + "little-endian and row-major.",
        List.of(
            "tensor - an array nested as deep as the rank; for complex numbers of struct<re, im>",
            "dtype - of the elements, a constant such as 'float32'; elements of wider types"
                + " must fit, fractions are rounded to floats and half floats"),
        List.of("hex(_FUNC_(array(1.0F, 2.0F), 'float32'))", "0000803F00000040"),
        BytesBinding::encode);
  }

  private static FunctionDefinition aggregate() {
    return new FunctionDefinition(
        "scatter_nd_agg",
        List.of(
            UdfParameter.required("index"),
            UdfParameter.required("value"),
            UdfParameter.required("shape"),
            UdfParameter.string("reduction", "add"),
            UdfParameter.optional("order_by"),
            BAD_INDICES,
            NEGATIVE_INDICES),
        "_FUNC_(index, value, shape) - Returns a tensor of zeros, or empty strings, "
            + "with the value of each row in the slice at its index.",
        List.of(
            "index - an integer, or array(...) of k integers: the address of a slice of "
                + "shape shape[k:]",
            "value - the slice, or the element if k is the rank",
            "shape - of the result; a constant",
            "reduction - of rows with equal indices: 'add' (default), 'none' (the last "
                + "wins), 'mul', 'min', 'max', 'fmin', 'fmax' or 'mean'",
            "order_by - an integer, date or timestamp that orders such rows; without it the"
                + " smallest value comes first, and 'none' and strings are errors for such rows",
            BAD,
            NEGATIVE),
        List.of(
            "_FUNC_(i, v, array(4)) FROM VALUES (1, 2.5D), (3, 1.0D), (1, 2.0D) AS t(i, v)",
            "[0.0, 4.5, 0.0, 1.0]",
            "_FUNC_(array(i, j), v, array(2, 2)) FROM VALUES (0, 1, 7), (1, 0, 9) AS t(i, j, v)",
            "[[0, 7], [9, 0]]"),
        AggregateBinding::bind);
  }
}
