/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks for the minor versions of Spark that this jar is tested with. Another minor version has
 * other internal classes: a query would fail with a {@code NoSuchMethodError} halfway.
 */
public final class SparkVersion {
  private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+).*");
  private static final List<String> SUPPORTED =
      List.of(
          ClassProperties.read(SparkVersion.class, "build.properties")
              .getProperty("spark.supported")
              .split(" "));

  private SparkVersion() {}

  /**
   * Checks the version of Spark in this JVM.
   *
   * @throws io.sparknd.tensor.SparkNdException if its minor version is not supported
   */
  public static void check() {
    check(running());
  }

  /** Returns the version of Spark in this JVM. */
  public static String running() {
    return org.apache.spark.package$.MODULE$.SPARK_VERSION();
  }

  /**
   * Checks a version of Spark.
   *
   * @param runs the version, a vendor's suffix included, such as {@code 4.1.0-amzn-1}
   */
  static void check(String runs) {
    if (!SUPPORTED.contains(minor(runs))) {
      throw SparkErrors.unsupportedSpark(runs, String.join(" and ", SUPPORTED));
    }
  }

  /** Returns the first two numbers of a version, such as {@code 4.1}; else the version. */
  public static String minor(String version) {
    Matcher matcher = MINOR.matcher(version);
    return matcher.matches() ? matcher.group(1) : version;
  }
}
