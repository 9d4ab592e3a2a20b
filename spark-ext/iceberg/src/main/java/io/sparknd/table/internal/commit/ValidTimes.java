/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.history.ValidTime;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateProperties;

/** Keeps the valid times that only snapshots which expire tell. */
final class ValidTimes {
  private ValidTimes() {}

  /**
   * Records the latest times of the snapshots whose parents expire, or those from which they were
   * cherry-picked, and removes the records of snapshots that are gone.
   */
  static void recordExpiring(Table table, Collection<Snapshot> expiring) {
    Set<Long> ids = expiring.stream().map(Snapshot::snapshotId).collect(Collectors.toSet());
    Map<String, String> added = ValidTime.records(table, ids);
    Set<String> removed = ValidTime.unusedRecords(table);
    if (!added.isEmpty() || !removed.isEmpty()) {
      UpdateProperties update = table.updateProperties();
      removed.forEach(update::remove);
      added.forEach(update::set);
      update.commit();
    }
  }
}
