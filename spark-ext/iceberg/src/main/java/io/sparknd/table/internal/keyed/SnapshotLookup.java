/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;

/**
 * Finds values at one snapshot.
 *
 * @param files the files of the snapshot by block
 */
record SnapshotLookup(Broadcast<StoredFeatures> table, Broadcast<Map<Long, BlockFiles>> files)
    implements KeyedLookup {

  @Override
  public Block open(long block) {
    return new SnapshotBlock(files.value().getOrDefault(block, BlockFiles.none(block)).files());
  }

  private final class SnapshotBlock implements Block {
    private final List<StoredFile> stored;
    private final List<OpenFeatureFile> opened = new ArrayList<>();

    SnapshotBlock(List<StoredFile> stored) {
      this.stored = stored;
    }

    @Override
    public Found find(Wanted wanted) {
      List<Cells> cells = table.value().format().cells(0);
      wanted.columns().forEach(column -> cells.get(column).grow(wanted.keys().count()));
      BitSet found = new BitSet();
      for (int number = 0; number < stored.size(); number++) {
        OpenFeatureFile file = file(number);
        file.match(wanted.keys(), found);
        file.readTouched(wanted.columns(), cells);
      }
      int[] slots =
          Arrays.stream(wanted.keyOfRow()).map(key -> found.get(key) ? key : -1).toArray();
      return new Found(slots, cells);
    }

    /** Returns a file, opened just before its first use, so that one stream is open at a time. */
    private OpenFeatureFile file(int number) {
      if (number == opened.size()) {
        opened.add(OpenFeatureFile.open(table.value(), stored.get(number)));
      }
      return opened.get(number);
    }

    @Override
    public void close() {
      opened.forEach(OpenFeatureFile::close);
    }
  }
}
