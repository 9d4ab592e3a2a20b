/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * User features: a tensor {@code int64[users, 8]} in a table with one column per feature. Money is
 * in cents and time in milliseconds, so sums are exact in any order.
 */
public record UserFeatures(TensorTable table) {
  /** The name of the table in catalog {@code lake}. */
  public static final String NAME = "lake.shop.users";

  /** Creates the table without events. */
  public static UserFeatures create(SparkSession spark, long users) {
    TensorSpec spec =
        TensorSpec.of(DType.INT64, Shape.of(users, 8))
            .withIndexColumns("user")
            .withFeatures(
                "views",
                "purchases",
                "spent_cents",
                "last_seen",
                "lowest_cents",
                "city",
                "device",
                "profile_at")
            .withFeatureFill("lowest_cents", Long.MAX_VALUE)
            .withFeatureFill("city", -1)
            .withFeatureFill("device", -1)
            .withExpectedRows(users / 4);
    return new UserFeatures(TensorTable.create(spark, NAME, spec));
  }

  /**
   * Ingests a batch of events in one commit.
   *
   * @param batch the batch id; if the table already holds it, nothing is written
   */
  public TableCommit ingest(Dataset<Row> events, String batch) {
    Dataset<Row> updates =
        events.selectExpr(
            "user",
            "int(kind = 'view') AS views",
            "int(kind = 'purchase') AS purchases",
            "if(kind = 'purchase', cents, 0) AS spent_cents",
            "unix_millis(at) AS last_seen",
            "cents AS lowest_cents");
    return table
        .write()
        .batchId(batch)
        .scatterFeatures(
            Scatter.add(), updates, FeatureColumns.of("views", "purchases", "spent_cents"))
        .scatterFeatures(Scatter.max(), updates, FeatureColumns.of("last_seen"))
        .scatterFeatures(Scatter.min(), updates, FeatureColumns.of("lowest_cents"))
        .scatterFeatures(
            Scatter.update(),
            newer(events),
            FeatureColumns.of("city", "device", "profile_at").orderedBy("profile_at"))
        .commit();
  }

  /**
   * Returns profiles newer than those in the table, so that late events do not overwrite later
   * ones.
   */
  private Dataset<Row> newer(Dataset<Row> events) {
    Dataset<Row> profiles =
        events
            .where("kind = 'profile'")
            .selectExpr("user", "city", "device", "unix_millis(at) AS changed_at");
    return table
        .gatherFeatures(Gather.strict(), profiles, List.of("user"), "profile_at")
        .where("changed_at > profile_at")
        .selectExpr("user", "city", "device", "changed_at AS profile_at");
  }

  /** Rolls the table back to its state after a batch; later batches can be resent. */
  public void rollBackTo(String batch) {
    long snapshot = table.batch(batch).snapshot().getAsLong();
    table.iceberg().manageSnapshots().rollbackTo(snapshot).commit();
  }
}
