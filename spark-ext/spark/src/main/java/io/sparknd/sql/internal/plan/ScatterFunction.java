/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** The SQL function {@code scatter_nd}, modeled on TensorFlow's {@code tf.scatter_nd}. */
record ScatterFunction() implements TableFunction {
  private static final List<FunctionParameter> PARAMETERS =
      CommonParameters.ofScatter(
          FunctionParameter.table("updates", "index columns, and last a value column of slices"),
          CommonParameters.SHAPE,
          FunctionParameter.constant(
              "reduction",
              "reduction of several updates of one slice: 'add' (default), 'none' (the last "
                  + "wins), 'sub', 'mul', 'div', 'min', 'max', 'fmin', 'fmax', 'mean'; all start "
                  + "from zeros, unless include_self => false"));

  @Override
  public String name() {
    return "scatter_nd";
  }

  @Override
  public List<FunctionParameter> parameters() {
    return PARAMETERS;
  }

  @Override
  public String usage() {
    return "A tensor of zeros (or false, or empty strings) after the updates, one row per "
        + "slice.";
  }

  @Override
  public String example() {
    return "SELECT * FROM scatter_nd("
        + "TABLE(SELECT * FROM VALUES (0, 1.5D), (2, 1.0D), (2, 0.25D) AS u(i, price)), array(4))";
  }

  @Override
  public LogicalPlan query(FunctionArguments arguments) {
    TableArgument updates = arguments.table("updates");
    Reduction reduction = arguments.word("reduction").map(Reduction::named).orElse(Reduction.ADD);
    return TensorPlans.scatterIntoZeros(
        updates,
        CommonParameters.options(arguments),
        CommonParameters.scatter(name(), Scatter.of(reduction), arguments));
  }
}
