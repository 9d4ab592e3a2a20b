/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** Runs blocks of statements in a Spark Connect client. Its class path does not contain SparkND. */
final class RemotePages {
  /** Between two blocks, in the input and in the output. */
  static final String BLOCK = "\u0001";

  /** Between two statements of a block. */
  static final String STATEMENT = "\u0002";

  private RemotePages() {}

  /**
   * Runs the blocks of a file and writes what each of them shows: the rows of its last statement
   * that has any, or the error.
   *
   * @param arguments the server's address, the file with the blocks, and the file to write
   */
  public static void main(String[] arguments) throws Exception {
    SparkSession spark = SparkSession.builder().remote(arguments[0]).getOrCreate();
    List<String> shown = new ArrayList<>();
    for (String block : Files.readString(Path.of(arguments[1])).split(BLOCK)) {
      shown.add(shown(spark, block));
    }
    Files.writeString(Path.of(arguments[2]), String.join(BLOCK, shown));
    // not closed: close() makes the server load pipeline classes, which its class path lacks
    System.exit(0);
  }

  private static String shown(SparkSession spark, String block) {
    String shown = "";
    try {
      for (String statement : block.split(STATEMENT)) {
        Dataset<Row> rows = spark.sql(statement);
        shown = rows.columns().length > 0 ? shown(rows) : shown;
      }
      return shown;
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static String shown(Dataset<Row> rows) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Console$.MODULE$.withOut(
        shown,
        () -> {
          rows.show(false);
          return BoxedUnit.UNIT;
        });
    return shown.toString(StandardCharsets.UTF_8);
  }
}
