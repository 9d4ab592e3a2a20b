/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.TableErrors;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * A state of a table.
 *
 * @param snapshot id of the snapshot; empty before the first
 */
record TableState(Optional<Long> snapshot) {
  private static final String EMPTY = "empty";

  static TableState of(@Nullable Snapshot snapshot) {
    return new TableState(Optional.ofNullable(snapshot).map(Snapshot::snapshotId));
  }

  /** Parses {@link #toString}. */
  static TableState parse(String text) {
    return new TableState(
        text.equals(EMPTY) ? Optional.empty() : Optional.of(Long.parseLong(text)));
  }

  /** Returns whether the state has expired. */
  boolean isExpired(Table table) {
    return snapshot.isPresent() && table.snapshot(snapshot.get()) == null;
  }

  /**
   * Returns the snapshot; null before the first.
   *
   * @param name the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if it has expired
   */
  @Nullable Snapshot in(Table table, String name) {
    if (isExpired(table)) {
      throw TableErrors.noSuchSnapshot(name, snapshot.orElseThrow());
    }
    return snapshot.map(table::snapshot).orElse(null);
  }

  @Override
  public String toString() {
    return snapshot.map(Object::toString).orElse(EMPTY);
  }
}
