/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What moves in a gather by the rows of a Dataset. The rows that come out are the same, each with
 * its slice; their partitions and order are not. Asked for with {@link
 * DistributedTensor#withStrategy}, else by the session's {@code spark.sparknd.strategy}, a name as
 * below in upper or lower case.
 *
 * <p>What was taken is in the log, and in the name of the scan that {@code explain()} shows.
 */
public enum Strategy {
  /**
   * Chosen by size. {@link #BROADCAST_INDICES} where the planner expects no more index rows than 1
   * MiB, and no more than the tensor has; else {@link #BROADCAST_TENSOR} where the tensor has no
   * more than {@code spark.sql.autoBroadcastJoinThreshold}, which bounds both; else {@link
   * #SHUFFLE_INDICES}, or {@link #SHUFFLE_SLICES} where slices are larger than a block. Rows that
   * turn out to be many more than expected are shuffled after all.
   */
  AUTO,

  /**
   * Index rows move to the partitions that own their slices, in one shuffle; slices stay. Rows come
   * out in the tensor's partitions, ordered by the partition and place that they had before.
   */
  SHUFFLE_INDICES,

  /**
   * Index rows move through the driver to the partitions that own their slices; slices stay. For
   * few rows: an error if they pass {@code spark.driver.maxResultSize}. Rows come out as with
   * {@link #SHUFFLE_INDICES}, in those of the tensor's partitions that any row names.
   */
  BROADCAST_INDICES,

  /**
   * The whole tensor moves through the driver to every executor; rows stay where they are, in their
   * order. For small tensors: an error if it passes {@code spark.driver.maxResultSize}. Index rows
   * are read twice, to check them and to answer.
   */
  BROADCAST_TENSOR,

  /**
   * Requests move to the partitions that own the slices, and slices back to the rows, which stay
   * where they are, in their order; a copy of them is kept. Slices may be larger than a block:
   * taken in place of {@link #SHUFFLE_INDICES} and {@link #BROADCAST_INDICES} where they are.
   */
  SHUFFLE_SLICES;

  /**
   * The strategy of this name, in upper or lower case.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static Strategy named(String name) {
    return Arrays.stream(values())
        .filter(strategy -> strategy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownWord("strategy", name, known()));
  }

  private static String known() {
    return Arrays.stream(values())
        .map(strategy -> strategy.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
