/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.fold.VersionLineage;
import io.sparknd.cluster.spark.LineageCut;
import io.sparknd.embedding.rows.EmbeddingPartition;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Which versions of a table executors keep in a training: the last one, which the next is made of,
 * and the last that was cut off from those before it, from which Spark makes again what an executor
 * loses.
 */
final class RetainedVersions {
  private final int versionsPerCut;

  /** Versions in the lineage of the one that is made next. */
  private int made;

  private boolean isCut;
  private JavaRDD<EmbeddingPartition> last;
  private JavaRDD<EmbeddingPartition> base;

  /**
   * @param made versions in the lineage of the table that is trained
   */
  RetainedVersions(int versionsPerCut, int made) {
    this.versionsPerCut = versionsPerCut;
    this.made = made;
  }

  /** Marks the version that the next job computes. */
  void keep(JavaRDD<EmbeddingPartition> version) {
    made++;
    isCut = made >= versionsPerCut;
    if (isCut) {
      VersionLineage.cut(version);
      made = 0;
    } else {
      version.persist(StorageLevel.MEMORY_AND_DISK());
    }
  }

  /** Lets go of what {@code version} has taken the place of; it was computed. */
  void computed(JavaRDD<EmbeddingPartition> version) {
    if (isCut) {
      LineageCut.now(version);
    }
    if (last != null && last != base) {
      LineageCut.forget(last);
    }
    if (isCut) {
      begin(version);
    }
    last = version;
  }

  /** What has files to begin again from need not be kept by executors. */
  private void begin(JavaRDD<EmbeddingPartition> version) {
    if (base != null) {
      LineageCut.forget(base);
    }
    base = version.getCheckpointFile().isPresent() ? null : version;
  }

  /** Lets go of everything, {@code version} too. */
  void abandon(JavaRDD<EmbeddingPartition> version) {
    LineageCut.forget(version);
    if (last != null) {
      LineageCut.forget(last);
    }
    if (base != null) {
      LineageCut.forget(base);
    }
  }

  /** Versions in the lineage of the last one that was marked. */
  int made() {
    return made;
  }
}
