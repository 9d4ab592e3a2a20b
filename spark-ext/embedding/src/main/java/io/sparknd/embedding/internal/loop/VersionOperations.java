/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.ModelPartitions;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * What a training does with versions.
 *
 * @param <V> a table or a model
 */
public interface VersionOperations<V> {
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

  long steps(V version);

  /** Returns the number of versions since the last lineage cut. */
  int versions(V version);

  /**
   * Returns a new version.
   *
   * @param versions versions in its lineage
   */
  V next(V version, JavaRDD<EmbeddingPartition> rdd, long steps, int versions);

  void close(V version);

  /** Returns what two versions of one training have in common. */
  Object definition(V version);

  /** Saves a version to a new directory, from which no deltas are made. */
  void save(V version, String path);

  /** Loads a saved version with the optimizers of {@code like}. */
  V load(String path, V like);

  /**
   * Returns a loaded version with as many partitions as {@code like}, which is cut off from its
   * files, and from which no deltas are made. Closes what only {@code loaded} needs.
   */
  V cut(V loaded, V like);

  /** Deletes a saved version. */
  void delete(SparkSession spark, String path) throws IOException;
}
