/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that differs between two snapshots.
 *
 * @param key values of the key columns in Spark's internal form
 * @param values values of the variables at the later snapshot; all null if the row was deleted
 * @param changed ordinals of the variables that differ
 */
record RowChange(Kind kind, Object[] key, @Nullable Object[] values, List<Integer> changed) {

  /** Kinds of changes, with the names that Iceberg's change logs have for them. */
  enum Kind {
    INSERT,
    UPDATE_AFTER,
    DELETE
  }
}
