/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * User features in a table with string keys: counters, money, times, texts and a vector. Each
 * variable declares how an event changes it.
 */
public record UserFeatures(FeatureTable table) {
  /** The name of the table in catalog {@code lake}. */
  public static final String NAME = "lake.shop.users";

  /** Creates the table without events. */
  public static UserFeatures create(SparkSession spark, long users) {
    VariableReduction latest = VariableReduction.last("last_seen");
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(sum(Variable.of("views", "bigint")))
            .with(sum(Variable.of("purchases", "bigint")))
            .with(sum(Variable.of("spent", "decimal(12,2)")))
            .with(Variable.of("last_seen", "timestamp").reducedBy(VariableReduction.max()))
            .with(Variable.of("lowest_price", "decimal(12,2)").reducedBy(VariableReduction.min()))
            .with(Variable.of("city", "string").reducedBy(latest))
            .with(Variable.of("device", "string").reducedBy(latest))
            .with(sum(Variable.of("taste", DType.FLOAT32, 8)))
            .withExpectedRows(Math.max(1, users / 4));
    return new UserFeatures(FeatureTable.create(spark, NAME, spec));
  }

  private static Variable sum(Variable variable) {
    return variable.reducedBy(VariableReduction.add()).withFill(0);
  }

  /** Returns the updates that events are: a row per event, a column per variable. */
  public static Dataset<Row> updates(Dataset<Row> events) {
    return events.selectExpr(
        "user",
        "bigint(kind = 'view') AS views",
        "bigint(kind = 'purchase') AS purchases",
        "if(kind = 'purchase', price, null) AS spent",
        "at AS last_seen",
        "price AS lowest_price",
        "city",
        "device",
        "vector AS taste");
  }

  /**
   * Ingests the events of a day in one commit: from midnight on, they are known.
   *
   * @param day the batch id; if the table already holds it, nothing is written
   */
  public TableCommit ingest(Dataset<Row> events, LocalDate day) {
    Instant midnight = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    return table
        .write()
        .batchId(day.toString())
        .validAt(midnight)
        .scatter(updates(events))
        .commit();
  }

  /**
   * Ingests a batch of events in one commit.
   *
   * @param batch the batch id; if the table already holds it, nothing is written
   */
  public TableCommit ingest(Dataset<Row> events, String batch) {
    return table.write().batchId(batch).scatter(updates(events)).commit();
  }

  /** Rolls the table back to its state after a batch; later batches can be resent. */
  public void rollBackTo(String batch) {
    long snapshot = table.batch(batch).snapshot().getAsLong();
    table.iceberg().manageSnapshots().rollbackTo(snapshot).commit();
  }
}
