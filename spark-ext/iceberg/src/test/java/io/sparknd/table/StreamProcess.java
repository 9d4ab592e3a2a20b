/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** A JVM that runs a streaming query into a table until its input is read. */
final class StreamProcess {
  private StreamProcess() {}

  /** Starts the query, or goes on from its checkpoint. */
  static Process start(Path catalog, String table, Path input, Path checkpoint, File log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(StreamProcess.class.getName());
    command.addAll(List.of(catalog.toString(), table, input.toString(), checkpoint.toString()));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .redirectError(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  /** Returns the settings of a {@link TensorCatalog} in a directory. */
  static Map<String, String> catalog(String name, Path directory) {
    Map<String, String> settings = LocalCatalog.settings(name, directory);
    settings.put("spark.sql.catalog." + name, TensorCatalog.class.getName());
    return settings;
  }

  /**
   * Runs the query.
   *
   * @param args directory of the catalog, table, directory of JSON files, checkpoint
   */
  public static void main(String[] args) throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2);
    catalog(args[1].substring(0, args[1].indexOf(".")), Path.of(args[0])).forEach(builder::config);
    builder
        .getOrCreate()
        .readStream()
        .schema("user STRING, views BIGINT, at BIGINT")
        .option("maxFilesPerTrigger", 1)
        .json(args[2])
        .writeStream()
        .option("checkpointLocation", args[3])
        .trigger(Trigger.AvailableNow())
        .toTable(args[1])
        .awaitTermination();
    System.exit(0);
  }
}
