/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.io.Serializable;
import java.util.List;

/**
 * A custom optimizer: implement this, and pass it to {@link Optimizer#custom}, which adds learning
 * rate schedules, L2 and clips. A rule updates one row at a time, and must depend only on the row,
 * its gradient and the step: tasks run on copies of it, are repeated, and see rows in any order.
 * Functions such as {@code Math.exp} and {@code Math.pow} may differ in the last bits between
 * machines, so use {@link StrictMath}; {@code Math.sqrt} is exact. {@code
 * io.sparknd.embedding.testkit.OptimizerChecks} tests that.
 *
 * <p>A saved table has the rule's name and slots, never its class or parameters: to go on training,
 * pass the rule again, with {@link io.sparknd.embedding.EmbeddingTable#load(
 * org.apache.spark.sql.SparkSession, String, Optimizer)}.
 */
public interface OptimizerRule extends Serializable {
  /** Returns the name of the rule in saved tables and errors, not blank. */
  String name();

  /** Returns the state stored for each row; names are distinct, and the list is always the same. */
  List<OptimizerSlot> slots();

  /**
   * Returns the update of rows in a step. It is used by one thread and only in this step; values
   * that all rows share, such as bias corrections, are best computed here.
   *
   * @param step number of mini-batches applied to the table before, from 0
   * @param rate learning rate of the step
   */
  RowRule at(long step, double rate);
}
