/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

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
public final class RetainedVersions {
  private final int versionsPerCut;

  /** Versions in the lineage of the next version. */
  private int versionsSinceCut;

  /** {@link #versionsSinceCut} before the last version was retained. */
  private int versionsBefore;

  private boolean isCut;
  private boolean hasCut;
  private @Nullable JavaRDD<EmbeddingPartition> last;
  private @Nullable JavaRDD<EmbeddingPartition> base;

  /**
   * Starts without retained versions.
   *
   * @param versionsSinceCut versions in the lineage of the table that is trained
   */
  public RetainedVersions(int versionsPerCut, int versionsSinceCut) {
    this.versionsPerCut = versionsPerCut;
    this.versionsSinceCut = versionsSinceCut;
  }

  /** Returns whether every version is cut off from its lineage. */
  boolean isCutEveryVersion() {
    return versionsPerCut == 1;
  }

  private boolean isCutAfter(int versions) {
    return versionsSinceCut + versions >= versionsPerCut;
  }

  /** Persists or cuts the version that the next job computes. */
  void retain(JavaRDD<EmbeddingPartition> version) {
    retain(version, 1);
  }

  /**
   * Persists or cuts the version that the next job computes.
   *
   * @param versions the most versions in its lineage since the last one
   */
  void retain(JavaRDD<EmbeddingPartition> version, int versions) {
    versionsBefore = versionsSinceCut;
    isCut = isCutAfter(versions);
    if (isCut) {
      VersionLineage.truncate(version);
      versionsSinceCut = 0;
    } else {
      version.persist(StorageLevel.MEMORY_AND_DISK());
      versionsSinceCut += versions;
    }
  }

  /** Corrects the number of versions since the last one, once the job has run. */
  void took(int versions) {
    if (!isCut) {
      versionsSinceCut = versionsBefore + versions;
    }
  }

  /** Returns whether the version that was retained last is cut off from its lineage. */
  boolean isCut() {
    return isCut;
  }

  /** Releases the version that was retained last, whose job failed. */
  void discard(JavaRDD<EmbeddingPartition> version) {
    LocalCheckpoints.unpersist(version);
    versionsSinceCut = versionsBefore;
  }

  /** Releases the versions that {@code version} replaces, once it is computed. */
  void releaseReplaced(JavaRDD<EmbeddingPartition> version) {
    if (isCut) {
      LocalCheckpoints.materialize(version);
      hasCut = true;
    }
    if (last != null && last != base) {
      LocalCheckpoints.unpersist(last);
    }
    if (isCut) {
      replaceBase(version);
    }
    last = version;
  }

  /** Retains the new base, unless it has checkpoint files: then executors need no copy. */
  private void replaceBase(JavaRDD<EmbeddingPartition> version) {
    if (base != null) {
      LocalCheckpoints.unpersist(base);
    }
    base = version.getCheckpointFile().isPresent() ? null : version;
  }

  /** Releases all versions, including {@code version}. */
  void abandon(JavaRDD<EmbeddingPartition> version) {
    LocalCheckpoints.unpersist(version);
    if (last != null) {
      LocalCheckpoints.unpersist(last);
    }
    if (base != null) {
      LocalCheckpoints.unpersist(base);
    }
  }

  /** Returns whether a computed version was cut off: later ones do not depend on earlier ones. */
  boolean hasCut() {
    return hasCut;
  }

  /** Returns the number of versions since the last lineage cut. */
  int versionsSinceCut() {
    return versionsSinceCut;
  }
}
