/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.ClassProperties;
import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.table.internal.TableErrors;

/**
 * Checks for the minor version of Spark that Iceberg's runtime is built for. On another one,
 * Iceberg fails with an {@code IncompatibleClassChangeError} halfway.
 */
public final class TableSparkVersion {
  private static final String SPARK =
      ClassProperties.read(TableSparkVersion.class, "build.properties")
          .getProperty("iceberg.spark.version");

  private TableSparkVersion() {}

  /**
   * Checks the version of Spark in this JVM.
   *
   * @throws io.sparknd.tensor.SparkNdException if this jar does not support it, or has no tables on
   *     it
   */
  public static void check() {
    SparkVersion.check();
    check(SparkVersion.running());
  }

  /**
   * Checks a version of Spark.
   *
   * @param runs the version, a vendor's suffix included
   */
  static void check(String runs) {
    if (!SparkVersion.minor(runs).equals(SPARK)) {
      throw TableErrors.noIcebergRuntime(runs, SPARK);
    }
  }
}
