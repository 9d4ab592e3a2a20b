/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.LocalCheckpoints;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Manages the table versions that executors persist during a training. These are the latest
 * version, from which the next is computed, and the latest version cut off from its lineage, from
 * which Spark recomputes what a lost executor held.
 */
final class RetainedVersions {
  private final int versionsPerCut;

  /** Versions in the lineage of the next version. */
  private int made;

  private boolean isCut;
  private @Nullable JavaRDD<EmbeddingPartition> last;
  private @Nullable JavaRDD<EmbeddingPartition> base;

  /**
   * Starts without retained versions.
   *
   * @param made versions in the lineage of the table that is trained
   */
  RetainedVersions(int versionsPerCut, int made) {
    this.versionsPerCut = versionsPerCut;
    this.made = made;
  }

  /** Persists or cuts the version that the next job computes. */
  void retain(JavaRDD<EmbeddingPartition> version) {
    made++;
    isCut = made >= versionsPerCut;
    if (isCut) {
      VersionLineage.cut(version);
      made = 0;
    } else {
      version.persist(StorageLevel.MEMORY_AND_DISK());
    }
  }

  /** Releases the versions that {@code version} replaces, once it is computed. */
  void computed(JavaRDD<EmbeddingPartition> version) {
    if (isCut) {
      LocalCheckpoints.now(version);
    }
    if (last != null && last != base) {
      LocalCheckpoints.forget(last);
    }
    if (isCut) {
      begin(version);
    }
    last = version;
  }

  /** Retains the new base, unless it has checkpoint files: then executors need no copy. */
  private void begin(JavaRDD<EmbeddingPartition> version) {
    if (base != null) {
      LocalCheckpoints.forget(base);
    }
    base = version.getCheckpointFile().isPresent() ? null : version;
  }

  /** Releases all versions, including {@code version}. */
  void abandon(JavaRDD<EmbeddingPartition> version) {
    LocalCheckpoints.forget(version);
    if (last != null) {
      LocalCheckpoints.forget(last);
    }
    if (base != null) {
      LocalCheckpoints.forget(base);
    }
  }

  /** Returns the number of versions in the lineage of the last marked one. */
  int made() {
    return made;
  }
}
