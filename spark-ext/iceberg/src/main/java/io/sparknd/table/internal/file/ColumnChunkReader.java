/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.Objects;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/** Reads one column of one row group, page by page. */
final class ColumnChunkReader {
  private final LeafColumn leaf;
  private final FileContext context;
  private final PageReader pages;
  private final PageDecoders decoders;
  private final LevelCheck levels;
  private final long firstRow;
  private @Nullable PageDecoder values;
  private long start;
  private long end;

  /**
   * Starts a scan at the first page.
   *
   * @param firstRow number of the row group's first row in the file
   */
  ColumnChunkReader(LeafColumn leaf, FileContext context, PageReadStore group, long firstRow) {
    this.leaf = leaf;
    this.context = context;
    this.pages = group.getPageReader(leaf.column());
    this.decoders = new PageDecoders(leaf, pages);
    this.levels = new LevelCheck(leaf, context);
    this.firstRow = firstRow;
  }

  /** Reads all {@code rows} of the group to {@code target}, starting at unit {@code at}. */
  void all(int rows, Object target, int at) {
    long elements = (long) rows * leaf.elements();
    while (next()) {
      if (end > elements) {
        throw new ParquetDecodingException("column " + leaf.name() + " has too many values");
      }
      read(start, (int) (end - start), target, at + leaf.firstUnit() + (int) start * leaf.stride());
    }
    if (end < elements) {
      throw tooShort();
    }
  }

  /** Reads the selected rows to their slots in {@code target}, in rows of {@code units} units. */
  void some(RowSelection wanted, Object target, int units) {
    int i = wanted.from();
    while (i < wanted.to() && next()) {
      i = fromPage(wanted, i, target, units);
    }
    if (i < wanted.to()) {
      throw tooShort();
    }
  }

  /**
   * Reads the page's part of the selected rows, starting at the {@code first} of them; returns the
   * first that is not fully read.
   */
  private int fromPage(RowSelection wanted, int first, Object target, int units) {
    int per = leaf.elements();
    long at = start;
    for (int i = first; i < wanted.to(); ) {
      int run = wanted.run(i);
      long from = Math.max(start, wanted.row(i) * per);
      long to = Math.min(end, (wanted.row(i) + run) * per);
      if (from < to) {
        Objects.requireNonNull(values).skip((int) (from - at));
        int done = (int) (from - wanted.row(i) * per);
        int unit = wanted.slot(i) * units + leaf.firstUnit() + done * leaf.stride();
        read(from, (int) (to - from), target, unit);
        at = to;
      }
      if (to < (wanted.row(i) + run) * per) {
        return from < to ? i + (int) (to / per - wanted.row(i)) : i;
      }
      i += run;
    }
    return wanted.to();
  }

  private void read(long element, int count, Object target, int unit) {
    try {
      Objects.requireNonNull(values).read(count, target, unit, leaf.stride());
    } catch (InvalidElementException bad) {
      long row = firstRow + (element + bad.position()) / leaf.elements();
      throw new InvalidRowException(row, name -> error(name, bad));
    }
  }

  private SparkNdException error(String row, InvalidElementException bad) {
    return leaf.kind() instanceof ValueKind.Slice slice
        ? TableErrors.wrongBytesInFile(
            context.file(), row, leaf.name(), (int) bad.value(), slice.bytes())
        : TableErrors.wrongElementInFile(
            context.file(), row, leaf.name(), bad.value(), context.dtype());
  }

  private InvalidRowException tooShort() {
    long row = firstRow + end / leaf.elements();
    return new InvalidRowException(row, levels.wrongLength(end % leaf.elements()));
  }

  private boolean next() {
    DataPage raw = pages.readPage();
    if (raw == null) {
      return false;
    }
    PageParts page = PageParts.of(raw, leaf.column());
    start = page.firstRow() < 0 ? end : page.firstRow() * leaf.elements();
    end = start + page.count();
    levels.check(page, firstRow, start);
    values = decoders.of(page);
    return true;
  }
}
