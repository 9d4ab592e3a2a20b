/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.internal.FeatureErrors;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.jspecify.annotations.Nullable;

/** A state of a table as the position of a query: a snapshot, or none for a table without rows. */
final class SnapshotOffset extends Offset {
  private static final Pattern JSON = Pattern.compile("\\{\"snapshot\":(null|-?\\d{1,19})}");
  private static final String NONE = "null";

  private final OptionalLong snapshot;

  SnapshotOffset(OptionalLong snapshot) {
    this.snapshot = snapshot;
  }

  static SnapshotOffset parse(String table, String json) {
    Matcher matcher = JSON.matcher(json);
    if (!matcher.matches()) {
      throw FeatureErrors.changesOffset(table, json);
    }
    String id = matcher.group(1);
    try {
      return new SnapshotOffset(
          id.equals(NONE) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id)));
    } catch (NumberFormatException e) { // more than 64 bits
      throw FeatureErrors.changesOffset(table, json);
    }
  }

  @Override
  public String json() {
    return "{\"snapshot\":" + (snapshot.isEmpty() ? NONE : snapshot.getAsLong()) + "}";
  }

  /**
   * Returns the snapshot; null if nothing had been written.
   *
   * @param name the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if it has expired
   */
  @Nullable Snapshot of(Table table, String name) {
    if (snapshot.isEmpty()) {
      return null;
    }
    Snapshot found = table.snapshot(snapshot.getAsLong());
    if (found == null) {
      throw FeatureErrors.changesExpired(name, snapshot.getAsLong());
    }
    return found;
  }
}
