/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import io.sparknd.cluster.ClusterErrors;
import org.apache.spark.api.java.JavaRDD;

/**
 * What a user closes of a version. A closed one is never used, even where Spark could compute it
 * again: whether it could depends on how many versions came before.
 */
public final class VersionHandle implements AutoCloseable {
  private final JavaRDD<?> rdd;
  private volatile boolean isClosed;

  public VersionHandle(JavaRDD<?> rdd) {
    this.rdd = rdd;
  }

  /**
   * @param version for the message
   * @throws io.sparknd.tensor.SparkNdException if it was closed
   */
  public void checkOpen(Object version) {
    if (isClosed) {
      throw ClusterErrors.versionClosed(version.toString());
    }
  }

  /** Gives back what is kept of the version. A second time does nothing more. */
  @Override
  public void close() {
    isClosed = true;
    VersionLineage.close(rdd);
  }
}
