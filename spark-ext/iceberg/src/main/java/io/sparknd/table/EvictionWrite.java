/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.FeatureEviction;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.feature.TimeToLive;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Options of an eviction of rows of a feature table. Immutable; each call returns a new instance,
 * until an {@code evict} method evicts and commits.
 */
public final class EvictionWrite {
  private final SparkSession spark;
  private final String table;
  private final TableBranch branch;
  private final Optional<String> batchId;
  private final Optional<Instant> validAt;

  private EvictionWrite(
      SparkSession spark,
      String table,
      TableBranch branch,
      Optional<String> batchId,
      Optional<Instant> validAt) {
    this.spark = spark;
    this.table = table;
    this.branch = branch;
    this.batchId = batchId;
    this.validAt = validAt;
  }

  static EvictionWrite of(SparkSession spark, String table, TableBranch branch) {
    return new EvictionWrite(spark, table, branch, Optional.empty(), Optional.empty());
  }

  /**
   * Sets the batch's id, as {@link FeatureWrite#batchId} does: a batch that the table's current
   * state already holds evicts nothing.
   *
   * @param id not empty, and without commas
   */
  public EvictionWrite batchId(String id) {
    BatchIds.check(id);
    return new EvictionWrite(spark, table, branch, Optional.of(id), validAt);
  }

  /**
   * Sets the time from which the rows are gone, as {@link FeatureWrite#validAt} does for those that
   * are written. Give it between batches that are later than their time: each state counts from the
   * latest time of all commits before it, so by {@link io.sparknd.cluster.options.AsOf#validTime}
   * an eviction that counts from its commit hides the batches after it from all labels before that.
   * Default: the time of the commit.
   *
   * @throws io.sparknd.tensor.SparkNdException if the microseconds since 1970 are no 64-bit number
   */
  public EvictionWrite validAt(Instant time) {
    ValidTime.micros(time);
    return new EvictionWrite(spark, table, branch, batchId, Optional.of(time));
  }

  /**
   * Evicts the rows that satisfy a condition, as {@link FeatureTable#evict(String)} does, and
   * commits.
   */
  public TableCommit evict(String condition) {
    return evict(functions.expr(condition));
  }

  /** Evicts the rows that satisfy a condition, as {@link #evict(String)} does. */
  public TableCommit evict(Column condition) {
    return run(FeatureCatalog.toWrite(spark, table), condition, validAt);
  }

  /**
   * Evicts the rows whose time to live, as {@link FeatureTableSpec#withTimeToLive} declares it,
   * ended before the time of {@link #validAt}; without it, before now.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table declares no time to live
   */
  public TableCommit evictExpired() {
    return evictExpired(validAt.orElseGet(Instant::now), validAt);
  }

  /**
   * Evicts the rows whose time to live ended before {@code now}. Without {@link #validAt}, they are
   * gone from {@code now} on, or from the commit on if {@code now} is in the future.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table declares no time to live
   */
  public TableCommit evictExpired(Instant now) {
    return evictExpired(now, validAt.or(() -> ValidTime.past(now)));
  }

  private TableCommit evictExpired(Instant now, Optional<Instant> from) {
    StoredFeatures stored = FeatureCatalog.toWrite(spark, table);
    return run(stored, TimeToLive.of(stored).expired(now), from);
  }

  private TableCommit run(StoredFeatures stored, Column condition, Optional<Instant> from) {
    return new FeatureEviction(
            spark, stored, branch.target(spark, stored), condition, batchId, from)
        .run();
  }
}
