/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** A table function of SQL. */
sealed interface TableFunction permits GatherFunction, ScatterFunction, TensorScatterFunction {
  String name();

  /** In the order of positional arguments. */
  List<FunctionParameter> parameters();

  /** One sentence. */
  String usage();

  /** A statement that can be run as it stands. */
  String example();

  /**
   * The query of a call.
   *
   * @throws io.sparknd.tensor.SparkNdException if the arguments do not go together
   */
  LogicalPlan query(FunctionArguments arguments);
}
