/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.cell.TileTimes;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** The rows of one stage for one block, as columns; rows arrive ordered by key. */
final class StageRows {
  private final FeatureStage stage;
  private final List<Cells> inputs;

  /** The targets whose updates have a latest time. */
  private final FeatureStage.Target[] limited;

  private final KeyList keys = new KeyList();
  private int[] keyOfRow = new int[16];
  private int count;

  StageRows(FeatureFormat format, FeatureStage stage) {
    this.stage = stage;
    this.inputs =
        stage.inputs().stream()
            .map(input -> format.columns().get(input.column()).type().allocate(0))
            .toList();
    this.limited =
        stage.targets().stream()
            .filter(FeatureStage.Target::hasLatest)
            .toArray(FeatureStage.Target[]::new);
  }

  /**
   * Appends a row.
   *
   * @param first ordinal of the stage's first input in {@code row}
   * @param problems receives the problem of the row, which is then not appended
   * @throws ArrayLimitException if the rows do not fit one array
   */
  void add(byte[] key, InternalRow row, int first, InputProblems problems) {
    for (int i = 0; i < inputs.size(); i++) {
      Cells cells = inputs.get(i);
      cells.grow(count + 1);
      String problem = cells.read(row, first + i, stage.inputs().get(i).type(), count);
      if (problem != null) {
        problems.value(stage.inputs().get(i).column(), problem);
        return;
      }
    }
    for (FeatureStage.Target target : limited) {
      if (isAfterLatest(target)) {
        problems.time(target.column(), TileTimes.micros(inputs.get(target.order()), count));
        return;
      }
    }
    if (keys.count() == 0 || !keys.isEqual(keys.count() - 1, key)) {
      keys.add(key);
    }
    if (count == keyOfRow.length) {
      ArrayLimitException.requireAtMost("updates", count + 1L, Storage.MAX_LENGTH);
      keyOfRow = Arrays.copyOf(keyOfRow, (int) Math.min(Storage.MAX_LENGTH, 2L * count));
    }
    keyOfRow[count++] = keys.count() - 1;
  }

  /** Returns whether the row that was read last has an update of a time that is too late. */
  private boolean isAfterLatest(FeatureStage.Target target) {
    Cells times = inputs.get(target.order());
    return inputs.get(target.value()).isPresent(count)
        && times.isPresent(count)
        && TileTimes.micros(times, count) > target.latest();
  }

  /** Receives problems of rows. */
  interface InputProblems {
    /** Takes the problem of a value that is not a cell of its column. */
    void value(int column, String problem);

    /** Takes the time of an update that is after the latest, in microseconds since 1970. */
    void time(int column, long micros);
  }

  FeatureStage stage() {
    return stage;
  }

  /** Returns the distinct keys, ascending. */
  KeyList keys() {
    return keys;
  }

  int count() {
    return count;
  }

  Cells input(int number) {
    return inputs.get(number);
  }

  /**
   * Returns the slot of each row.
   *
   * @param touched all touched keys of the block, ascending; a key's index is its slot
   */
  int[] slots(KeyList touched) {
    int[] slotOfKey = new int[keys.count()];
    int from = 0;
    for (int key = 0; key < slotOfKey.length; key++) {
      slotOfKey[key] = touched.search(from, keys, key);
      from = slotOfKey[key];
    }
    int[] slots = new int[count];
    for (int row = 0; row < count; row++) {
      slots[row] = slotOfKey[keyOfRow[row]];
    }
    return slots;
  }
}
