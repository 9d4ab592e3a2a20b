/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.streaming.Trigger;

/** A JVM that runs a streaming query into a table until its input is read. */
final class StreamProcess {
  private StreamProcess() {}

  /** Starts the query, or goes on from its checkpoint. */
  static Process start(Path catalog, String table, Path input, Path checkpoint, File log)
      throws IOException {
    return JavaProcess.of(
            StreamProcess.class, catalog.toString(), table, input.toString(), checkpoint.toString())
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
    JavaProcess.session(args[0], args[1])
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
