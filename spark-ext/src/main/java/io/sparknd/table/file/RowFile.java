/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;

/**
 * One Parquet data file of a tensor's table, written by whatever engine. Its rows are counted from
 * 0 in the order of the file. For one thread.
 */
public final class RowFile implements Closeable {
  private final String name;
  private final RowFormat format;
  private final ParquetFileReader reader;
  private final Leaves leaves;
  private final Place place;
  private final int rows;

  private RowFile(String name, RowFormat format, ParquetFileReader reader) {
    this.name = name;
    this.format = format;
    this.reader = reader;
    this.place = new Place(name, format.dtype(), format.slice());
    this.leaves = new Leaves(name, reader.getFileMetaData().getSchema(), format);
    if (reader.getRecordCount() > Storage.MAX_LENGTH) {
      throw NdErrors.tooManyRowsInFile(name, reader.getRecordCount());
    }
    this.rows = (int) reader.getRecordCount();
  }

  /**
   * Reads the footer of {@code file}.
   *
   * @param format of its table; a slice has one element or more
   * @throws SparkNdException if it is no Parquet file, or has more than 2^31 - 9 rows
   */
  public static RowFile open(InputFile file, RowFormat format) {
    try {
      ParquetFileReader reader = Readers.open(file);
      try {
        return new RowFile(file.location(), format, reader);
      } catch (RuntimeException e) {
        reader.close();
        throw e;
      }
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw NdErrors.unreadableTableFile(file.location(), e);
    }
  }

  /** How many rows the file has. */
  public int rows() {
    return rows;
  }

  /**
   * The row-major positions in {@code format.outer()} of all rows, in file order. Reads nothing but
   * the index columns.
   *
   * @throws SparkNdException if an index is null or out of bounds
   */
  public long[] offsets() {
    return guarded(() -> Indices.read(this));
  }

  /**
   * The values of all rows, in file order.
   *
   * @param target an array of {@code format.dtype().storage()}
   * @param at its unit to begin at
   * @throws SparkNdException if a row is no slice of the tensor
   */
  public void values(Object target, int at) {
    guarded(
        () -> {
          readAll(leaves.values(), target, at, format.units());
          return null;
        });
  }

  /**
   * The values of some rows. Pages without any of them are skipped where the file has an offset
   * index.
   *
   * @param positions of the rows, ascending
   * @param slots where their values go: row {@code positions[i]} to the units of {@code target}
   *     from {@code slots[i] * format.units()} on
   * @param count how many of both arrays count
   * @param target an array of {@code format.dtype().storage()}
   * @throws SparkNdException if one of them is no slice of the tensor
   */
  public void values(int[] positions, int[] slots, int count, Object target) {
    guarded(
        () -> {
          readSome(leaves.values(), positions, slots, count, target);
          return null;
        });
  }

  /** Reads columns of which a row takes {@code units} units of {@code target}. */
  void readAll(List<Leaf> columns, Object target, int at, int units) throws IOException {
    reader.setRequestedSchema(columns.stream().map(Leaf::column).toList());
    long first = 0;
    List<BlockMetaData> groups = reader.getRowGroups();
    for (int i = 0; i < groups.size(); i++) {
      int rowsOfGroup = (int) groups.get(i).getRowCount();
      if (rowsOfGroup == 0) {
        continue;
      }
      try (PageReadStore pages = reader.readRowGroup(i)) {
        for (Leaf leaf : columns) {
          new ColumnScan(leaf, place, pages, first)
              .all(rowsOfGroup, target, at + (int) first * units);
        }
      }
      first += rowsOfGroup;
    }
  }

  private void readSome(List<Leaf> columns, int[] positions, int[] slots, int count, Object target)
      throws IOException {
    reader.setRequestedSchema(columns.stream().map(Leaf::column).toList());
    long first = 0;
    int from = 0;
    for (int group = 0; from < count; group++) {
      long end = first + reader.getRowGroups().get(group).getRowCount();
      int to = from;
      while (to < count && positions[to] < end) {
        to++;
      }
      if (to > from) {
        readSome(columns, group, new Wanted(positions, slots, from, to, first), target);
      }
      first = end;
      from = to;
    }
  }

  private void readSome(List<Leaf> columns, int group, Wanted wanted, Object target)
      throws IOException {
    try (PageReadStore pages = new PageSkips(reader, group, columns).read(wanted)) {
      for (Leaf leaf : columns) {
        new ColumnScan(leaf, place, pages, wanted.groupStart())
            .some(wanted, target, format.units());
      }
    }
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private <T> T guarded(Reading<T> reading) {
    try {
      return reading.run();
    } catch (BadRow bad) {
      throw bad.named(rowName(bad.row()));
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw NdErrors.unreadableTableFile(name, e);
    }
  }

  /** What errors call a row: its index, or its place in the file where the index is bad, too. */
  private String rowName(long row) {
    try {
      long[] offsets = Indices.read(this);
      return Shape.of(format.outer().coordinates(offsets[(int) row])).toString();
    } catch (BadRow | SparkNdException | IOException e) {
      return row + " of the file";
    }
  }

  RowFormat format() {
    return format;
  }

  String name() {
    return name;
  }

  List<Leaf> indexLeaves() {
    return leaves.indices();
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw NdErrors.unreadableTableFile(name, e);
    }
  }
}
