/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.options;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Which data a gather by the rows of a Dataset moves. The resulting rows and slices are the same
 * with every strategy; their partitions and order are not. {@link
 * io.sparknd.cluster.DistributedTensor#withStrategy} sets it, else the session's {@code
 * spark.sparknd.strategy}, a name below in upper or lower case.
 *
 * <p>The log and the name of the scan in {@code explain()} show the strategy that was chosen.
 */
public enum GatherStrategy {
  /**
   * Chooses by size. {@link #BROADCAST_INDICES} if the planner's estimate of the index rows is at
   * most 1 MiB and at most the size of the tensor; else {@link #BROADCAST_TENSOR} if the tensor is
   * at most {@code spark.sql.autoBroadcastJoinThreshold}, which bounds both broadcasts, and not of
   * strings, whose length is not known; else {@link #SHUFFLE_INDICES}. If slices are larger than a
   * block, {@link #SHUFFLE_SLICES} replaces a strategy that moves index rows. If there are many
   * more rows than estimated, they are shuffled after all. Rows with metrics of {@link
   * org.apache.spark.sql.Dataset#observe} are shuffled, so that they are read, and counted, once.
   */
  AUTO,

  /**
   * Shuffles the index rows once to the partitions that own their slices; slices do not move. The
   * result has the tensor's partitions, ordered by the partition and position that the rows had
   * before.
   */
  SHUFFLE_INDICES,

  /**
   * Sends the index rows through the driver to the partitions that own their slices; slices do not
   * move. For few rows: an error if they exceed {@code spark.driver.maxResultSize}. The result is
   * ordered as with {@link #SHUFFLE_INDICES}, in those partitions of the tensor that any row names.
   */
  BROADCAST_INDICES,

  /**
   * Broadcasts the whole tensor through the driver to every executor; rows keep their partitions
   * and order. For small tensors: an error if the tensor exceeds {@code
   * spark.driver.maxResultSize}. Index rows are read twice, to check them and to join them.
   */
  BROADCAST_TENSOR,

  /**
   * Shuffles requests to the partitions that own the slices, and slices back to the rows. Rows keep
   * their partitions and order; a copy of them is cached. Slices may be larger than a block: if
   * they are, this strategy replaces {@link #SHUFFLE_INDICES} and {@link #BROADCAST_INDICES}.
   */
  SHUFFLE_SLICES;

  /**
   * Returns the strategy of this name, in upper or lower case.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static GatherStrategy named(String name) {
    return Arrays.stream(values())
        .filter(strategy -> strategy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownValue("strategy", name, known()));
  }

  private static String known() {
    return Arrays.stream(values())
        .map(strategy -> strategy.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
