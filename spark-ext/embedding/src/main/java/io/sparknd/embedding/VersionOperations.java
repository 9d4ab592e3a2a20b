/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.embedding.internal.loop.TrainedVersions;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import java.io.IOException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * What a training does with versions.
 *
 * @param <V> a table or a model
 */
interface VersionOperations<V> extends TrainedVersions<V> {
  long steps(V version);

  /** Describes the jobs of a call to Spark, unless the caller has. */
  JobDescription described(V version, String call);

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
