/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.KeyMatches;
import io.sparknd.table.internal.history.BlockHistory;
import io.sparknd.table.internal.history.BlockHistory.FileHistory;
import io.sparknd.table.internal.history.TableTimeline;
import io.sparknd.table.internal.store.StoredFile;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Finds values at the version of each row's time.
 *
 * @param histories the files of all versions by block
 * @param time ordinal of the rows' time, in microseconds since 1970
 */
record TimelineLookup(
    Broadcast<StoredFeatures> table,
    Broadcast<Map<Long, BlockHistory>> histories,
    TableTimeline timeline,
    int time)
    implements KeyedLookup {

  @Override
  public Block open(long block) {
    return new TimelineBlock(
        histories.value().getOrDefault(block, BlockHistory.none(block)).files());
  }

  /** Returns the version of a row; -1 if its time is NULL or before the first. */
  private int version(InternalRow row) {
    return row.isNullAt(time) ? -1 : timeline.version(row.getLong(time));
  }

  private final class TimelineBlock implements Block {
    private final List<FileHistory> files;
    private final Map<Integer, OpenFeatureFile> opened = new HashMap<>();

    TimelineBlock(List<FileHistory> files) {
      this.files = files;
    }

    private OpenFeatureFile open(int number) {
      return opened.computeIfAbsent(
          number,
          absent ->
              OpenFeatureFile.open(
                  table.value(), new StoredFile(files.get(number).data(), List.of())));
    }

    @Override
    public Found find(Wanted wanted) {
      int[] versions = wanted.rows().stream().mapToInt(TimelineLookup.this::version).toArray();
      BitSet all = new BitSet();
      Arrays.stream(versions).filter(version -> version >= 0).forEach(all::set);
      MatchedRows matched = new MatchedRows(wanted.rows().size());
      for (int number = 0; number < files.size(); number++) {
        if (files.get(number).versions().intersects(all)) {
          match(number, wanted, versions, matched);
        }
      }
      return read(wanted, matched);
    }

    /** Finds the rows of a file that were live at the versions of wanted rows. */
    private void match(int number, Wanted wanted, int[] versions, MatchedRows matched) {
      FileHistory file = files.get(number);
      VersionedMatches matches = new VersionedMatches(timeline.count());
      KeyMatches found = open(number).matches(wanted.keys());
      for (int i = 0; i < found.count(); i++) {
        int key = found.keys()[i];
        for (int row = wanted.firstRows()[key]; row < wanted.firstRows()[key + 1]; row++) {
          if (versions[row] >= 0 && file.versions().contains(versions[row])) {
            matches.add(versions[row], row, found.positions()[i]);
          }
        }
      }
      List<DeleteFile> before = List.of();
      PositionDeleteIndex deleted = PositionDeleteIndex.empty();
      for (int version : matches.versions()) {
        StoredFile then = file.at(version);
        if (!then.deletes().equals(before)) {
          deleted = OpenFeatureFile.deleted(table.value(), then);
          before = then.deletes();
        }
        for (int match = matches.first(version); match >= 0; match = matches.after(match)) {
          int position = matches.position(match);
          if (deleted.isEmpty() || !deleted.isDeleted(position)) {
            set(matched, matches.row(match), number, position, wanted);
          }
        }
      }
    }

    private void set(MatchedRows matched, int row, int number, int position, Wanted wanted) {
      if (!matched.set(row, number, position)) {
        throw FeatureErrors.duplicateKey(
            files.get(number).data().location(),
            table.value().format().axis().codec().text(wanted.keys(), wanted.keyOfRow()[row]));
      }
    }

    /** Reads the matched rows of each file to slots of their own. */
    private Found read(Wanted wanted, MatchedRows matched) {
      Map<Integer, Integer> firstSlots = new HashMap<>();
      List<Cells> cells = table.value().format().cells(0);
      int first = 0;
      for (int number : matched.files()) {
        int[] positions = matched.positions(number);
        int end = first + positions.length;
        wanted.columns().forEach(column -> cells.get(column).grow(end));
        int[] to = IntStream.range(first, end).toArray();
        open(number).read(wanted.columns(), positions, to, cells);
        firstSlots.put(number, first);
        first = end;
      }
      return new Found(matched.slots(firstSlots), cells);
    }

    @Override
    public void close() {
      opened.values().forEach(OpenFeatureFile::close);
    }
  }
}
