/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableSelector;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * What a query reads.
 *
 * @param name the table's name, which may select a branch
 * @param sinceBatch the batch to begin after
 * @param sinceSnapshot the snapshot to begin after
 */
public record ChangesOptions(
    String name, Optional<String> sinceBatch, Optional<String> sinceSnapshot) {
  private static final String PATH = "path";
  private static final String TABLE = "table";
  private static final String SINCE_BATCH = "since-batch";
  private static final String SINCE_SNAPSHOT = "since-snapshot";
  private static final Set<String> KNOWN = Set.of(PATH, TABLE, SINCE_BATCH, SINCE_SNAPSHOT);

  /**
   * Parses options.
   *
   * @throws io.sparknd.tensor.SparkNdException if one is unknown, contradicts another or is missing
   */
  public static ChangesOptions of(CaseInsensitiveStringMap options) {
    for (String option : options.asCaseSensitiveMap().keySet()) {
      if (KNOWN.stream().noneMatch(option::equalsIgnoreCase)) {
        throw FeatureErrors.changesOption(option, String.valueOf(options.get(option)));
      }
    }
    String name = options.getOrDefault(TABLE, options.get(PATH));
    if (name == null || options.containsKey(TABLE) && options.containsKey(PATH)) {
      throw FeatureErrors.changesOption(TABLE, String.valueOf(name));
    }
    Optional<String> batch = Optional.ofNullable(options.get(SINCE_BATCH));
    Optional<String> snapshot = Optional.ofNullable(options.get(SINCE_SNAPSHOT));
    if (batch.isPresent() && snapshot.isPresent()) {
      throw FeatureErrors.changesOption(SINCE_SNAPSHOT, snapshot.get());
    }
    return new ChangesOptions(name, batch, snapshot);
  }

  /**
   * Opens the table, whose branch the session may set.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or the name selects one
   *     state of it
   */
  OpenedTable open(SparkSession spark) {
    boolean isFixed =
        TableCatalogs.select(spark, name)
            .selector()
            .filter(selector -> selector.kind() != TableSelector.Kind.BRANCH)
            .isPresent();
    if (isFixed) {
      throw FeatureErrors.changesOption(TABLE, name);
    }
    return OpenedTable.open(spark, name);
  }

  /**
   * Returns the snapshot to begin after; empty to begin with all rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such batch or snapshot
   */
  OptionalLong since(OpenedTable table) {
    if (sinceBatch.isPresent()) {
      return table.batch(sinceBatch.get()).snapshot();
    }
    return sinceSnapshot.isEmpty()
        ? OptionalLong.empty()
        : table.snapshot(number(sinceSnapshot.get())).snapshot();
  }

  private static long number(String snapshot) {
    try {
      return Long.parseLong(snapshot);
    } catch (NumberFormatException e) {
      throw FeatureErrors.changesOption(SINCE_SNAPSHOT, snapshot);
    }
  }
}
