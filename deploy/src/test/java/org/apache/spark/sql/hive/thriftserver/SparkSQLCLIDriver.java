/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.spark.sql.hive.thriftserver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.HiveResult;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stands in for the class behind {@code spark-sql}, which is in no jar that the build can resolve:
 * runs the statements of {@code -e} or {@code -f}, and prints rows in the same format. Everything
 * before it, options and jars, is Spark's own.
 */
public final class SparkSQLCLIDriver {
  private SparkSQLCLIDriver() {}

  public static void main(String[] arguments) throws IOException {
    String text =
        switch (arguments[0]) {
          case "-e" -> arguments[1];
          case "-f" -> Files.readString(Path.of(arguments[1]));
          default -> throw new IllegalArgumentException(String.join(" ", arguments));
        };
    SparkSession spark = SparkSession.builder().getOrCreate();
    for (String statement : text.strip().split(";(\n|$)")) {
      print(spark.sql(statement));
    }
    spark.stop();
  }

  private static void print(Dataset<Row> rows) {
    var plan = ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().executedPlan();
    CollectionConverters.asJava(HiveResult.hiveResultString(plan)).forEach(System.out::println);
  }
}
