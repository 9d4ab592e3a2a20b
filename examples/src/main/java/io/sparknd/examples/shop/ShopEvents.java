/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Events of a shop's visitors in Parquet files. Folder {@code batch=DATE} holds the events
 * delivered that night. Most are of that day; some are one or two nights late. Few users cause most
 * events, and each day some users are new. Equal arguments generate equal events.
 *
 * @param directory the directory of the folders
 * @param users the number of users on the last day
 * @param perDay events per day, at most 86,400,000, each in its own millisecond
 * @param days days of events
 */
public record ShopEvents(Path directory, long users, long perDay, int days) {
  private static final LocalDate FIRST = LocalDate.of(2026, 3, 1);
  private static final int FILES = 3;

  /** The percentage of late events. */
  private static final int LATE = 3;

  /** Returns the nights of delivery. */
  public List<LocalDate> batches() {
    return IntStream.range(0, days).mapToObj(FIRST::plusDays).toList();
  }

  /** The item's vector: eight multiples of 1/8, whose sums are exact in float32 in any order. */
  private static final String VECTOR =
      "transform(sequence(0, 7), i -> float((pmod(hash(item, i), 17) - 8) / 8))";

  /** Writes the files of all batches. */
  public void write(SparkSession spark) {
    spark
        .range(days * perDay)
        .selectExpr(
            "id AS event",
            "id div " + perDay + " AS day",
            "pmod(hash(id, 1), 100) AS late",
            "pmod(hash(id, 2), 100) AS dice",
            "pmod(hash(id, 3), 20000) AS item",
            "pmod(hash(id, 4), 2000) AS town",
            UserChoice.skewed("id", usersOfDay()) + " AS user",
            "id % " + perDay + " * (86400000 div " + perDay + ") AS millis")
        .selectExpr(
            "event",
            "user",
            "timestamp_millis(" + firstMillis() + " + day * 86400000 + millis) AS at",
            "CASE WHEN dice < 10 THEN 'profile' WHEN dice < 25 THEN 'purchase' ELSE 'view' END"
                + " AS kind",
            "if(dice < 10, null, cast((100 + item) * 0.01 AS decimal(12, 2))) AS price",
            "if(dice < 10, null, " + VECTOR + ") AS vector",
            "if(dice < 10, 'city ' || town % 500, null) AS city",
            "if(dice < 10, element_at(array('phone', 'tablet', 'laptop', 'watch'), town % 4 + 1), null) AS device",
            "date_add(DATE'"
                + FIRST
                + "', int(least("
                + (days - 1)
                + ", day + "
                + nights()
                + ")))"
                + " AS batch")
        .repartition(FILES)
        .sortWithinPartitions("batch")
        .write()
        .partitionBy("batch")
        .parquet(directory.toString());
  }

  /** SQL for the number of users on the day of an event: it grows evenly. */
  private String usersOfDay() {
    return "(" + users + " * (id div " + perDay + " + 1) div " + days + ")";
  }

  private static long firstMillis() {
    return FIRST.toEpochDay() * 86_400_000;
  }

  /** SQL for the number of nights that an event is late. */
  private static String nights() {
    return "CASE WHEN late BETWEEN 1 AND " + LATE + " THEN 1 + late % 2 ELSE 0 END";
  }

  /** Reads all events, with the night of delivery in column {@code batch}. */
  public Dataset<Row> all(SparkSession spark) {
    return spark.read().parquet(directory.toString());
  }

  /** Reads the events delivered in one night. */
  public Dataset<Row> of(SparkSession spark, LocalDate batch) {
    return spark.read().parquet(folder(batch.toString()));
  }

  /** Returns the folder of one night. */
  public String folder(String batch) {
    return directory.resolve("batch=" + batch).toString();
  }
}
