/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.store.StoredTable;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifests and manifest lists that Iceberg would delete at once when a commit is said to have
 * failed. If a client had no answer and sent the commit again, the second try fails because the
 * first one succeeded, and the table needs them.
 */
final class UnusedMetadata {
  private static final Logger LOG = LoggerFactory.getLogger(UnusedMetadata.class);

  private final Queue<String> locations = new ConcurrentLinkedQueue<>();

  /** Adds a file that Iceberg would delete. */
  void add(String location) {
    locations.add(location);
  }

  /**
   * Deletes the files, unless the table needs them.
   *
   * @param committed the snapshot that was committed; negative if none was
   */
  void delete(StoredTable table, long committed) {
    if (locations.isEmpty()) {
      return;
    }
    try {
      Set<String> deleted = new HashSet<>(locations);
      deleted.removeAll(committed < 0 ? Set.of() : used(table, committed));
      deleted.forEach(location -> delete(table, location));
    } catch (RuntimeException e) { // the commit is what it is
      LOG.atWarn()
          .addKeyValue("table_name", table.name())
          .setCause(e)
          .log(
              "{}: metadata that no commit uses is left; removeOrphans() deletes it", table.name());
    }
  }

  /** Returns the files of a snapshot's metadata; all, if it has expired meanwhile. */
  private Set<String> used(StoredTable table, long snapshot) {
    Snapshot made = table.table().snapshot(snapshot);
    if (made == null) {
      return new HashSet<>(locations);
    }
    FileIO io = table.table().io();
    Set<String> used = new HashSet<>();
    used.add(made.manifestListLocation());
    made.allManifests(io).stream().map(ManifestFile::path).forEach(used::add);
    return used;
  }

  /** Deletes a file that no commit uses; if that fails, it is left. */
  static void delete(StoredTable table, String location) {
    try {
      table.table().io().deleteFile(location);
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("table_name", table.name())
          .addKeyValue("path", location)
          .setCause(e)
          .log(
              "{}: could not delete file {}, which no commit uses; removeOrphans() deletes it"
                  + " later",
              table.name(),
              location);
    }
  }
}
