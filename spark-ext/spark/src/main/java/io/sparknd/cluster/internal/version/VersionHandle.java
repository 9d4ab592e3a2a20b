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
  private volatile boolean isClosed;

  public VersionHandle(JavaRDD<?> rdd) {
    this.rdd = rdd;
  }

  /**
   * Throws an error if the version was closed.
   *
   * @param version the version, for the message
   * @throws io.sparknd.tensor.SparkNdException if it was closed
   */
  public void checkOpen(Object version) {
    if (isClosed) {
      throw ClusterErrors.versionClosed(version.toString());
    }
  }

  /** Releases the cached blocks of the version. Further calls have no effect. */
  @Override
  public void close() {
    isClosed = true;
    VersionLineage.close(rdd);
  }
}
