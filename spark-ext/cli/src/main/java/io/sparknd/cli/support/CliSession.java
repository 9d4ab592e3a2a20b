/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.kernel.KernelProviders;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The Spark session of one command. If this JVM already runs Spark, it is a new session of that
 * Spark, so that commands can run inside another application; closing then leaves Spark running.
 */
public final class CliSession implements AutoCloseable {
  /** A static setting: a new session shares the extensions of the running Spark. */
  private static final String EXTENSIONS = "spark.sql.extensions";

  private static final Pattern BAD_MASTER =
      Pattern.compile("master URL|Kubernetes master|run locally with", Pattern.CASE_INSENSITIVE);

  private final SparkSession spark;
  private final boolean own;
  private final SparkProgress progress;

  private CliSession(SparkSession spark, boolean own) {
    this.spark = spark;
    this.own = own;
    this.progress = new SparkProgress();
  }

  /**
   * Opens a session with settings for a short command, such as no web UI, unless {@code
   * spark-submit} sets them otherwise.
   *
   * @param master as {@code spark.master}, such as {@code local[2]}
   * @param kernel as {@code spark.sparknd.kernel}; null for that setting
   * @throws io.sparknd.tensor.SparkNdException if there is no such kernel, or Spark refuses the
   *     master
   */
  public static CliSession open(String master, @Nullable String kernel) {
    return open(master, kernel, Map.of());
  }

  /**
   * Opens a session as {@link #open(String, String)} does, with further settings.
   *
   * @param conf further Spark settings; if Spark already runs, only its session settings take
   *     effect
   */
  public static CliSession open(String master, @Nullable String kernel, Map<String, String> conf) {
    String used = masterOf(master, conf);
    requireKernel(used, kernelOr(kernel, conf));
    SparkSession running =
        SparkSession.getDefaultSession().isDefined()
            ? SparkSession.getDefaultSession().get()
            : null;
    boolean own = running == null || running.sparkContext().isStopped();
    SparkSession spark = running == null || own ? start(used, conf) : running.newSession();
    if (!own) {
      Map<String, String> ofSession = new HashMap<>(conf);
      ofSession.remove(EXTENSIONS);
      ofSession.forEach(spark.conf()::set);
    }
    if (kernel != null) {
      spark.conf().set(SparkNdSetting.KERNEL.key(), kernel);
    }
    return new CliSession(spark, own);
  }

  /** Returns the master with which Spark starts: that of the settings, else {@code master}. */
  public static String masterOf(String master, Map<String, String> conf) {
    return conf.getOrDefault("spark.master", master);
  }

  /** Returns the kernel; for null that of the settings, those of {@code spark-submit} last. */
  public static String kernelOr(@Nullable String kernel, Map<String, String> conf) {
    String key = SparkNdSetting.KERNEL.key();
    return kernel != null ? kernel : conf.getOrDefault(key, System.getProperty(key, "auto"));
  }

  /**
   * Checks that the kernel exists before {@link #open} needs it. In local mode this JVM runs the
   * tasks; otherwise executors do, which may have a kernel that this JVM lacks.
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
      // avoids a host name lookup, and listens on the loopback interface only
      builder.config("spark.driver.bindAddress", "127.0.0.1");
      builder.config("spark.driver.host", "127.0.0.1");
    }
    conf.forEach(builder::config);
    try (StartupSpinner spinner = StartupSpinner.show(master)) {
      SparkSession spark = started(builder, master);
      SchedulerWarnings.show(spark);
      return spark;
    }
  }

  private static SparkSession started(SparkSession.Builder builder, String master) {
    try {
      return builder.getOrCreate();
    } catch (Exception e) {
      // also a SparkException, which Scala does not declare
      if (isAboutMaster(e)) {
        throw CliErrors.badMaster(master, e);
      }
      throw e;
    }
  }

  /** Spark has no error condition for these. */
  private static boolean isAboutMaster(Exception error) {
    return BAD_MASTER.matcher(String.valueOf(error.getMessage())).find();
  }

  /** Returns the settings of {@code spark-submit}, with defaults for missing ones. */
  private static SparkConf defaults() {
    return new SparkConf()
        .setIfMissing("spark.ui.enabled", "false")
        .setIfMissing("spark.ui.showConsoleProgress", "false");
  }

  /** Shows a progress bar of Spark's tasks until the session is closed. */
  public CliSession withProgress() {
    spark.sparkContext().addSparkListener(progress);
    return this;
  }

  public SparkSession spark() {
    return spark;
  }

  /** Returns whether Spark was started for this session, and is stopped with it. */
  public boolean isOwn() {
    return own;
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
