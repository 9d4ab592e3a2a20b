/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks for the minor version of Spark that this jar is built for. Another minor version has other
 * internal classes: a query would fail with a {@code NoSuchMethodError} halfway.
 */
public final class SparkVersion {
  private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+).*");
  private static final String BUILT_FOR = builtFor();

  private SparkVersion() {}

  /**
   * Checks the version of Spark in this JVM.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is of another minor version
   */
  public static void check() {
    check(org.apache.spark.package$.MODULE$.SPARK_VERSION());
  }

  /**
   * Checks a version of Spark.
   *
   * @param runs the version, a vendor's suffix included, such as {@code 4.1.0-amzn-1}
   */
  static void check(String runs) {
    if (!minor(runs).equals(minor(BUILT_FOR))) {
      throw SparkErrors.unsupportedSpark(runs, BUILT_FOR);
    }
  }

  private static String minor(String version) {
    Matcher matcher = MINOR.matcher(version);
    return matcher.matches() ? matcher.group(1) : version;
  }

  private static String builtFor() {
    Properties build = new Properties();
    try (InputStream file = SparkVersion.class.getResourceAsStream("build.properties")) {
      build.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("spark.version");
  }
}
