/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.FeatureScatter;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.keyed.StagedFeatures;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scatters to write to a feature table in one commit: readers see all of them or none. Immutable;
 * each call returns a new instance.
 */
public final class FeatureWrite {
  private final SparkSession spark;
  private final String table;
  private final TableBranch branch;
  private final List<StagedFeatures> updates;
  private final Optional<String> batchId;
  private final Optional<Instant> validAt;

  private FeatureWrite(
      SparkSession spark,
      String table,
      TableBranch branch,
      List<StagedFeatures> updates,
      Optional<String> batchId,
      Optional<Instant> validAt) {
    this.spark = spark;
    this.table = table;
    this.branch = branch;
    this.updates = updates;
    this.batchId = batchId;
    this.validAt = validAt;
  }

  static FeatureWrite to(SparkSession spark, String table, TableBranch branch) {
    return new FeatureWrite(spark, table, branch, List.of(), Optional.empty(), Optional.empty());
  }

  /**
   * Adds a scatter of all columns of {@code rows} beside the key, each by the reduction that its
   * variable declares. It applies after the previous ones.
   *
   * @param rows key columns with the names of the table's, and columns with the names of variables;
   *     several rows may have one key, and apply in row order. A NULL leaves its variable unchanged
   */
  public FeatureWrite scatter(Dataset<Row> rows) {
    return scatter(rows, FeatureUpdates.declared());
  }

  /**
   * Adds a scatter with options. It applies after the previous ones.
   *
   * @param rows as for {@link #scatter(Dataset)}
   */
  public FeatureWrite scatter(Dataset<Row> rows, FeatureUpdates how) {
    List<StagedFeatures> more = new ArrayList<>(updates);
    more.add(StagedFeatures.of(rows, how));
    return new FeatureWrite(spark, table, branch, List.copyOf(more), batchId, validAt);
  }

  /**
   * Sets the batch's id, as {@link TableWrite#batchId} does: a batch that the table's current state
   * already holds is not applied again.
   *
   * @param id not empty, and without commas
   */
  public FeatureWrite batchId(String id) {
    BatchIds.check(id);
    return new FeatureWrite(spark, table, branch, updates, Optional.of(id), validAt);
  }

  /**
   * Sets the time from which the batch's values are true, such as the end of the day of its events.
   * {@link FeatureTable#gatherAsOf} by {@link io.sparknd.cluster.options.AsOf#validTime} gives the
   * batch to no label before it. Default: the time of the commit.
   *
   * <p>An update whose time, in the column that orders it or divides it into windows, is later, is
   * an error. If the table has the batch with another time, so is the commit.
   *
   * @throws io.sparknd.tensor.SparkNdException if the microseconds since 1970 are no 64-bit number
   */
  public FeatureWrite validAt(Instant time) {
    ValidTime.micros(time);
    return new FeatureWrite(spark, table, branch, updates, batchId, Optional.of(time));
  }

  /**
   * Runs the scatters and commits them.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, or if a
   *     row has a key or a value that is rejected; the table does not change
   * @throws io.sparknd.table.exceptions.CommitConflictException if other commits won every race;
   *     the table does not change
   * @throws io.sparknd.table.exceptions.CommitUnknownException if the response to the commit is
   *     lost and the table cannot be reloaded: the commit may have succeeded
   */
  public TableCommit commit() {
    if (updates.isEmpty()) {
      return TableCommit.none(TableCommit.Outcome.EMPTY, -1);
    }
    StoredFeatures current = FeatureCatalog.toWrite(spark, table);
    CommitTarget target = branch.target(spark, current);
    return new FeatureScatter(spark, current, target, updates, batchId, validAt).run();
  }
}
