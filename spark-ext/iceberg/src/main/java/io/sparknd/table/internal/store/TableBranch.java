/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkTableUtil;
import org.apache.iceberg.spark.SparkWriteConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The branch of a table to read and write. Without a name, Iceberg's rules for {@code
 * write.wap.enabled}, {@code spark.wap.branch} and {@code spark.wap.id} in the session apply; else
 * it is main.
 */
public record TableBranch(Optional<String> name) {
  /** The branch that the session's settings select. */
  public static final TableBranch OF_SESSION = new TableBranch(Optional.empty());

  /**
   * Returns a branch by name.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has no branch of this name
   */
  public static TableBranch of(StoredTable stored, String name) {
    requireBranch(stored.name(), stored.table(), name);
    return new TableBranch(Optional.of(name));
  }

  /**
   * Rejects a branch other than main.
   *
   * @throws io.sparknd.tensor.SparkNdException for such a branch: Iceberg records times of main
   *     only
   */
  public void requireTimes(String table) {
    name.filter(branch -> !branch.equals(SnapshotRef.MAIN_BRANCH))
        .ifPresent(
            branch -> {
              throw TableErrors.timeOfBranch(table, branch);
            });
  }

  /**
   * Returns the latest snapshot of the branch to read; null if nothing was written.
   *
   * @throws io.sparknd.tensor.SparkNdException if the branch no longer exists, or the session sets
   *     both a branch and an id
   */
  public Snapshot head(SparkSession spark, StoredTable stored) {
    CaseInsensitiveStringMap none = new CaseInsensitiveStringMap(Map.of());
    String branch = read(spark, stored.name(), stored.table(), name, none);
    return branch == null ? stored.table().currentSnapshot() : stored.table().snapshot(branch);
  }

  /**
   * Returns the name of the branch to read; empty for the current snapshot.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #head}
   */
  public Optional<String> toRead(SparkSession spark, String tableName, Table table) {
    CaseInsensitiveStringMap none = new CaseInsensitiveStringMap(Map.of());
    return name.or(
        () -> Optional.ofNullable(read(spark, tableName, table, Optional.empty(), none)));
  }

  /**
   * Returns the target of commits. A branch that only the session names is created by the first
   * commit, as in Iceberg.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #head}
   */
  public CommitTarget target(SparkSession spark, StoredTable stored) {
    return target(spark, stored, Map.of());
  }

  /**
   * Returns the target of commits, as {@link #target(SparkSession, StoredTable)} does.
   *
   * @param options options of the write that add entries to the summary of its snapshot
   */
  public CommitTarget target(SparkSession spark, StoredTable stored, Map<String, String> options) {
    name.ifPresent(branch -> requireBranch(stored.name(), stored.table(), branch));
    Table table = stored.table();
    SparkWriteConf conf = new SparkWriteConf(spark, table);
    try {
      CaseInsensitiveStringMap none = new CaseInsensitiveStringMap(Map.of());
      String branch = SparkTableUtil.determineWriteBranch(spark, table, name.orElse(null), none);
      String aim = branch == null ? SnapshotRef.MAIN_BRANCH : branch;
      if (table.refs().containsKey(aim)) {
        requireBranch(stored.name(), table, aim);
      }
      Optional<String> wapId =
          conf.wapEnabled() ? Optional.ofNullable(conf.wapId()) : Optional.empty();
      return new CommitTarget(
          stored.name(), aim, name.isPresent(), wapId, GivenProperties.of(spark, table, options));
    } catch (SparkNdException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw TableErrors.wrongBranchSettings(stored.name(), e);
    }
  }

  /**
   * Returns the branch that Iceberg reads; null for the current snapshot.
   *
   * @param named overrides the branch that the session selects
   * @throws io.sparknd.tensor.SparkNdException if the branch does not exist, or settings contradict
   *     each other
   */
  public static @Nullable String read(
      SparkSession spark,
      String tableName,
      Table table,
      Optional<String> named,
      CaseInsensitiveStringMap options) {
    String branch;
    try {
      branch = SparkTableUtil.determineReadBranch(spark, table, named.orElse(null), options);
    } catch (IllegalArgumentException e) {
      throw TableErrors.wrongBranchSettings(tableName, e);
    }
    if (branch == null || branch.equals(SnapshotRef.MAIN_BRANCH)) {
      return null;
    }
    requireBranch(tableName, table, branch);
    return branch;
  }

  private static void requireBranch(String tableName, Table table, String branch) {
    SnapshotRef ref = table.refs().get(branch);
    if (ref != null && ref.isTag()) {
      throw TableErrors.tagAsBranch(tableName, branch);
    }
    if (ref == null && !branch.equals(SnapshotRef.MAIN_BRANCH)) {
      TreeSet<String> branches = new TreeSet<>();
      branches.add(SnapshotRef.MAIN_BRANCH);
      table
          .refs()
          .forEach(
              (other, found) -> {
                if (found.isBranch()) {
                  branches.add(other);
                }
              });
      throw TableErrors.noSuchBranch(tableName, branch, branches);
    }
  }
}
