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
  private static final String VALUE_COLUMNS = "value_columns";

  private static final List<FunctionParameter> PARAMETERS =
      Stream.concat(
              CommonParameters.withIndices(
                  FunctionParameter.table(
                      "params",
                      "the tensor: index columns, and last a value column of slices; or a feature table"),
                  FunctionParameter.table(
                      "indices", "index columns first; other columns are passed through"),
                  CommonParameters.SHAPE,
                  FunctionParameter.constant(
                      "batch_dims",
                      "number of leading index columns that are batch coordinates, as in "
                          + "tf.gather_nd; default 0"))
                  .stream(),
              Stream.of(
                  FunctionParameter.constant(
                      "fill",
                      "value of the result for indices out of bounds; a complex one is a struct of "
                          + "its two parts"),
                  FunctionParameter.constant(
                      "index_columns",
                      "index columns of both tables; default: the columns with the tensor's names; if"
                          + " indices has none of them, its first columns, as many as params has"),
                  FunctionParameter.constant(
                      "value_column", "value column of params; default: the last"),
                  CommonParameters.DTYPE,
                  FunctionParameter.constant(
                      VALUE_COLUMNS,
                      "variables of params, if that is a feature table; default: all of them"),
                  CommonParameters.FOUND))
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
    return "The rows of indices, each with one more column: the slice of params at its "
        + "index columns. If params is a feature table, with a column for each variable.";
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
    Gather how = new Gather(CommonParameters.indices(arguments, fill(arguments)));
    return TensorPlans.gather(
        params,
        indices,
        CommonParameters.options(arguments),
        GatherArguments.of(how)
            .withBatchDims(arguments.integer("batch_dims").orElse(0))
            .withValueColumns(arguments.columns(VALUE_COLUMNS).orElse(List.of()))
            .withFound(arguments.word(CommonParameters.FOUND.name())));
  }

  /** Returns the policy of the fill value, which implies and allows bad_indices => 'fill'. */
  private static Optional<BadIndices> fill(FunctionArguments arguments) {
    Optional<BadIndices> fill = arguments.element("fill").map(BadIndices::fill);
    Optional<String> bad = arguments.word("bad_indices");
    if (bad.isPresent() && fill.isPresent() != bad.get().equals("fill")) {
      throw SqlErrors.fillNeedsValue(bad.get());
    }
    return fill;
  }
}
