/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.optimizer.Optimizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * Checks what a table needs of an optimizer, such as one with an {@link
 * io.sparknd.embedding.optimizer.OptimizerRule} of an application. All comparisons are of bits. The
 * checks are:
 *
 * <ul>
 *   <li>{@code slots}: every call of {@code slots()} returns the same.
 *   <li>{@code repeatability}: the same updates have the same results twice.
 *   <li>{@code steps}: an update depends on its step, not on the steps that the same object was
 *       asked for before.
 *   <li>{@code order of rows}: rows may be updated in any order.
 *   <li>{@code zero gradients}: gradients of 0 make no NaN and nothing infinite, in weights or
 *       state, in early and late steps.
 *   <li>{@code sparse equals dense}: a table of which each step touches some rows, with state for
 *       these alone, has the weights of a matrix and its state in plain arrays; rows without a
 *       gradient have not changed.
 *   <li>{@code partitions}: weights are the same in one partition and in several.
 *   <li>{@code save and load}: a table that is saved and loaded goes on as one that was not.
 * </ul>
 *
 * The last two are done once more with state in bfloat16, if any slot can be. Whether a rule learns
 * is not checked.
 */
public final class OptimizerChecks {
  private final Supplier<? extends Optimizer> optimizer;

  private OptimizerChecks(Supplier<? extends Optimizer> optimizer) {
    this.optimizer = optimizer;
  }

  /**
   * Returns the checks of an optimizer.
   *
   * @param optimizer makes the optimizer anew; some checks compare a new one with one in use
   */
  public static OptimizerChecks of(Supplier<? extends Optimizer> optimizer) {
    return new OptimizerChecks(optimizer);
  }

  /**
   * Returns the failures of the checks that need no Spark, up to {@code zero gradients}: the first
   * of each check.
   */
  public List<OptimizerFailure> failuresWithoutSpark() {
    return new RuleChecks(optimizer).failures();
  }

  /**
   * Returns the first failure of each check; takes about ten short trainings.
   *
   * @param directory a path or URI that every executor can write to; tables are saved in new
   *     directories below
   */
  public List<OptimizerFailure> failures(SparkSession spark, String directory) {
    List<OptimizerFailure> failures = new ArrayList<>(failuresWithoutSpark());
    failures.addAll(new TableChecks(optimizer, spark, directory).failures());
    return failures;
  }

  /**
   * Runs all checks.
   *
   * @param directory as in {@link #failures}
   * @throws AssertionError if a check fails; the message has all failures
   */
  public void verify(SparkSession spark, String directory) {
    List<OptimizerFailure> failures = failures(spark, directory);
    if (!failures.isEmpty()) {
      throw new AssertionError(
          failures.stream()
              .map(OptimizerFailure::toString)
              .collect(
                  Collectors.joining(
                      "\n  ", optimizer.get() + " fails " + failures.size() + ":\n  ", "")));
    }
  }
}
