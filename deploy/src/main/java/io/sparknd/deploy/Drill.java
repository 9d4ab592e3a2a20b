/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import io.sparknd.table.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSession;

/** A step of the drill, on the cluster of {@code spark-submit}. */
public final class Drill {
  private static final int FAILED = 1;

  /** Steps that use tables. */
  private static final Set<String> COMMITS = Set.of("commit", "check");

  /** Declares silent hosts lost earlier than Spark's default of two minutes. */
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "spark.network.timeout", "30s",
          "spark.network.timeoutInterval", "5s",
          "spark.executor.heartbeatInterval", "3s");

  private Drill() {}

  /**
   * Runs a step and prints its result on one line. If anything is lost, the exit status is 1.
   *
   * @param arguments the step ({@code scatter}, {@code cut}, {@code disk}, {@code commit} or {@code
   *     check}) and the directory of the drill
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[1]);
    SparkSession.Builder builder = SparkSession.builder().appName("drill " + arguments[0]);
    if (COMMITS.contains(arguments[0])) {
      LocalCatalog.settings("lake", directory.resolve("lake")).forEach(builder::config);
    }
    if (arguments[0].equals("cut")) {
      IMPATIENT.forEach(builder::config);
    }
    try (SparkSession spark = builder.getOrCreate()) {
      Signal signal = new Signal(directory.resolve("ready"));
      spark.sparkContext().addSparkListener(signal);
      String end =
          switch (arguments[0]) {
            case "scatter" -> new LargeScatter(spark, signal).withoutAWorker("killed");
            case "cut" -> new LargeScatter(spark, signal).withoutAWorker("cut off");
            case "disk" -> new LargeScatter(spark, signal).withoutDisk();
            case "commit" -> new Commits(spark, signal).commit();
            case "check" -> new Commits(spark, signal).check();
            default -> throw new IllegalArgumentException(arguments[0]);
          };
      System.out.println(end);
    } catch (DrillFailure e) {
      System.out.println("LOST: " + e.getMessage());
      System.exit(FAILED);
    }
  }
}
