/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Gather;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.OperatorErrors;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import io.sparknd.udf.catalyst.TensorType.Shaped;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Binds the row functions to the types of their arguments. Element type and rank follow from the
 * argument types. Mismatches of types or of constant shapes are reported here.
 */
final class ArgumentBindings {
  private ArgumentBindings() {}

  /** Returns the result of a call with an untyped NULL. */
  private static Expression none() {
    return Literal.create(null, DataTypes.NullType);
  }

  /**
   * Returns the result of a call whose shape is NULL: of no type for nested arrays, because NULL
   * has no length for their rank.
   */
  private static Expression none(TensorType like) {
    return like instanceof Shaped ? Literal.create(null, like.sql()) : none();
  }

  static Expression tensorScatterNd(String name, Reduction reduction, UdfArguments in) {
    if (in.hasVoid(1)) {
      return none();
    }
    Scatter how = in.scatter(name, reduction, NegativeIndices.ERROR);
    TensorArgument tensor = in.tensor("tensor");
    check(how, tensor);
    if (in.hasVoid(3)) {
      return Literal.create(null, tensor.type().sql());
    }
    TensorArgument indices = in.indices("indices");
    TensorArgument updates = in.tensorLike("updates", tensor);
    int depth = depth(tensor, indices, updates);
    checkShapes(tensor.shape(), indices, updates, Indexing.tuples());
    RowScatterFunction function =
        new RowScatterFunction(
            name,
            tensor.reader(),
            new IndexReader(indices.indexReader(), depth),
            updates.reader(),
            how,
            Indexing.tuples(),
            new TensorWriter(tensor.type()));
    return in.call(function, tensor, indices, updates);
  }

  private static void check(Scatter how, TensorArgument tensor) {
    ScatterCall.check(how, tensor.type().dtype());
    tensor.type().element().checkReduction(how.reduction());
  }

  private static int depth(TensorArgument tensor, TensorArgument indices, TensorArgument updates) {
    boolean nested = tensor.isNested() && indices.isNested() && updates.isNested();
    String target = tensor.name() + " " + tensor.typeName();
    return nested ? depth(target, tensor.rank(), indices, updates) : IndexReader.ANY;
  }

  /** Returns the number of values in each tuple, which follows from the ranks. */
  private static int depth(
      String target, int rank, TensorArgument indices, TensorArgument updates) {
    if (indices.rank() == 0) {
      throw UdfErrors.notIndices(indices.name(), indices.typeName() + ", not an array");
    }
    int slots = indices.rank() - 1;
    int depth = slots + rank - updates.rank();
    if (depth < 0 || depth > rank) {
      throw UdfErrors.updatesRank(
          updates.typeName(), indices.typeName(), target, rank, slots, slots + rank);
    }
    return depth;
  }

  private static void checkShapes(
      Optional<Shape> tensor, TensorArgument indices, TensorArgument updates, Indexing where) {
    Optional<Shape> tuples = StaticShapes.of(indices.expression(), indices.indexReader());
    Optional<Shape> given = updates.shape();
    if (tensor.isPresent() && tuples.filter(shape -> shape.elements() > 0).isPresent()) {
      IndexPlan plan = where.plan(tensor.get(), tuples.get());
      if (given.isPresent() && !given.get().equals(plan.updates())) {
        throw OperatorErrors.updatesShape(given.get(), tuples.get(), tensor.get(), plan.updates());
      }
    }
  }

  static Expression scatterNd(UdfArguments in) {
    if (in.hasVoid(3)) {
      return none();
    }
    TensorArgument indices = in.indices("indices");
    TensorArgument updates = in.tensor("updates");
    TensorArgument shape = in.vector("shape");
    if (in.isUnset("shape")) {
      return none(updates.type());
    }
    Scatter how = Scatter.add().withIndices(in.policy(NegativeIndices.ERROR));
    check(how, updates);
    TensorType type = shapedBy(in, shape, updates, "scatter_nd");
    boolean nested = type instanceof Nested && indices.isNested();
    int depth =
        nested
            ? depth("shape " + shape.expression().sql(), ((Nested) type).rank(), indices, updates)
            : IndexReader.ANY;
    TensorWriter writer = new TensorWriter(type);
    constantShape(shape).ifPresent(writer::checkSize);
    checkShapes(constantShape(shape), indices, updates, Indexing.tuples());
    ScatterNdFunction function =
        new ScatterNdFunction(
            new IndexReader(indices.indexReader(), depth),
            updates.reader(),
            shape.indexReader(),
            how,
            writer);
    return in.call(function, indices, updates, shape);
  }

