/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.version;

import io.sparknd.cluster.internal.ClusterErrors;
import org.apache.spark.api.java.JavaRDD;

/**
 * The handle by which a user closes a version. A closed version is never used, even if Spark could
 * recompute it: whether it could depends on how many versions came before.
 */
public final class VersionHandle implements AutoCloseable {
  private final JavaRDD<?> rdd;

  /** How many may compute something from the version after it is closed. */
  private int dependents;

  private boolean isClosed;

  private VersionHandle(JavaRDD<?> rdd, int dependents) {
    this.rdd = rdd;
    this.dependents = dependents;
  }

  /** Makes the handle of a version from which anything may be derived. */
  public VersionHandle(JavaRDD<?> rdd) {
    this(rdd, 1);
  }

  /** Returns the handle of a version whose dependents are {@linkplain #attach attached}. */
  public static VersionHandle withoutDependents(JavaRDD<?> rdd) {
    return new VersionHandle(rdd, 0);
  }

  /**
   * Adds a dependent: something may be computed from the version, also after it is closed.
   *
   * @param version the version, for the message
   * @throws io.sparknd.tensor.SparkNdException if it was closed
   */
  public synchronized void attach(Object version) {
    checkOpen(version);
    dependents++;
  }

  /** Adds a dependent that stays. */
  public synchronized void retain() {
    dependents++;
  }

  /** Removes a dependent. */
  public synchronized void detach() {
    dependents--;
    if (isClosed) {
      VersionLineage.close(rdd, dependents > 0);
    }
  }

  public synchronized boolean hasDependents() {
    return dependents > 0;
  }

  /**
   * Throws an error if the version was closed.
   *
   * @param version the version, for the message
   * @throws io.sparknd.tensor.SparkNdException if it was closed
   */
  public synchronized void checkOpen(Object version) {
    if (isClosed) {
      throw ClusterErrors.versionClosed(version.toString());
    }
  }

  /** Releases the cached blocks of the version. Further calls have no effect. */
  @Override
  public synchronized void close() {
    isClosed = true;
    VersionLineage.close(rdd, dependents > 0);
  }
}
