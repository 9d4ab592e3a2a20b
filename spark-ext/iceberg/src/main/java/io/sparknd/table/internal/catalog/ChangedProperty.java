/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import java.util.Optional;
import org.apache.spark.sql.connector.catalog.TableChange;

/** The property that a change of a table is of. */
final class ChangedProperty {
  private ChangedProperty() {}

  /** Returns the property that a change sets or removes; empty for one of columns. */
  static Optional<String> of(TableChange change) {
    if (change instanceof TableChange.SetProperty set) {
      return Optional.of(set.property());
    }
    return change instanceof TableChange.RemoveProperty remove
        ? Optional.of(remove.property())
        : Optional.empty();
  }
}
