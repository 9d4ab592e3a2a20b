/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.internal.FeatureErrors;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * What a query reads.
 *
 * @param since the snapshot to begin after; empty to begin with all rows
 */
public record ChangesOptions(FeatureTable table, OptionalLong since) {
  private static final String PATH = "path";
  private static final String TABLE = "table";
  private static final String SINCE_BATCH = "since-batch";
  private static final String SINCE_SNAPSHOT = "since-snapshot";
  private static final Set<String> KNOWN = Set.of(PATH, TABLE, SINCE_BATCH, SINCE_SNAPSHOT);

  /**
   * Opens the table.
   *
   * @throws io.sparknd.tensor.SparkNdException if an option is unknown, contradicts another or is
   *     missing, or there is no such feature table, batch or snapshot
   */
  public static ChangesOptions of(CaseInsensitiveStringMap options) {
    for (String name : options.asCaseSensitiveMap().keySet()) {
      if (KNOWN.stream().noneMatch(name::equalsIgnoreCase)) {
        throw FeatureErrors.changesOption(name, String.valueOf(options.get(name)));
      }
    }
    String name = options.getOrDefault(TABLE, options.get(PATH));
    if (name == null || options.containsKey(TABLE) && options.containsKey(PATH)) {
      throw FeatureErrors.changesOption(TABLE, String.valueOf(name));
    }
    FeatureTable table = FeatureTable.open(SparkSession.active(), name);
    return new ChangesOptions(table, since(table, options));
  }

  private static OptionalLong since(FeatureTable table, CaseInsensitiveStringMap options) {
    String batch = options.get(SINCE_BATCH);
    String snapshot = options.get(SINCE_SNAPSHOT);
    if (batch != null && snapshot != null) {
      throw FeatureErrors.changesOption(SINCE_SNAPSHOT, snapshot);
    }
    if (batch != null) {
      return table.batch(batch).snapshot();
    }
    return snapshot == null ? OptionalLong.empty() : table.snapshot(number(snapshot)).snapshot();
  }

  private static long number(String snapshot) {
    try {
      return Long.parseLong(snapshot);
    } catch (NumberFormatException e) {
      throw FeatureErrors.changesOption(SINCE_SNAPSHOT, snapshot);
    }
  }
}
