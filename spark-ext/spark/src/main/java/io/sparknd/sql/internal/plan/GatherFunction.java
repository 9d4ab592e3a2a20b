/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.sql.internal.SqlErrors;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** The SQL function {@code gather_nd}, modeled on TensorFlow's {@code tf.gather_nd}. */
record GatherFunction() implements TableFunction {
  private static final List<FunctionParameter> PARAMETERS =
      Stream.concat(
              CommonParameters.withIndices(
                  FunctionParameter.table(
                      "params", "the tensor: index columns, and a value column of slices, last"),
                  FunctionParameter.table(
                      "indices", "index columns first; other columns come out as they are"),
                  CommonParameters.SHAPE,
                  FunctionParameter.constant(
                      "batch_dims",
                      "how many of the index columns are the coordinates of a batch, as in"
                          + " tf.gather_nd; default 0"))
                  .stream(),
              Stream.of(
                  FunctionParameter.constant(
                      "fill",
                      "value of the slices that indices out of bounds name; a complex one is a struct of"
                          + " its two parts"),
                  FunctionParameter.constant(
                      "index_columns",
                      "of both tables; left out, those of the tensor's names; the first ones, as many"
                          + " as params has, where indices has none of its names"),
                  FunctionParameter.constant(
                      "value_column", "of params, which must have it; left out, the last"),
                  CommonParameters.DTYPE))
          .toList();

  @Override
  public String name() {
    return "gather_nd";
  }

  @Override
  public List<FunctionParameter> parameters() {
    return PARAMETERS;
  }

  @Override
  public String usage() {
    return "The rows of indices, each with the slice of the tensor params that its index columns"
        + " name in one more column.";
  }

  @Override
  public String example() {
    return "SELECT * FROM gather_nd("
        + "TABLE(SELECT * FROM VALUES (0, 1.5D), (1, 2.5D) AS t(i, price)), "
        + "TABLE(SELECT * FROM VALUES (1, 'a'), (1, 'b') AS q(i, label)), array(2))";
  }

  @Override
  public LogicalPlan query(FunctionArguments arguments) {
    TableArgument params = arguments.table("params");
    TableArgument indices = arguments.table("indices");
    Optional<BadIndices> fill = arguments.element("fill").map(BadIndices::fill);
    if (fill.isPresent() && arguments.word("bad_indices").isPresent()) {
      throw SqlErrors.fillNeedsValue(arguments.word("bad_indices").orElseThrow());
    }
    Gather how = new Gather(CommonParameters.indices(arguments, fill.orElse(BadIndices.ERROR)));
    return TensorPlans.gather(
        params,
        indices,
        CommonParameters.options(arguments),
        how,
        arguments.integer("batch_dims").orElse(0));
  }
}
