/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A block at two snapshots of a table. */
public record BlockPair(BlockFiles before, BlockFiles after) implements Serializable {

  /**
   * A data file at both snapshots.
   *
   * @param before null if the earlier snapshot has not the file
   * @param after null if the later one has not
   */
  record FilePair(@Nullable StoredFile before, @Nullable StoredFile after) {}

  /** Returns the data files that differ, or whose deletes do. */
  List<FilePair> changed() {
    Map<String, StoredFile> rest = new LinkedHashMap<>();
    after.files().forEach(file -> rest.put(file.location(), file));
    List<FilePair> changed = new ArrayList<>();
    for (StoredFile file : before.files()) {
      StoredFile later = rest.remove(file.location());
      if (later == null || !later.isSameAs(file)) {
        changed.add(new FilePair(file, later));
      }
    }
    rest.values().forEach(file -> changed.add(new FilePair(null, file)));
    return changed;
  }
}
