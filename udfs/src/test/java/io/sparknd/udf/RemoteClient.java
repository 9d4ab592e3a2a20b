/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Sends statements to a Spark Connect server; its class path has nothing of SparkND. */
final class RemoteClient {
  private RemoteClient() {}

  /**
   * @param arguments the server's address, then the statements; rows and errors are printed
   */
  public static void main(String[] arguments) {
    SparkSession spark = SparkSession.builder().remote(arguments[0]).getOrCreate();
    for (int i = 1; i < arguments.length; i++) {
      print(spark, arguments[i]);
    }
    // not closed: the server would look for pipelines, which its class path has not
    System.exit(0);
  }

  private static void print(SparkSession spark, String statement) {
    try {
      for (Row row : spark.sql(statement).collectAsList()) {
        System.out.println(row);
      }
    } catch (Exception e) {
      System.out.println(e.getMessage());
    }
  }
}
