/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;
import scala.Tuple2;

/** A Spark session with two executors of one core and 1 GiB each, in JVMs of their own. */
public record LocalCluster(SparkSession session) implements AutoCloseable {
  /** Settings that enable authentication and encryption of network traffic and local disks. */
  public static final Map<String, String> SECURE =
      Map.of(
          "spark.authenticate", "true",
          "spark.authenticate.secret", "of these tests",
          "spark.network.crypto.enabled", "true",
          "spark.network.crypto.cipher", "AES/GCM/NoPadding",
          "spark.io.encryption.enabled", "true");

  /** Executors that optimize their code, for tests that run long enough for that. */
  public static final Map<String, String> OPTIMIZED =
      Map.of("spark.executor.extraJavaOptions", "-XX:+TieredCompilation");

  /** Starts the cluster and stops the shared session of the tests in this JVM. */
  static LocalCluster start() throws IOException {
    return start(Map.of());
  }

  /** Like {@link #start()}, with additional settings. */
  public static LocalCluster start(Map<String, String> settings) throws IOException {
    SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", false)
        .getOrCreate()
        .stop();
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local-cluster[2,1,1024]")
            .appName("sparknd-tests")
            .config("spark.ui.enabled", false)
            .config("spark.executor.memory", "1g")
            // as for test.jit in the parent POM: executors live for seconds
            .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    settings.forEach(builder::config);
    return new LocalCluster(builder.getOrCreate());
  }

  /** Returns the process id of each executor by executor id. */
  public Map<String, Long> processes() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    Map<String, Long> processes = new HashMap<>();
    while (processes.size() < 2) {
      context
          .parallelize(IntStream.range(0, 8).boxed().toList(), 8)
          .map(LocalCluster::here)
          .collect()
          .forEach(executor -> processes.put(executor._1, executor._2));
    }
    return processes;
  }

  /** Sleeps, so that one executor cannot run all tasks. */
  private static Tuple2<String, Long> here(int ignored) throws InterruptedException {
    Thread.sleep(100);
    return new Tuple2<>(SparkEnv.get().executorId(), ProcessHandle.current().pid());
  }

  /** Returns the bytes of cached RDDs on disk. */
  public long bytesOnDisk() {
    return Arrays.stream(session.sparkContext().getRDDStorageInfo())
        .mapToLong(RDDInfo::diskSize)
        .sum();
  }

  /**
   * Stops the session and waits for the executors, so that none writes into a directory of the
   * test.
   */
  @Override
  public void close() {
    List<ProcessHandle> executors =
        ProcessHandle.current().descendants().filter(LocalCluster::isExecutor).toList();
    session.stop();
    executors.forEach(process -> process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
  }

  private static boolean isExecutor(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("java")).isPresent();
  }
}