  /** Returns the type of tensors whose shape is an argument, in the form of {@code like}. */
  private static TensorType shapedBy(
      UdfArguments in, TensorArgument shape, TensorArgument like, String function) {
    if (!like.isNested()) {
      return new Shaped(like.type().element());
    }
    int rank = in.length(shape).orElseThrow(() -> UdfErrors.unknownRank(shape.name(), function));
    return new Nested(like.type().element(), rank);
  }

  private static Optional<Shape> constantShape(TensorArgument shape) {
    return shape.expression().foldable()
        ? StaticShapes.constant(shape.expression())
            .map(value -> Shape.of(shape.indexReader().longs(value)))
        : Optional.empty();
  }

  static Expression gatherNd(UdfArguments in) {
    if (in.hasVoid(2)) {
      return none();
    }
    TensorArgument params = in.tensor("params");
    TensorArgument indices = in.indices("indices");
    int batchDims = in.constantInt("batch_dims");
    Indexing where = new Indexing.Tuples(batchDims);
    checkGather(params, indices, where);
    int depth = IndexReader.ANY;
    TensorType type = params.type();
    if (params.isNested()) {
      depth = gatherDepth(in, params, indices, batchDims);
      int rank = indices.rank() - 1 + params.rank() - batchDims - depth;
      type = new Nested(type.element(), rank);
    } else if (!in.isUnset("depth")) {
      depth = in.constantInt("depth");
    }
    RowGatherFunction function =
        new RowGatherFunction(
            "gather_nd",
            params.reader(),
            new IndexReader(indices.indexReader(), depth),
            new Gather(in.policy(NegativeIndices.ERROR)),
            where,
            new TensorWriter(type));
    return in.call(function, params, indices);
  }

  private static int gatherDepth(
      UdfArguments in, TensorArgument params, TensorArgument indices, int batchDims) {
    if (!indices.isNested() || indices.rank() == 0) {
      throw UdfErrors.notIndices(
          indices.name(), indices.typeName() + ", and params " + params.typeName());
    }
    int most = params.rank() - batchDims;
    if (batchDims < 0 || batchDims >= indices.rank() || most < 0) {
      throw UdfErrors.batchDimsOutOfRank(batchDims, params.typeName(), indices.typeName());
    }
    int depth = requestedDepth(in, indices).orElse(most <= 1 ? most : -1);
    if (depth < 0) {
      String choices = most == 2 ? "1 or 2" : "1 to " + most;
      throw UdfErrors.unknownDepth(params.typeName(), indices.typeName(), choices);
    }
    if (depth > most) {
      throw UdfErrors.depthOverRankOf(depth, params.typeName(), most);
    }
    return depth;
  }

  private static OptionalInt requestedDepth(UdfArguments in, TensorArgument indices) {
    return in.isUnset("depth")
        ? StaticShapes.innermost(indices.expression(), indices.indexReader())
        : OptionalInt.of(in.constantInt("depth"));
  }

  private static void checkGather(TensorArgument params, TensorArgument indices, Indexing where) {
    Optional<Shape> shape = params.shape();
    Optional<Shape> tuples = indices.shape();
    if (shape.isPresent() && tuples.isPresent()) {
      where.plan(shape.get(), tuples.get());
    }
  }

