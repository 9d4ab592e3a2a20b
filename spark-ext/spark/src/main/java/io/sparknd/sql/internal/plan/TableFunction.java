/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** An SQL table function. */
sealed interface TableFunction
    permits GatherFunction, GatherAsOfFunction, ScatterFunction, TensorScatterFunction {
  String name();

  /** Returns the parameters in the order of positional arguments. */
  List<FunctionParameter> parameters();

  /** Returns a one-sentence description. */
  String usage();

  /** Returns a complete statement that runs as it is. */
  String example();

  /**
   * Returns the logical plan of a call.
   *
   * @throws io.sparknd.tensor.SparkNdException if the arguments are inconsistent
   */
  LogicalPlan query(FunctionArguments arguments);
}
