/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Sends statements to a Spark Connect server. Its class path does not contain SparkND. */
final class RemoteClient {
  private RemoteClient() {}

  /**
   * Runs the statements and prints rows and errors, each with its class.
   *
   * @param arguments the server's address, then the statements
   */
  public static void main(String[] arguments) {
    SparkSession spark = SparkSession.builder().remote(arguments[0]).getOrCreate();
    for (int i = 1; i < arguments.length; i++) {
      print(spark, arguments[i]);
    }
    // not closed: close() makes the server load pipeline classes, which its class path lacks
    System.exit(0);
  }

  private static void print(SparkSession spark, String statement) {
    try {
      for (Row row : spark.sql(statement).collectAsList()) {
        System.out.println(row);
      }
    } catch (Exception e) {
      System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
