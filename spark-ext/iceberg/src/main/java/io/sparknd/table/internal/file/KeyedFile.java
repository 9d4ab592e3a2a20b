/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.ElementCells;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/**
 * Reads one Parquet data file of a feature table, written by any engine: keys, and cells of fixed
 * shape. Rows are numbered from 0 in file order. Not thread-safe.
 */
public final class KeyedFile implements Closeable {
  private final String name;
  private final TableFile file;
  private final KeyCodec codec;
  private final InputAdapter input;
  private final ChecksumVerification checksums;
  private final ParquetFileReader reader;
  private final KeyedColumns columns;
  private final int rows;

  private KeyedFile(
      TableFile file,
      InputAdapter input,
      KeyCodec codec,
      ChecksumVerification checksums,
      ParquetFileReader reader) {
    this.checksums = checksums;
    this.name = input.toString();
    this.file = file;
    this.codec = codec;
    this.input = input;
    this.reader = reader;
    this.columns = new KeyedColumns(name, reader.getFileMetaData().getSchema());
    if (reader.getRecordCount() > Storage.MAX_LENGTH) {
      throw TableErrors.tooManyRowsInFile(name, reader.getRecordCount());
    }
    this.rows = (int) reader.getRecordCount();
  }

  /**
   * Opens {@code file} and reads its footer.
   *
   * @throws SparkNdException if it is missing or not a Parquet file, or has more than 2^31 - 9 rows
   */
  public static KeyedFile open(TableFile file, KeyCodec codec, ChecksumVerification checksums) {
    InputAdapter input = new InputAdapter(file.input());
    try {
      ParquetFileReader reader = ParquetReaders.open(input, checksums);
      try {
        return new KeyedFile(file, input, codec, checksums, reader);
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
   * Returns the keys of rows, in file order.
   *
   * @param deleted tells of a row whether it is deleted; deleted rows whose key has a NULL are left
   *     out
   * @throws SparkNdException if the key of another row has a NULL
   */
  public KeyRows keys(IntPredicate deleted) {
    KeyList keys = new KeyList();
    int[] positions = new int[rows];
    int[] count = {0};
    scan(null, keys, deleted, position -> positions[count[0]++] = position);
    return new KeyRows(keys, Arrays.copyOf(positions, count[0]));
  }

  /**
   * Finds the rows of some keys, deleted ones too. If the file is sorted and its pages have
   * statistics, it is not read as a whole.
   *
   * @param wanted ascending
   * @param deleted tells of a row whose key has a NULL whether it is deleted
   * @throws SparkNdException if a row that was read has a NULL and is not deleted
   */
  public KeyMatches matches(KeyList wanted, IntPredicate deleted) {
    KeyMatcher matcher = new KeyMatcher(wanted);
    KeyList key = new KeyList();
    scan(
        wanted,
        key,
        deleted,
        position -> {
          matcher.add(key, position);
          key.clear();
        });
    return matcher.matches();
  }

  /**
   * Reads the keys of rows one by one.
   *
   * @param wanted only rows on pages that may have these keys are read; null for all
   * @param keys each row's key is appended
   * @param deleted tells of a row whose key has a NULL whether it is deleted
   * @param positions receives each row's position after its key was appended
   */
  private void scan(
      @Nullable KeyList wanted, KeyList keys, IntPredicate deleted, IntConsumer positions) {
    guarded(
        () -> {
          List<ColumnDescriptor> descriptors = codec.columns().stream().map(columns::key).toList();
          int first = 0;
          try (ParquetFileReader own = of(descriptors)) {
            for (int group = 0; group < reader.getRowGroups().size(); group++) {
              RowGroupReader read = new RowGroupReader(name, own, group, descriptors);
              scan(read, first, wanted, new KeyScan(keys, deleted, positions));
              first += (int) read.rows();
            }
          }
          return this;
        });
  }

  private record KeyScan(KeyList keys, IntPredicate deleted, IntConsumer positions) {}

  private void scan(RowGroupReader group, int first, @Nullable KeyList wanted, KeyScan scan)
      throws IOException {
    RowRanges ranges = ranges(group, wanted);
    if (ranges.rowCount() == 0) {
      return; // no rows, or no page that may have wanted keys
    }
    boolean isWhole = ranges.rowCount() == group.rows();
    try (PageReadStore pages = group.pages(isWhole ? null : ranges)) {
      KeyReader read = new KeyReader(group, codec, pages);
      PrimitiveIterator.OfLong numbers = ranges.iterator();
      while (numbers.hasNext()) {
        long row = numbers.nextLong();
        int position = (int) (first + row);
        String missing = read.nullColumn(row);
        if (missing == null) {
          read.append(row, scan.keys());
          scan.positions().accept(position);
        } else if (!scan.deleted().test(position)) {
          throw TableErrors.nullInFile(name, "with a NULL key", missing);
        }
      }
    }
  }

  /** Returns the rows of pages that may have some keys. */
  private RowRanges ranges(RowGroupReader group, @Nullable KeyList wanted) throws IOException {
    if (group.rows() == 0) {
      return RowRanges.EMPTY;
    }
    RowRanges some =
        wanted == null
            ? null
            : new KeyPagePruning(group.reader(), group.ordinal(), group.columns().get(0), codec)
                .ranges(wanted);
    return some == null ? RowRanges.createSingle(group.rows()) : some;
  }

  private ParquetFileReader of(List<ColumnDescriptor> some) throws IOException {
    return ParquetReaders.open(input, checksums, reader.getFooter(), some);
  }

  /**
   * Returns whether {@link #values} can read a column of this file; it cannot if the file does not
   * have the column, or stores it as another type.
   *
   * @param fieldId id of the column in the Iceberg schema
   */
  public boolean hasCells(int fieldId, String column, CellType.Elements type) {
    return columns.cells(fieldId, column, type) != null;
  }

  /**
   * Reads cells of some rows of several columns. If the file has an offset index, pages without
   * selected rows are skipped.
   *
   * @param positions positions of the rows, ascending
   * @param slots slots of the cells in the columns' targets
   * @param count number of valid entries in both arrays
   * @throws SparkNdException if a value is not a slice of the cells' shape
   */
  public void values(List<CellColumn> cells, int[] positions, int[] slots, int count) {
    List<LeafColumn> leaves = cells.stream().map(this::leaf).toList();
    guarded(
        () -> {
          readSome(leaves, cells, new RowSelection(positions, slots, 0, count, 0));
          return this;
        });
  }

  private LeafColumn leaf(CellColumn cells) {
    LeafColumn leaf = columns.cells(cells.fieldId(), cells.name(), cells.target().type());
    if (leaf == null) {
      throw new IllegalArgumentException(
          "column " + cells.name() + " of " + name + " has no cells");
    }
    return leaf;
  }

  private void readSome(List<LeafColumn> leaves, List<CellColumn> cells, RowSelection wanted)
      throws IOException {
    long first = 0;
    int from = wanted.from();
    try (ParquetFileReader own = of(leaves.stream().map(LeafColumn::column).toList())) {
      for (int group = 0; from < wanted.to(); group++) {
        long end = first + own.getRowGroups().get(group).getRowCount();
        int to = from;
        while (to < wanted.to() && wanted.positions()[to] < end) {
          to++;
        }
        if (to > from) {
          readGroup(
              own,
              group,
              leaves,
              cells,
              new RowSelection(wanted.positions(), wanted.slots(), from, to, first));
        }
        first = end;
        from = to;
      }
    }
  }

  private void readGroup(
      ParquetFileReader own,
      int group,
      List<LeafColumn> leaves,
      List<CellColumn> cells,
      RowSelection wanted)
      throws IOException {
    RowGroupReader read =
        new RowGroupReader(name, own, group, leaves.stream().map(LeafColumn::column).toList());
    try (PageReadStore pages = read.pages(() -> new PagePruning(own, group, leaves).read(wanted))) {
      for (int i = 0; i < leaves.size(); i++) {
        LeafColumn leaf = leaves.get(i);
        ElementCells target = cells.get(i).target();
        FileContext context = new FileContext(name, target.type().dtype(), target.type().shape());
        read.decode(
            leaf.column(),
            () ->
                new CellChunkReader(leaf, context, pages, wanted, new ElementTarget(target))
                    .read());
      }
    }
  }

  /** Returns the lineage of all rows as stored in the file, in file order. */
  public RowLineage lineage() {
    return guarded(() -> new LineageColumns(name, reader, rows).read());
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private <T> T guarded(Reading<T> reading) {
    try {
      T read = reading.run();
      input.release(); // so that a block of many files has one open stream at a time
      return read;
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw file.failure(e);
    }
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
