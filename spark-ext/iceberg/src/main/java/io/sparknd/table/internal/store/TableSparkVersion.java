/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.table.internal.TableErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Checks for the minor version of Spark that Iceberg's runtime is built for. On another one,
 * Iceberg fails with an {@code IncompatibleClassChangeError} halfway.
 */
public final class TableSparkVersion {
  private static final String SPARK = spark();

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

  private static String spark() {
    Properties build = new Properties();
    try (InputStream file = TableSparkVersion.class.getResourceAsStream("build.properties")) {
      build.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("iceberg.spark.version");
  }
}
