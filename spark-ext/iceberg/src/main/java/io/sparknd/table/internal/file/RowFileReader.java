/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;

/**
 * Reads one Parquet data file of a tensor table, written by any engine. Rows are numbered from 0 in
 * file order. Not thread-safe.
 */
public final class RowFileReader implements Closeable {
  private final String name;
  private final TableFile file;
  private final RowFormat format;
  private final InputAdapter input;
  private final ParquetFileReader reader;
  private final LeafColumnFinder leaves;
  private final FileContext context;
  private final int rows;

  private RowFileReader(
      TableFile file, InputAdapter input, RowFormat format, ParquetFileReader reader) {
    this.name = input.toString();
    this.file = file;
    this.format = format;
    this.input = input;
    this.reader = reader;
    this.context = new FileContext(name, format.dtype(), format.slice());
    this.leaves = new LeafColumnFinder(name, reader.getFileMetaData().getSchema(), format);
    if (reader.getRecordCount() > Storage.MAX_LENGTH) {
      throw TableErrors.tooManyRowsInFile(name, reader.getRecordCount());
    }
    this.rows = (int) reader.getRecordCount();
  }

  /**
   * Opens {@code file} and reads its footer.
   *
   * @param format row format of its table; a slice has one element or more
   * @throws SparkNdException if it is missing or not a Parquet file, or has more than 2^31 - 9 rows
   */
  public static RowFileReader open(TableFile file, RowFormat format) {
    return open(file, format, ChecksumVerification.VERIFIED);
  }

  /** Opens {@code file}, and verifies page checksums if {@code checks} says so. */
  public static RowFileReader open(TableFile file, RowFormat format, ChecksumVerification checks) {
    InputAdapter input = new InputAdapter(file.input());
    try {
      ParquetFileReader reader = ParquetReaders.open(input, checks);
      try {
        return new RowFileReader(file, input, format, reader);
      } catch (RuntimeException e) {
        reader.close();
        throw e;
      }
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw file.failure(e);
    }
  }

  /** Returns the number of rows in the file. */
  public int rows() {
    return rows;
  }

  /**
   * Returns the offsets of all rows, that is, their row-major positions in {@code format.outer()},
   * in file order. Only the index columns are read.
   *
   * @throws SparkNdException if an index is null or out of bounds
   */
  public long[] offsets() {
    return guarded(() -> IndexColumnOffsets.read(this));
  }

  /**
   * Returns the offsets of the rows as {@link #offsets()} does, but -1 for deleted rows, whose
   * indices may be out of bounds: the table may have been larger.
   *
   * @param deleted positions of deleted rows
   */
  public long[] offsets(IntPredicate deleted) {
    return guarded(() -> IndexColumnOffsets.read(this, deleted));
  }

  /**
   * Reads the values of all rows, in file order.
   *
   * @param target an array of {@code format.dtype().storage()}
   * @param at first unit of {@code target} to write
   * @throws SparkNdException if a row is not a slice of the tensor
   */
  public void values(Object target, int at) {
    run(() -> readAll(leaves.values(), target, at, format.units()));
  }

  /**
   * Reads the values of some rows. If the file has an offset index, pages without selected rows can
   * be skipped.
   *
   * @param positions positions of the rows, ascending
   * @param slots slots of the values: row {@code positions[i]} is read to the units of {@code
   *     target} from {@code slots[i] * format.units()} on
   * @param count number of valid entries in both arrays
   * @param target an array of {@code format.dtype().storage()}
   * @throws SparkNdException if one of the rows is not a slice of the tensor
   */
  public void values(int[] positions, int[] slots, int count, Object target) {
    RowSelection all = new RowSelection(positions, slots, 0, count, 0);
    run(() -> readSome(leaves.values(), all, target, format.units()));
  }

  /**
   * Returns the lineage of all rows as stored in the file, in file order.
   *
   * @return {@link RowLineage#INHERITED} for values that the file does not have
   */
  public RowLineage lineage() {
    return guarded(() -> new LineageColumns(name, reader, rows).read());
  }

