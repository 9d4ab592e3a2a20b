/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.op.Gather;
import io.sparknd.table.TensorTable;
import java.time.LocalDate;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Labels, each with the features that its user had before. */
public final class TrainingSet {
  private TrainingSet() {}

  /**
   * Whether users who were shown an offer took it, in columns {@code label, user, at, taken}.
   *
   * @param days on which offers were made
   * @param count of labels
   */
  public static Dataset<Row> labels(
      SparkSession spark, List<LocalDate> days, long users, long count) {
    long first = days.get(0).toEpochDay() * 86_400_000;
    long span = days.size() * 86_400_000L;
    return spark
        .range(count)
        .selectExpr(
            "id AS label",
            UserChoice.skewed("id, 5", users) + " AS user",
            "timestamp_millis(" + first + " + id * " + (span / count) + ") AS at",
            "hash(id, 6) % 4 = 0 AS taken");
  }

  /**
   * The labels of each day with the features as the batch of the night before left them: whatever
   * came later, late events too, is not in them.
   */
  public static Dataset<Row> gather(TensorTable table, Dataset<Row> labels, List<LocalDate> days) {
    return days.stream()
        .map(
            day -> {
              TensorTable before = table.batch(day.minusDays(1).toString());
              Dataset<Row> ofDay = labels.where("to_date(at) = DATE'" + day + "'");
              return before.gatherFeatures(Gather.strict(), ofDay, List.of("user"));
            })
        .reduce(Dataset::unionByName)
        .orElseThrow();
  }
}
