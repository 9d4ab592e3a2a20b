/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.connect;

import io.sparknd.op.HalfRounding;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.CallNames;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.plan.GatherArguments;
import io.sparknd.sql.internal.plan.TensorOptions;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Table functions called on a Connect client's Datasets. The Datasets become temporary views of the
 * session, under names of their own, for as long as it lives: the result is analyzed anew whenever
 * it is used.
 */
public final class ConnectQueries {
  /** The reductions that a function {@code tensor_scatter_nd_*} has. */
  private static final Set<Reduction> NAMED =
      EnumSet.of(
          Reduction.NONE,
          Reduction.ADD,
          Reduction.SUB,
          Reduction.MUL,
          Reduction.MIN,
          Reduction.MAX);

  private ConnectQueries() {}

  /** Returns whether {@code rows} belong to a Connect client. */
  public static boolean isRemote(Dataset<Row> rows) {
    // by name: a client's class path lacks the classes of Spark itself
    return rows.getClass().getName().startsWith("org.apache.spark.sql.connect.");
  }

  /**
   * Returns the rows of {@code gather_nd}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the Datasets are of two sessions
   */
  public static Dataset<Row> gather(
      Dataset<Row> params, Dataset<Row> indices, TensorOptions options, GatherArguments how) {
    requireOneSession("gather_nd", params, "indices", indices);
    return new ConnectStatement("gather_nd")
        .table(params)
        .table(indices)
        .with(options)
        .with(how, options.dtype())
        .run(params.sparkSession());
  }

  /**
   * Returns the rows of {@code tensor_scatter_nd_*}.
   *
   * @throws io.sparknd.tensor.SparkNdException if no function has the reduction, or the Datasets
   *     are of two sessions
   */
  public static Dataset<Row> scatter(
      Dataset<Row> tensor, Dataset<Row> updates, TensorOptions options, Scatter how) {
    if (!NAMED.contains(how.reduction())) {
      throw SqlErrors.notOverConnect("reduction '" + how.reduction() + "' into a tensor");
    }
    requireParameters(how);
    String function = CallNames.tensorScatter(how.reduction());
    requireOneSession(function, tensor, "updates", updates);
    return new ConnectStatement(function)
        .table(tensor)
        .table(updates)
        .with(options)
        .with(how)
        .run(tensor.sparkSession());
  }

  /**
   * Returns the rows of {@code scatter_nd}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the function does not have the options
   */
  public static Dataset<Row> scatterIntoZeros(
      Dataset<Row> updates, TensorOptions options, Scatter how) {
    requireParameters(how);
    return new ConnectStatement("scatter_nd")
        .table(updates)
        .with("reduction", how.reduction().toString())
        .with(options)
        .with(how)
        .run(updates.sparkSession());
  }

  /** Checks the sessions before a Dataset becomes a view, which the other session would not see. */
  private static void requireOneSession(
      String function, Dataset<Row> first, String name, Dataset<Row> second) {
    try {
      // joins compare the ids of sessions, which are not public, and send nothing
      first.crossJoin(second);
    } catch (Exception e) { // Spark's, which Java calls checked, too
      throw SqlErrors.datasetOfOtherSession(function, name);
    }
  }

  private static void requireParameters(Scatter how) {
    if (how.rounding() == HalfRounding.ONCE) {
      throw SqlErrors.notOverConnect("HalfRounding.ONCE");
    }
  }
}