  /** Reads columns to {@code target}, in which a row takes {@code units} units. */
  void readAll(List<LeafColumn> columns, Object target, int at, int units) throws IOException {
    reader.setRequestedSchema(columns.stream().map(LeafColumn::column).toList());
    long first = 0;
    List<BlockMetaData> groups = reader.getRowGroups();
    for (int i = 0; i < groups.size(); i++) {
      int rowsOfGroup = (int) groups.get(i).getRowCount();
      if (rowsOfGroup == 0) {
        continue;
      }
      RowGroupReader group = group(i, descriptors(columns));
      int to = at + (int) first * units;
      long start = first;
      try (PageReadStore pages = group.pages(() -> reader.readRowGroup(group.ordinal()))) {
        for (LeafColumn leaf : columns) {
          group.decode(
              leaf.column(),
              () ->
                  new ColumnChunkReader(leaf, context, pages, start).all(rowsOfGroup, target, to));
        }
      }
      first += rowsOfGroup;
    }
  }

  /**
   * Reads columns of selected rows to {@code target}, in which a row takes {@code units} units.
   * Rows that are not selected may hold anything.
   */
  void readSome(List<LeafColumn> columns, RowSelection all, Object target, int units)
      throws IOException {
    reader.setRequestedSchema(columns.stream().map(LeafColumn::column).toList());
    long first = 0;
    int from = all.from();
    for (int group = 0; from < all.to(); group++) {
      long end = first + reader.getRowGroups().get(group).getRowCount();
      int to = from;
      while (to < all.to() && all.positions()[to] < end) {
        to++;
      }
      if (to > from) {
        RowSelection wanted = new RowSelection(all.positions(), all.slots(), from, to, first);
        readSome(columns, group, wanted, new SliceTarget(target, units));
      }
      first = end;
      from = to;
    }
  }

  private void readSome(List<LeafColumn> columns, int group, RowSelection wanted, SliceTarget to)
      throws IOException {
    try {
      readSome(
          columns,
          group,
          wanted,
          (leaf, pages) ->
              new ColumnChunkReader(leaf, context, pages, wanted.groupStart())
                  .some(wanted, to.payload(), to.units()));
    } catch (InvalidRowException bad) {
      if (wanted.has(bad.row())) {
        throw bad;
      }
      // a row that may be deleted is no slice; this reader looks at each row
      readSome(
          columns,
          group,
          wanted,
          (leaf, pages) -> new CellChunkReader(leaf, context, pages, wanted, to).read());
    }
  }

  private void readSome(
      List<LeafColumn> columns,
      int group,
      RowSelection wanted,
      BiConsumer<LeafColumn, PageReadStore> chunk)
      throws IOException {
    RowGroupReader read = group(group, descriptors(columns));
    try (PageReadStore pages =
        read.pages(() -> new PagePruning(reader, group, columns).read(wanted))) {
      for (LeafColumn leaf : columns) {
        read.decode(leaf.column(), () -> chunk.accept(leaf, pages));
      }
    }
  }

  private RowGroupReader group(int ordinal, List<ColumnDescriptor> columns) {
    return new RowGroupReader(name, reader, ordinal, columns);
  }

  private static List<ColumnDescriptor> descriptors(List<LeafColumn> columns) {
    return columns.stream().map(LeafColumn::column).toList();
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void run(Step step) {
    guarded(
        () -> {
          step.run();
          return this;
        });
  }

  private <T> T guarded(Reading<T> reading) {
    try {
      T read = reading.run();
      input.release(); // so that a block of many files has one open stream at a time
      return read;
    } catch (InvalidRowException bad) {
      throw bad.named(rowName(bad.row()));
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw file.failure(e);
    }
  }

  /**
   * Returns a row's name for errors: its index, or its position in the file if the index is
   * invalid, too.
   */
  private String rowName(long row) {
    try {
      long[] offsets = IndexColumnOffsets.read(this);
      return Shape.of(format.outer().coordinates(offsets[(int) row])).toString();
    } catch (InvalidRowException | SparkNdException | IOException e) {
      return row + " of the file";
    }
  }

  RowFormat format() {
    return format;
  }

  String name() {
    return name;
  }

  List<LeafColumn> indexLeaves() {
    return leaves.indices();
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }
}
