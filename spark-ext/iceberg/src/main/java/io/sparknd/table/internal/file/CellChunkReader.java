/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * Reads cells of one column of one row group. Unlike {@link ColumnChunkReader}, it reads columns
 * with NULLs. Pages may begin within a row, as some writers make them in files without an offset
 * index. Used once.
 */
final class CellChunkReader {
  private final LeafColumn leaf;
  private final FileContext context;
  private final PageReader pages;
  private final PageDecoders decoders;
  private final RowSelection wanted;
  private final ReadTarget target;
  private final RowLevels levels;

  /** The next wanted row that no page had yet. */
  private int next;

  /** The row whose values are read, of the row group; -1 before the first. */
  private long row = -1;

  /** The number of that row among the wanted ones; -1 if it is not wanted or ended. */
  private int open = -1;

  /** Reads the wanted rows to their slots in {@code target}. */
  CellChunkReader(
      LeafColumn leaf,
      FileContext context,
      PageReadStore group,
      RowSelection wanted,
      ReadTarget target) {
    this.leaf = leaf;
    this.context = context;
    this.pages = group.getPageReader(leaf.column());
    this.decoders = new PageDecoders(leaf, pages);
    this.wanted = wanted;
    this.target = target;
    this.levels = new RowLevels(leaf);
    this.next = wanted.from();
  }

  /**
   * Reads all pages that have wanted rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if a wanted row is not a slice
   */
  void read() {
    while (next < wanted.to() || open >= 0) {
      DataPage raw = pages.readPage();
      if (raw == null) {
        break;
      }
      read(PageParts.of(raw, leaf.column()));
    }
    close();
    if (next < wanted.to()) {
      throw new ParquetDecodingException("column " + leaf.name() + " has too few values");
    }
  }

  private void read(PageParts page) {
    boolean beginsWithRow = page.firstRow() >= 0 || leaf.pattern().depth() == 0;
    if (page.firstRow() >= 0) {
      close();
      row = page.firstRow() - 1;
    }
    if (isDense(page)) {
      close();
      readDense(page);
    } else {
      readSingly(page);
    }
    if (beginsWithRow) { // and so does the next one
      close();
    }
  }

  private boolean isDense(PageParts page) {
    return page.absent(leaf.column()) == null
        && page.count() % leaf.elements() == 0
        && leaf.pattern().matchingValues(page, 0) == page.count();
  }

  /** Reads a page of slices, of which the last may have more values in the next page. */
  private void readDense(PageParts page) {
    long start = row + 1;
    long end = start + page.count() / leaf.elements();
    PageDecoder values = null;
    long at = 0;
    while (next < wanted.to() && wanted.row(next) < end) {
      values = values == null ? decoders.of(page) : values;
      int run = (int) Math.min(wanted.run(next), end - wanted.row(next));
      long from = (wanted.row(next) - start) * leaf.elements();
      values.skip((int) (from - at));
      read(values, run * leaf.elements(), next, 0);
      for (int i = next; i < next + run; i++) {
        target.mark(wanted.slot(i));
      }
      at = from + (long) run * leaf.elements();
      next += run;
    }
    row = end - 1;
    if (next > wanted.from() && wanted.row(next - 1) == row) {
      open = next - 1;
      levels.beginWhole();
    }
  }

  /** Reads a page row by row. */
  private void readSingly(PageParts page) {
    int present = leaf.column().getMaxDefinitionLevel();
    int[] definitions = levels(page.definitions(), present, page.count());
    int depth = leaf.column().getMaxRepetitionLevel();
    int[] repetitions = levels(page.repetitions(), depth, page.count());
    PageDecoder values = null;
    int skipped = 0;
    for (int from = 0; from < page.count(); ) {
      if (repetitions[from] == 0) {
        begin(definitions[from]);
      } else if (row < 0) {
        throw new ParquetDecodingException("the first page of " + leaf.name() + " begins in a row");
      }
      int to = from + 1;
      while (to < page.count() && repetitions[to] != 0) {
        to++;
      }
      int count = countOf(present, definitions, from, to);
      int length = levels.length();
      boolean isSlice = open >= 0 && levels.add(repetitions, definitions, from, to);
      if (isSlice && count > 0) {
        values = values == null ? decoders.of(withCount(page, definitions)) : values;
        values.skip(skipped);
        read(values, count, open, length);
        skipped = 0;
      } else {
        skipped += count;
      }
      from = to;
    }
  }

  private PageParts withCount(PageParts page, int[] definitions) {
    int present = leaf.column().getMaxDefinitionLevel();
    return new PageParts(
        countOf(present, definitions, 0, definitions.length),
        page.firstRow(),
        page.repetitions(),
        page.definitions(),
        page.encoding(),
        page.values());
  }

  private static int countOf(int level, int[] levels, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += levels[i] == level ? 1 : 0;
    }
    return count;
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

  private void begin(int definition) {
    close();
    row++;
    if (next < wanted.to() && wanted.row(next) == row) {
      open = next++;
      levels.begin(definition);
    }
  }

  /** Ends the row that is read, if it is wanted. */
  private void close() {
    if (open < 0) {
      return;
    }
    if (levels.isNull() && target.takesNulls()) {
      target.clear(wanted.slot(open));
    } else {
      check();
      target.mark(wanted.slot(open));
    }
    open = -1;
  }

  private void check() {
    if (levels.isNull() || levels.hasNullInside()) {
      throw TableErrors.nullInFile(context.file(), rowName(open, 0), leaf.name());
    }
    if (levels.length() != leaf.elements()) {
      throw TableErrors.wrongLengthInFile(
          context.file(), rowName(open, 0), leaf.name(), levels.length(), context.slice());
    }
    if (levels.isRagged()) {
      throw TableErrors.raggedInFile(
          context.file(), rowName(open, 0), leaf.name(), context.slice());
    }
  }

  private String rowName(int i, int after) {
    return (wanted.groupStart() + wanted.row(i) + after) + " of the file";
  }

  /**
   * Reads values of consecutive rows.
   *
   * @param i the first row's number among the wanted ones
   * @param element the first element of that row
   */
  private void read(PageDecoder values, int count, int i, int element) {
    try {
      int unit = wanted.slot(i) * target.units() + leaf.firstUnit() + element * leaf.stride();
      values.read(count, target.payload(), unit, leaf.stride());
    } catch (InvalidElementException bad) {
      String name = rowName(i, (element + bad.position()) / leaf.elements());
      throw leaf.kind() instanceof ValueKind.Slice slice
          ? TableErrors.wrongBytesInFile(
              context.file(), name, leaf.name(), (int) bad.value(), slice.bytes())
          : TableErrors.wrongElementInFile(
              context.file(), name, leaf.name(), bad.value(), context.dtype());
    }
  }
}
