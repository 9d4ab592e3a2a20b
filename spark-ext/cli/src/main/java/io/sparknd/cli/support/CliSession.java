/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import io.sparknd.cluster.spark.SparkNdSetting;
import io.sparknd.kernel.KernelProviders;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/**
 * The Spark session of one command. Where this JVM has Spark running already, a session in it, so
 * that the commands can be run inside another application; then closing leaves Spark alone.
 */
public final class CliSession implements AutoCloseable {
  /** Sessions have those of the Spark that they are in. */
  private static final String EXTENSIONS = "spark.sql.extensions";

  private final SparkSession spark;
  private final boolean own;
  private final SparkProgress progress;

  private CliSession(SparkSession spark, boolean own) {
    this.spark = spark;
    this.own = own;
    this.progress = new SparkProgress();
  }

  /**
   * Starts Spark without what a command does not need, such as its web page, unless {@code
   * spark-submit} was given another setting.
   *
   * @param master as {@code spark.master}, such as {@code local[2]}
   * @param kernel as {@code spark.sparknd.kernel}
   * @throws io.sparknd.tensor.SparkNdException if there is no such kernel
   */
  public static CliSession open(String master, String kernel) {
    return open(master, kernel, Map.of());
  }

  /**
   * As {@link #open(String, String)}.
   *
   * @param conf further settings of Spark; where it runs already, those of a session alone
   */
  public static CliSession open(String master, String kernel, Map<String, String> conf) {
    requireKernel(master, kernel);
    SparkSession running =
        SparkSession.getDefaultSession().isDefined()
            ? SparkSession.getDefaultSession().get()
            : null;
    boolean own = running == null || running.sparkContext().isStopped();
    SparkSession spark = own ? start(master, conf) : running.newSession();
    if (!own) {
      Map<String, String> ofSession = new HashMap<>(conf);
      ofSession.remove(EXTENSIONS);
      ofSession.forEach(spark.conf()::set);
    }
    spark.conf().set(SparkNdSetting.KERNEL.key(), kernel);
    return new CliSession(spark, own);
  }

  /**
   * Checks what {@link #open} will need. In local mode this JVM runs the tasks; else others do,
   * which may have what it lacks.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such kernel
   */
  public static void requireKernel(String master, String kernel) {
    if (master.startsWith("local")) {
      KernelProviders.named(kernel);
    } else {
      KernelProviders.require(kernel);
    }
  }

  private static SparkSession start(String master, Map<String, String> conf) {
    SparkSession.Builder builder =
        SparkSession.builder().config(defaults()).appName("sparknd").master(master);
    if (master.startsWith("local")) {
      // nothing to look up, and nothing that other machines can reach
      builder.config("spark.driver.bindAddress", "127.0.0.1");
      builder.config("spark.driver.host", "127.0.0.1");
    }
    conf.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    SchedulerWarnings.show(spark);
    return spark;
  }

  /** What {@code spark-submit} was given, and the rest. */
  private static SparkConf defaults() {
    return new SparkConf()
        .setIfMissing("spark.ui.enabled", "false")
        .setIfMissing("spark.ui.showConsoleProgress", "false");
  }

  /** Shows Spark's tasks as a bar, until it is closed. */
  public CliSession withProgress() {
    spark.sparkContext().addSparkListener(progress);
    return this;
  }

  public SparkSession spark() {
    return spark;
  }

  @Override
  public void close() {
    spark.sparkContext().removeSparkListener(progress);
    progress.close();
    if (own) {
      spark.stop();
    }
  }
}
