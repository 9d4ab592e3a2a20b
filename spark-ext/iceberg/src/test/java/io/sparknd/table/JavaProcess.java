/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;

/** Other JVMs of a test, with its class path, which use tables in a directory. */
final class JavaProcess {
  private JavaProcess() {}

  /** Returns the process that runs a main method, to be started. */
  static ProcessBuilder of(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  /**
   * Starts the session of such a process, with a {@link TensorCatalog}.
   *
   * @param directory directory of the catalog
   * @param table a table of it
   */
  static SparkSession session(String directory, String table) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2);
    StreamProcess.catalog(table.substring(0, table.indexOf(".")), Path.of(directory))
        .forEach(builder::config);
    return builder.getOrCreate();
  }
}
