/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import io.sparknd.op.OperatorErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Settings that users give when a session is built or with {@code SET}; each is read whenever it is
 * needed. docs/reference/configuration.md has the same table, which {@link #table} generates.
 */
public enum SparkNdSetting {
  KERNEL(
      "spark.sparknd.kernel",
      "auto",
      "`vector` (Vector API), `scalar`, or `auto`: `vector` where the JVM of an executor has"
          + " `--add-modules=jdk.incubator.vector`. `cudf`, with the jar of [GPUs](../operate/gpu.md)"
          + " on the class path"),

  RESIDENT_BYTES(
      "spark.sparknd.kernel.cudf.residentBytes",
      "0",
      "GPU memory, such as `8g`, in which an executor caches tensor blocks between "
          + "the steps of a loop, with kernel `cudf`: [GPUs](../operate/gpu.md). Part of the "
          + "application's configuration; `SET` has no effect"),

  STRATEGY(
      "spark.sparknd.strategy",
      "auto",
      "what a gather by rows shuffles or broadcasts: `shuffle_indices`, "
          + "`broadcast_indices`, `broadcast_tensor`, `shuffle_slices`, or `auto`: chosen "
          + "by size"),

  SKEW_BYTES(
      "spark.sparknd.skewBytes",
      "auto",
      "skew handling: a partition with this many more bytes of updates than the "
          + "median, such as `64m`, has its hottest slices folded in separate tasks; 0 for "
          + "always, `auto` when the cost model predicts a gain"),

  TRAINING_EXCHANGE(
      "spark.sparknd.training.exchange",
      "auto",
      "how a training on a cluster exchanges rows and gradients: `shuffle`, in Spark's shuffles,"
          + " or `auto`, from executor to executor where that is possible:"
          + " [Embeddings](../how-to/embeddings.md#on-a-cluster)"),

  TRAINING_JOB_TIME(
      "spark.sparknd.training.jobTime",
      "1min",
      "for about how long a job of a training on a cluster takes steps at most before it stores a"
          + " version and reports them, if executors exchange rows and gradients:"
          + " [Embeddings](../how-to/embeddings.md#on-a-cluster)"),

  VERIFY_CHECKSUMS(
      "spark.sparknd.verifyChecksums",
      "true",
      "`true` verifies the checksums of Parquet pages that SparkND reads: tensor "
          + "tables, and array columns in table functions. A damaged page is an error with "
          + "file, column and row group"),

  ALLOW_HADOOP_CATALOG(
      "spark.sparknd.table.allowHadoopCatalog",
      "false",
      "`true` allows writes to tensor tables in a Hadoop catalog, which loses commits"
          + " if two processes write at once");

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

  /**
   * Returns whether the value in the session is {@code true}.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is neither that nor {@code false}
   */
  public boolean isTrueIn(SparkSession spark) {
    return wordIn(spark, List.of("true", "false")).equals("true");
  }

  /**
   * Returns the value in the session, in lower case.
   *
   * @param known the values that the setting may have
   * @throws io.sparknd.tensor.SparkNdException if it is another one
   */
  public String wordIn(SparkSession spark, List<String> known) {
    String word = in(spark).strip().toLowerCase(Locale.ROOT);
    if (!known.contains(word)) {
      throw OperatorErrors.unknownValue(key, in(spark), String.join(", ", known));
    }
    return word;
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

  /**
   * Returns the nanoseconds that are set in the session as a time such as {@code 1min}; a number
   * without a unit is milliseconds.
   *
   * @throws io.sparknd.tensor.SparkNdException if the value is not a time of at least 0
   */
  public long nanosIn(SparkSession spark) {
    String value = in(spark);
    try {
      long millis = JavaUtils.timeStringAs(value, TimeUnit.MILLISECONDS);
      if (!value.contains("-")) { // neither -1s nor -1us, which is 0 milliseconds
        return TimeUnit.MILLISECONDS.toNanos(millis);
      }
    } catch (NumberFormatException e) {
      // reported below, as a negative time is
    }
    throw SparkErrors.badTime(key, value);
  }

  /** Returns all settings as a table in Markdown. */
  static String table() {
    return "| setting | default | |\n| --- | --- | --- |\n"
        + Arrays.stream(values())
            .map(each -> "| `%s` | `%s` | %s |".formatted(each.key, each.fallback, each.meaning))
            .collect(Collectors.joining("\n"));
  }
}
