/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.ElementCells;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads cells of one column of one row group. Unlike {@link ColumnChunkReader}, it reads columns
 * with NULLs; pages begin with a row.
 */
final class CellChunkReader {
  private final LeafColumn leaf;
  private final FileContext context;
  private final PageReader pages;
  private final @Nullable Dictionary dictionary;
  private final long groupStart;
  private long next;

  /**
   * @param groupStart number of the row group's first row in the file
   */
  CellChunkReader(LeafColumn leaf, FileContext context, PageReadStore group, long groupStart) {
    this.leaf = leaf;
    this.context = context;
    this.pages = group.getPageReader(leaf.column());
    this.dictionary = PageBytes.dictionary(pages, leaf.column());
    this.groupStart = groupStart;
  }

  /** Reads the selected rows to their slots in {@code target}. */
  void read(RowSelection wanted, ElementCells target) {
    int i = wanted.from();
    while (i < wanted.to()) {
      DataPage raw = pages.readPage();
      if (raw == null) {
        throw new ParquetDecodingException("column " + leaf.name() + " has too few values");
      }
      i = read(PageParts.of(raw, leaf.column()), wanted, i, target);
    }
  }

  private int read(PageParts page, RowSelection wanted, int first, ElementCells target) {
    boolean isDense =
        page.absent(leaf.column()) == null
            && page.count() % leaf.elements() == 0
            && leaf.pattern().matchingValues(page, 0) == page.count();
    long start = page.firstRow() < 0 ? next : page.firstRow();
    if (isDense) {
      next = start + page.count() / leaf.elements();
      return readDense(page, start, wanted, first, target);
    }
    PageRows rows = PageRows.of(page, leaf);
    next = start + rows.count();
    return readSparse(page, rows, start, wanted, first, target);
  }

  private int readDense(
      PageParts page, long start, RowSelection wanted, int first, ElementCells target) {
    PageDecoder values = null;
    long at = 0;
    int i = first;
    while (i < wanted.to() && wanted.row(i) < next) {
      values = values == null ? PageDecoder.of(page, leaf, dictionary) : values;
      int run = (int) Math.min(wanted.run(i), next - wanted.row(i));
      long from = (wanted.row(i) - start) * leaf.elements();
      values.skip((int) (from - at));
      read(values, run * leaf.elements(), wanted, i, target);
      for (int row = i; row < i + run; row++) {
        target.mark(wanted.slot(row));
      }
      at = from + (long) run * leaf.elements();
      i += run;
    }
    return i;
  }

  private int readSparse(
      PageParts page,
      PageRows rows,
      long start,
      RowSelection wanted,
      int first,
      ElementCells target) {
    PageParts present =
        new PageParts(
            rows.values(),
            page.firstRow(),
            page.repetitions(),
            page.definitions(),
            page.encoding(),
            page.values());
    PageDecoder values = null;
    int at = 0;
    int i = first;
    for (; i < wanted.to() && wanted.row(i) < next; i++) {
      int row = (int) (wanted.row(i) - start);
      if (rows.isNull(row)) {
        target.clear(wanted.slot(i));
        continue;
      }
      check(rows, row, wanted.row(i));
      values = values == null ? PageDecoder.of(present, leaf, dictionary) : values;
      values.skip(rows.firstValue(row) - at);
      read(values, leaf.elements(), wanted, i, target);
      target.mark(wanted.slot(i));
      at = rows.firstValue(row) + leaf.elements();
    }
    return i;
  }

  private void check(PageRows rows, int row, long inGroup) {
    String name = (groupStart + inGroup) + " of the file";
    if (rows.hasNullInside(row)) {
      throw TableErrors.nullInFile(context.file(), name, leaf.name());
    }
    if (rows.length(row) != leaf.elements()) {
      throw TableErrors.wrongLengthInFile(
          context.file(), name, leaf.name(), rows.length(row), context.slice());
    }
    if (!rows.isNestedAsSlices(row)) {
      throw TableErrors.raggedInFile(context.file(), name, leaf.name(), context.slice());
    }
  }

  private void read(
      PageDecoder values, int count, RowSelection wanted, int i, ElementCells target) {
    try {
      int unit = wanted.slot(i) * target.type().units();
      values.read(count, target.payload(), unit, leaf.stride());
    } catch (InvalidElementException bad) {
      String name = (groupStart + wanted.row(i)) + " of the file";
      throw leaf.kind() instanceof ValueKind.Slice slice
          ? TableErrors.wrongBytesInFile(
              context.file(), name, leaf.name(), (int) bad.value(), slice.bytes())
          : TableErrors.wrongElementInFile(
              context.file(), name, leaf.name(), bad.value(), context.dtype());
    }
  }

  /**
   * The rows of a page of which some are NULL.
   *
   * @param ragged whether a row begins nested arrays where slices do not
   */
  private record PageRows(
      int[] starts,
      int[] firstValues,
      boolean[] nulls,
      boolean[] nullsInside,
      boolean[] ragged,
      int values) {

    static PageRows of(PageParts page, LeafColumn leaf) {
      ColumnDescriptor column = leaf.column();
      int present = column.getMaxDefinitionLevel();
      int[] definitions = levels(page.definitions(), present, page.count());
      int[] repetitions = levels(page.repetitions(), column.getMaxRepetitionLevel(), page.count());
      int rows = 0;
      for (int level : repetitions) {
        rows += level == 0 ? 1 : 0;
      }
      int[] starts = new int[rows + 1];
      int[] firstValues = new int[rows];
      boolean[] nulls = new boolean[rows];
      boolean[] nullsInside = new boolean[rows];
      boolean[] ragged = new boolean[rows];
      int row = -1;
      int values = 0;
      for (int i = 0; i < page.count(); i++) {
        if (repetitions[i] == 0) {
          starts[++row] = i;
          firstValues[row] = values;
          nulls[row] = present > 0 && definitions[i] == 0;
        }
        nullsInside[row] |= definitions[i] < present;
        int position = i - starts[row];
        ragged[row] |=
            position < leaf.elements() && repetitions[i] != leaf.pattern().level(position);
        values += definitions[i] == present ? 1 : 0;
      }
      starts[rows] = page.count();
      return new PageRows(starts, firstValues, nulls, nullsInside, ragged, values);
    }

    private static int[] levels(ByteBuffer bytes, int most, int count) {
      int[] levels = new int[count];
      if (most > 0) {
        LevelRuns runs = new LevelRuns(bytes, most, count);
        while (runs.next()) {
          Arrays.fill(levels, runs.start(), runs.start() + runs.length(), runs.value());
        }
      }
      return levels;
    }

    int count() {
      return nulls.length;
    }

    boolean isNull(int row) {
      return nulls[row];
    }

    boolean hasNullInside(int row) {
      return nullsInside[row];
    }

    boolean isNestedAsSlices(int row) {
      return !ragged[row];
    }

    int firstValue(int row) {
      return firstValues[row];
    }

    int length(int row) {
      return starts[row + 1] - starts[row];
    }
  }
}