  static Expression scatterElements(UdfArguments in) {
    if (in.hasVoid(1)) {
      return none();
    }
    TensorArgument data = in.tensor("data");
    Scatter how = in.scatter("scatter_elements", in.reduction(), NegativeIndices.WRAP);
    check(how, data);
    if (in.hasVoid(3)) {
      return Literal.create(null, data.type().sql());
    }
    TensorArgument indices = in.indices("indices");
    TensorArgument updates = in.tensorLike("updates", data);
    Indexing where = elements(in, data, indices);
    if (updates.isNested() && indices.isNested() && updates.rank() != indices.rank()) {
      throw UdfErrors.updatesRank(
          updates.typeName(),
          indices.typeName(),
          data.typeName(),
          indices.rank(),
          indices.rank(),
          indices.rank());
    }
    checkShapes(data.shape(), indices, updates, where);
    RowScatterFunction function =
        new RowScatterFunction(
            "scatter_elements",
            data.reader(),
            new IndexReader(indices.indexReader(), IndexReader.ANY),
            updates.reader(),
            how,
            where,
            new TensorWriter(data.type()));
    return in.call(function, data, indices, updates);
  }

  static Expression gatherElements(UdfArguments in) {
    if (in.hasVoid(1)) {
      return none();
    }
    TensorArgument data = in.tensor("data");
    if (in.hasVoid(2)) {
      return Literal.create(null, data.type().sql());
    }
    TensorArgument indices = in.indices("indices");
    Indexing where = elements(in, data, indices);
    checkGather(data, indices, where);
    RowGatherFunction function =
        new RowGatherFunction(
            "gather_elements",
            data.reader(),
            new IndexReader(indices.indexReader(), IndexReader.ANY),
            new Gather(in.policy(NegativeIndices.WRAP)),
            where,
            new TensorWriter(data.type()));
    return in.call(function, data, indices);
  }

  private static Indexing elements(UdfArguments in, TensorArgument data, TensorArgument indices) {
    int axis = in.constantInt("axis");
    if (data.isNested() && indices.isNested()) {
      if (data.rank() != indices.rank()) {
        throw UdfErrors.elementTypesDiffer(indices.typeName(), data.typeName());
      }
      if (axis < -data.rank() || axis >= data.rank()) {
        throw UdfErrors.axisOutOfRank(axis, data.typeName(), data.rank());
      }
    }
    return new Indexing.Elements(axis);
  }

  static Expression shape(UdfArguments in) {
    if (in.hasVoid(1)) {
      return none();
    }
    TensorArgument tensor = in.tensor("tensor");
    return in.call(new ShapeFunction(tensor.reader()), tensor);
  }

  static Expression zeros(UdfArguments in) {
    if (in.hasVoid(1)) {
      return none();
    }
    TensorArgument shape = in.vector("shape");
    TensorType of = zeroType(in.string("type"));
    if (in.isUnset("shape")) {
      return none(of);
    }
    TensorType type =
        of instanceof Shaped
            ? of
            : shapedBy(in, shape, new TensorArgument("type", shape.expression(), of), "nd_zeros");
    TensorWriter writer = new TensorWriter(type);
    constantShape(shape).ifPresent(writer::checkSize);
    return in.call(new ZerosFunction(shape.indexReader(), writer), shape);
  }

  /** Parses a DDL type name: that of an element, or {@code struct<shape: ..., values: ...>}. */
  private static TensorType zeroType(String word) {
    Optional<TensorType> type;
    try {
      type = TensorType.of(DataType.fromDDL(word), null);
    } catch (RuntimeException e) {
      throw UdfErrors.notATensor("type", "'" + word + "'");
    }
    if (type.orElse(null) instanceof Nested array && array.rank() > 0) {
      throw UdfErrors.arrayOfZeros(word);
    }
    return type.orElseThrow(() -> UdfErrors.notATensor("type", "'" + word + "'"));
  }

  static Expression reshape(UdfArguments in) {
    if (in.hasVoid(2)) {
      return none();
    }
    TensorArgument tensor = in.tensor("tensor");
    TensorArgument shape = in.vector("shape");
    if (in.isUnset("shape")) {
      return none(tensor.type());
    }
    TensorType type = shapedBy(in, shape, tensor, "nd_reshape");
    ReshapeFunction function =
        new ReshapeFunction(tensor.reader(), shape.indexReader(), new TensorWriter(type));
    return in.call(function, tensor, shape);
  }
}
