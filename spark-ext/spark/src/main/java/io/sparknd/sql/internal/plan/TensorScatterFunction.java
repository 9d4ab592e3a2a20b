/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.CallNames;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * The SQL functions {@code tensor_scatter_nd_<reduction>}, modeled on TensorFlow's operators of the
 * same names.
 *
 * @param effect the effect of an update, as a phrase
 */
record TensorScatterFunction(String effect, Scatter how) implements TableFunction {
  private static final List<FunctionParameter> PARAMETERS =
      CommonParameters.ofScatter(
          FunctionParameter.table(
              "tensor",
              "index columns, and last a value column of slices; one row per slice, missing "
                  + "rows are zero"),
          FunctionParameter.table("updates", "index columns, and last a value column of slices"),
          CommonParameters.SHAPE);

  static List<TableFunction> all() {
    return List.of(
        new TensorScatterFunction("replaces the slice; the last one wins", Scatter.update()),
        new TensorScatterFunction("is added to the slice", Scatter.add()),
        new TensorScatterFunction("is subtracted from the slice", Scatter.sub()),
        new TensorScatterFunction("is multiplied into the slice", Scatter.mul()),
        new TensorScatterFunction("replaces larger elements", Scatter.min()),
        new TensorScatterFunction("replaces smaller elements", Scatter.max()));
  }

  @Override
  public String name() {
    return CallNames.tensorScatter(how.reduction());
  }

  @Override
  public List<FunctionParameter> parameters() {
    return PARAMETERS;
  }

  @Override
  public String usage() {
    return "The tensor after the updates, one row per slice, in the tensor's columns: each"
        + " update "
        + effect
        + ".";
  }

  @Override
  public String example() {
    return "SELECT * FROM "
        + name()
        + "(TABLE(SELECT * FROM VALUES (0, 8.0D), (1, 8.0D) AS t(i, price)), "
        + "TABLE(SELECT * FROM VALUES (1, 2.0D) AS u(i, price)), array(2))";
  }

  @Override
  public LogicalPlan query(FunctionArguments arguments) {
    TableArgument tensor = arguments.table("tensor");
    TableArgument updates = arguments.table("updates");
    return TensorPlans.scatter(
        tensor,
        updates,
        CommonParameters.options(arguments),
        CommonParameters.scatter(name(), how, arguments));
  }
}
