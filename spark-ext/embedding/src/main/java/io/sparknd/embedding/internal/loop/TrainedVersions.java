/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.ModelPartitions;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * What a loop needs to know of versions.
 *
 * @param <V> a table or a model
 */
public interface TrainedVersions<V> {
  SparkSession spark(V version);

  /** Returns the tables in the order of their partitions; at least one. */
  List<TrainedTable> tables(V version);

  /**
   * Returns the partitions, see {@link ModelPartitions}, which may be read until {@link #detach} is
   * called as often.
   */
  JavaRDD<EmbeddingPartition> rdd(V version);

  /** Ends what a call of {@link #rdd} began: nothing will be computed from those partitions. */
  void detach(V version);

  /** Returns the number of versions since the last lineage cut. */
  int versions(V version);
}
