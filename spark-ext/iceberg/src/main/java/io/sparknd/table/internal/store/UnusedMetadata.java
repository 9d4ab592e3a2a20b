/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Collection;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifests and manifest lists that Iceberg would delete at once when a commit is said to have
 * failed. If a client had no answer and sent the commit again, the second try fails because the
 * first one succeeded, and the table needs them.
 */
public final class UnusedMetadata {
  private static final Logger LOG = LoggerFactory.getLogger(UnusedMetadata.class);

  private final Queue<String> locations = new ConcurrentLinkedQueue<>();

  /** Adds a file that Iceberg would delete. */
  public void add(String location) {
    locations.add(location);
  }

  /** Returns whether there is none. */
  boolean isEmpty() {
    return locations.isEmpty();
  }

  /**
   * Deletes the files, unless the table needs them.
   *
   * @param name the table's name, for the log
   * @param made the snapshots that may have them
   */
  public void delete(String name, Table table, Collection<Long> made) {
    if (locations.isEmpty()) {
      return;
    }
    try {
      Set<String> deleted = new HashSet<>(locations);
      made.forEach(snapshot -> deleted.removeAll(used(table, snapshot)));
      deleted.forEach(location -> delete(name, table, location));
    } catch (RuntimeException e) { // the commit is what it is
      LOG.atWarn()
          .addKeyValue("table_name", name)
          .setCause(e)
          .log(
              "{}: metadata that no commit uses is left; Iceberg's remove_orphan_files deletes it",
              name);
    }
  }

  /** Returns the files of a snapshot's metadata; all, if it has expired meanwhile. */
  private Set<String> used(Table table, long snapshot) {
    Snapshot made = table.snapshot(snapshot);
    if (made == null) {
      return new HashSet<>(locations);
    }
    FileIO io = table.io();
    Set<String> used = new HashSet<>();
    used.add(made.manifestListLocation());
    made.allManifests(io).stream().map(ManifestFile::path).forEach(used::add);
    return used;
  }

  /** Deletes a file that no commit uses; if that fails, it is left. */
  public static void delete(String name, Table table, String location) {
    try {
      table.io().deleteFile(location);
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("table_name", name)
          .addKeyValue("path", location)
          .setCause(e)
          .log(
              "{}: could not delete file {}, which no commit uses: it is an orphan",
              name,
              location);
    }
  }
}
