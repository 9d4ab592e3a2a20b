/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.version;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.LocalCheckpoints;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/** Caches versions and bounds the length of their lineage. */
public final class VersionLineage {
  /**
   * Scatters between lineage truncations. Every scatter adds a shuffle to the lineage, which Spark
   * walks by recursion: some hundreds overflow the stack.
   */
  public static final int CHECKPOINT_INTERVAL = 40;

  private VersionLineage() {}

  /** Persists a version, and truncates the lineage at every {@link #CHECKPOINT_INTERVAL}th. */
  public static void persist(JavaRDD<?> rdd, int version) {
    if (version > 0 && version % CHECKPOINT_INTERVAL == 0) {
      truncate(rdd);
    } else {
      rdd.persist(StorageLevel.MEMORY_AND_DISK());
    }
  }

  /**
   * Computes and persists a version. If that fails, or tasks report errors, it is unpersisted.
   *
   * @param rowErrors the errors of its tasks; may be null
   */
  public static void compute(JavaRDD<?> rdd, int version, @Nullable RowErrors rowErrors) {
    persist(rdd, version);
    try {
      PartitionTasks.run(rdd);
    } catch (Exception e) {
      InterruptedCleanup.run(() -> rdd.unpersist(false));
      throw TaskErrors.unwrapped(e);
    }
    if (rowErrors != null && !rowErrors.isZero()) {
      rdd.unpersist(false);
      throw rowErrors.value().orElseThrow();
    }
  }

  /**
   * Truncates the lineage of an RDD at once, with a job. Without a checkpoint directory on a
   * cluster, two executors hold each block then.
   */
  public static void checkpoint(JavaRDD<?> rdd) {
    try {
      truncate(rdd);
      if (isReliable(JavaSparkContext.fromSparkContext(rdd.context()))) {
        PartitionTasks.run(rdd);
      } else {
        LocalCheckpoints.replicate(rdd);
      }
      LocalCheckpoints.materialize(rdd);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Truncates the lineage of an RDD, from the first job that computes it. */
  public static void truncate(JavaRDD<?> rdd) {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(rdd.context());
    if (rdd.getStorageLevel().equals(StorageLevel.NONE())) {
      rdd.persist(
          isReliable(spark) ? StorageLevel.MEMORY_AND_DISK() : StorageLevel.MEMORY_AND_DISK_2());
    }
    if (spark.getCheckpointDir().isPresent()) {
      rdd.checkpoint();
    } else {
      LocalCheckpoints.mark(rdd);
    }
  }

  /** Returns whether a checkpoint survives the loss of any executor with one copy in memory. */
  private static boolean isReliable(JavaSparkContext spark) {
    return spark.getCheckpointDir().isPresent() || spark.isLocal();
  }

  /**
   * Releases the cached blocks of a version, unless later versions would be recomputed from them
   * after the loss of an executor. In that case Spark releases them with the last of these
   * versions, after a garbage collection of the driver.
   *
   * @param hasDependents whether there may be such versions
   */
  static void close(JavaRDD<?> rdd, boolean hasDependents) {
    boolean isCutToCopies = rdd.rdd().isCheckpointed() && !rdd.getCheckpointFile().isPresent();
    if (!isCutToCopies) {
      InterruptedCleanup.run(() -> rdd.unpersist(false));
    } else if (!hasDependents || rdd.context().isLocal()) {
      LocalCheckpoints.unpersist(rdd); // locally, no executor is lost without the driver
    }
  }
}
