/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.util.List;

/**
 * A row that differs between two snapshots.
 *
 * @param key values of the key columns in Spark's internal form
 * @param slot slot of the row's values in {@link BlockChanges#after}; -1 if the row was deleted
 * @param changed ordinals of the variables that differ
 */
public record RowChange(Kind kind, Object[] key, int slot, List<Integer> changed) {

  /** Kinds of changes, with the names that Iceberg's change logs have for them. */
  public enum Kind {
    INSERT,
    UPDATE_AFTER,
    DELETE
  }
}
