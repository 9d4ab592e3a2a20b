/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellException;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.cell.StoredTiles;
import io.sparknd.table.internal.cell.TileFormat;
import io.sparknd.table.internal.cell.WindowValues;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.GatheredColumn;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import java.io.Serializable;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Adds windows to rows that have the tiles of their keys.
 *
 * @param table the table's name, for messages
 * @param time ordinal of the rows' time, in microseconds since 1970
 * @param localTime ordinal of that time on a clock of the session's time zone, as microseconds of
 *     UTC; of a date, or a time without a zone, itself
 * @param areInstants whether the rows' times are instants, which clocks of other time zones show
 * @param isErrorIfEvicted whether a window whose tiles were evicted is an error; else it is NULL
 */
record WindowColumns(
    String table,
    KeyCodec codec,
    int time,
    int localTime,
    boolean areInstants,
    boolean isErrorIfEvicted,
    List<Window> windows)
    implements Serializable {
  /**
   * A window to add.
   *
   * @param state ordinals in the rows of the variable's state columns
   * @param count number of tiles
   * @param fill value of a window without updates; null for NULL
   * @param zone time zone of tiles of times without one; null for that of the session
   */
  record Window(
      String name,
      CellType type,
      TileFormat tiles,
      List<Integer> state,
      int count,
      @Nullable Object fill,
      @Nullable ZoneId zone)
      implements Serializable {

    /**
     * Returns a window.
     *
     * @param lookedUp ordinals of the format's columns that follow {@code first} columns in rows
     */
    static Window of(
        FeatureFormat format,
        GatheredColumn.Window window,
        String kernel,
        int first,
        List<Integer> lookedUp) {
      FeatureColumn column = window.column();
      TileFormat tiles = format.tiles(column, kernel);
      return new Window(
          window.name(),
          column.type(),
          tiles,
          window.read(format).stream().map(ordinal -> first + lookedUp.indexOf(ordinal)).toList(),
          window.tiles(),
          column.fillValue(),
          column.zone());
    }

    /** Returns the tiles of a row. */
    StoredTiles tiles(InternalRow row) {
      List<@Nullable Object> values = new ArrayList<>();
      List<DataType> types = tiles.columns();
      for (int i = 0; i < types.size(); i++) {
        int ordinal = state.get(i);
        values.add(row.isNullAt(ordinal) ? null : row.get(ordinal, types.get(i)));
      }
      return StoredTiles.of(tiles, values);
    }
  }

  /** Returns the rows with one more column for each window. */
  Dataset<Row> add(SparkSession spark, Dataset<Row> rows) {
    StructType schema = rows.schema();
    for (Window window : windows) {
      schema = schema.add("c" + schema.length(), window.type().sql(), true);
    }
    return InternalRows.toDataset(
        spark, InternalRows.of(rows).mapPartitions(this::windowed), schema);
  }

  private int rowsAtOnce() {
    return windows.stream().mapToInt(window -> window.tiles().rowsAtOnce()).min().orElse(1);
  }

  private Iterator<InternalRow> windowed(Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private Iterator<InternalRow> ready = List.<InternalRow>of().iterator();

      @Override
      public boolean hasNext() {
        while (!ready.hasNext() && rows.hasNext()) {
          List<InternalRow> next = new ArrayList<>();
          while (next.size() < rowsAtOnce() && rows.hasNext()) {
            next.add(rows.next().copy());
          }
          ready = joined(next);
        }
        return ready.hasNext();
      }

      @Override
      public InternalRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return ready.next();
      }
    };
  }

  private Iterator<InternalRow> joined(List<InternalRow> rows) {
    Object[][] values = new Object[rows.size()][windows.size()];
    Map<List<Integer>, List<StoredTiles>> tiles = new HashMap<>(); // of each variable
    for (int w = 0; w < windows.size(); w++) {
      Window window = windows.get(w);
      List<StoredTiles> own =
          tiles.computeIfAbsent(
              window.state(), absent -> rows.stream().map(row -> tiles(window, row)).toList());
      compute(rows, own, w, values);
    }
    JoinedRow joined = new JoinedRow();
    Iterator<InternalRow> all = rows.iterator();
    Iterator<Object[]> added = List.of(values).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public InternalRow next() {
        return joined.apply(all.next(), new GenericInternalRow(added.next()));
      }
    };
  }

  /** Computes a window of rows. */
  private void compute(
      List<InternalRow> rows, List<StoredTiles> own, int number, @Nullable Object[][] values) {
    Window window = windows.get(number);
    WindowValues all = new WindowValues(window.tiles());
    BitSet known = new BitSet();
    for (int i = 0; i < rows.size(); i++) {
      InternalRow row = rows.get(i);
      if (!row.isNullAt(time)) {
        known.set(i, all.add(i, own.get(i), time(window, row), window.count()));
        if (!known.get(i) && isErrorIfEvicted) {
          throw evicted(window, row, all.knownFrom(own.get(i)));
        }
      }
    }
    Cells found = values(window, all, rows);
    for (int i = known.nextSetBit(0); i >= 0; i = known.nextSetBit(i + 1)) {
      if (!found.isPresent(i) && window.fill() != null) {
        found.fill(i, window.fill());
      }
      values[i][number] = found.value(i);
    }
  }

  private long time(Window window, InternalRow row) {
    if (!window.tiles().times().areLocal()) {
      return row.getLong(time);
    }
    return areInstants && window.zone() != null
        ? DateTimeUtils.convertTz(row.getLong(time), ZoneOffset.UTC, window.zone())
        : row.getLong(localTime);
  }

  private StoredTiles tiles(Window window, InternalRow row) {
    StoredTiles tiles = window.tiles(row);
    String problem = tiles.problem();
    if (problem != null) {
      throw FeatureErrors.windowFailed(table, window.name(), key(row), problem);
    }
    return tiles;
  }

  private Cells values(Window window, WindowValues all, List<InternalRow> rows) {
    try {
      return all.values(rows.size());
    } catch (CellException e) {
      throw FeatureErrors.windowFailed(
          table, window.name(), key(rows.get(e.slot())), String.valueOf(e.getMessage()));
    }
  }

  private RuntimeException evicted(Window window, InternalRow row, long from) {
    return FeatureErrors.evictedTiles(
        table,
        window.name(),
        key(row),
        ValidTime.instant(time(window, row)),
        ValidTime.instant(from));
  }

  private String key(InternalRow row) {
    KeyList keys = new KeyList();
    keys.add(row.getBinary(2));
    return codec.text(keys, 0);
  }
}
