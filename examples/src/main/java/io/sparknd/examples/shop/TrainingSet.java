/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.FeatureTable;
import java.time.LocalDate;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Labels with point-in-time features. */
public final class TrainingSet {
  private TrainingSet() {}

  /**
   * Returns labels that say whether a user took an offer, in columns {@code label, user, at,
   * taken}.
   *
   * @param days the days of the offers
   * @param count the number of labels
   */
  public static Dataset<Row> labels(
      SparkSession spark, List<LocalDate> days, long users, long count) {
    long first = days.get(0).toEpochDay() * 86_400_000;
    long span = days.size() * 86_400_000L;
    return spark
        .range(count)
        .selectExpr(
            "id AS label",
            UserChoice.skewed("id, 5", Long.toString(users)) + " AS user",
            "timestamp_millis(" + first + " + id * " + (span / count) + ") AS at",
            "hash(id, 6) % 4 = 0 AS taken");
  }

  /**
   * Joins each label with the features that were known at its time: those of the batch of the
   * previous night, without later data or late events.
   */
  public static Dataset<Row> gather(FeatureTable table, Dataset<Row> labels) {
    return table.gatherAsOf(labels, List.of("user"), AsOf.validTime("at"));
  }
}
