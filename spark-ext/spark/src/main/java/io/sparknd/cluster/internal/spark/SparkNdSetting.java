/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Settings that users give when a session is built or with {@code SET}; each is read whenever it is
 * needed. docs/configuration.md has the same table, which {@link #table} generates.
 */
public enum SparkNdSetting {
  KERNEL(
      "spark.sparknd.kernel",
      "auto",
      "`vector` (Vector API), `scalar`, or `auto`: `vector` where the JVM of an executor has"
          + " `--add-modules=jdk.incubator.vector`. `cudf`, with the jar of [GPUs](gpu.md) on the"
          + " class path"),

  RESIDENT_BYTES(
      "spark.sparknd.kernel.cudf.residentBytes",
      "0",
      "bytes of the GPU's memory, such as `8g`, that an executor keeps blocks of tensors in from one"
          + " step of a loop to the next, with the kernel `cudf`: [GPUs](gpu.md). Taken from the"
          + " configuration of the application, so not with `SET`"),

  STRATEGY(
      "spark.sparknd.strategy",
      "auto",
      "what moves in a gather by rows: `shuffle_indices`, `broadcast_indices`, `broadcast_tensor`,"
          + " `shuffle_slices`, or `auto`: chosen by size"),

  SKEW_BYTES(
      "spark.sparknd.skewBytes",
      "auto",
      "bytes of updates beyond the median that a partition must have for its hottest slices to be"
          + " folded by tasks of their own, such as `64m`; 0 for always, `auto` for when it saves"
          + " time"),

  VERIFY_CHECKSUMS(
      "spark.sparknd.verifyChecksums",
      "true",
      "`true` compares pages of Parquet files with their checksums when SparkND itself reads them:"
          + " tables of tensors, and array columns in table functions. A damaged page is an error"
          + " that names file, column and row group"),

  ALLOW_HADOOP_CATALOG(
      "spark.sparknd.table.allowHadoopCatalog",
      "false",
      "`true` lets tensors' tables in a Hadoop catalog be written to, which loses commits where two"
          + " processes write");

  private final String key;
  private final String fallback;
  private final String meaning;

  SparkNdSetting(String key, String fallback, String meaning) {
    this.key = key;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  public String key() {
    return key;
  }

  /** Returns the value in the session. */
  public String in(SparkSession spark) {
    return spark.conf().get(key, fallback);
  }

  /** Returns the value in the configuration of a plan. */
  public String in(SQLConf conf) {
    return conf.getConfString(key, fallback);
  }

  /** Returns whether the value in the session is {@code true}. */
  public boolean isTrueIn(SparkSession spark) {
    return Boolean.parseBoolean(in(spark));
  }

  /**
   * Returns the bytes that are set in the session; empty for {@code auto}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the value is not a number of bytes
   */
  public OptionalLong bytesIn(SparkSession spark) {
    String value = in(spark);
    if (value.equalsIgnoreCase("auto")) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(JavaUtils.byteStringAsBytes(value));
    } catch (NumberFormatException e) {
      throw SparkErrors.badSize(key, value);
    }
  }

  /** Returns all settings as a table in Markdown. */
  static String table() {
    return "| setting | default | |\n| --- | --- | --- |\n"
        + Arrays.stream(values())
            .map(each -> "| `%s` | `%s` | %s |".formatted(each.key, each.fallback, each.meaning))
            .collect(Collectors.joining("\n"));
  }
}
