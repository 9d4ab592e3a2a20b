/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The same features, aggregated from all events: slow, but the reference. */
public record PlainSql(SparkSession spark, Dataset<Row> events) {
  private static final String FEATURES =
      """
      count_if(kind = 'view') AS views,
      count_if(kind = 'purchase') AS purchases,
      cast(coalesce(sum(price) FILTER (WHERE kind = 'purchase'), 0) AS decimal(12, 2)) AS spent,
      max(e.at) AS last_seen,
      min(price) AS lowest_price,
      max_by(city, e.at) FILTER (WHERE kind = 'profile') AS city,
      max_by(device, e.at) FILTER (WHERE kind = 'profile') AS device,
      array(%s) AS taste
      """
          .formatted(
              IntStream.range(0, 8)
                  .mapToObj(i -> "float(coalesce(sum(vector[" + i + "]), 0))")
                  .collect(Collectors.joining(", ")));

  /** Returns the expected keys and variables of the table. */
  public Dataset<Row> users() {
    events.createOrReplaceTempView("plain_events");
    return spark.sql("SELECT user, " + FEATURES + " FROM plain_events AS e GROUP BY user");
  }

  /** Returns labels with the features of all events delivered before their day. */
  public Dataset<Row> trainingSet(Dataset<Row> labels) {
    labels.createOrReplaceTempView("plain_labels");
    events.createOrReplaceTempView("plain_events");
    return spark.sql(
        "SELECT l.label, l.user, l.at, l.taken, "
            + FEATURES
            + " FROM plain_labels AS l LEFT JOIN plain_events AS e"
            + " ON e.user = l.user AND e.batch < to_date(l.at)"
            + " GROUP BY l.label, l.user, l.at, l.taken");
  }

  /** Whether two queries return the same rows. */
  public static boolean areSame(Dataset<Row> one, Dataset<Row> other) {
    return one.exceptAll(other).isEmpty() && other.exceptAll(one).isEmpty();
  }
}
