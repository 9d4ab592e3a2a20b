/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

/** Detects the Iceberg runtime on the class path. */
final class IcebergRuntime {
  /**
   * Spark extensions that add Iceberg's statements, such as {@code ALTER TABLE ... CREATE BRANCH}.
   */
  static final String EXTENSIONS =
      "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions";

  private IcebergRuntime() {}

  static boolean isThere() {
    try {
      Class.forName(EXTENSIONS, false, Thread.currentThread().getContextClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
