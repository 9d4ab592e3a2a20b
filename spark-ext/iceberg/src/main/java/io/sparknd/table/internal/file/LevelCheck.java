/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;

/** Checks by runs of levels that a page holds whole slices without nulls. */
final class LevelCheck {
  private final LeafColumn leaf;
  private final FileContext context;
  private final int depth;

  LevelCheck(LeafColumn leaf, FileContext context) {
    this.leaf = leaf;
    this.context = context;
    this.depth = leaf.column().getMaxRepetitionLevel();
  }

  /**
   * Checks the levels of a page.
   *
   * @param firstRow number of the row group's first row in the file
   * @param element the page's first element, counted from that row's first
   * @throws InvalidRowException if a row is not a whole slice without nulls
   */
  void check(PageParts page, long firstRow, long element) {
    int whole = leaf.pattern().matchingValues(page, (int) (element % leaf.elements()));
    LevelRuns absent = page.absent(leaf.column());
    if (absent != null && absent.start() < whole) {
      throw absent(firstRow + (element + absent.start()) / leaf.elements(), absent.value());
    }
    if (whole < page.count()) {
      throw wrongShape(page, firstRow, element + whole, whole);
    }
  }

  private InvalidRowException absent(long row, int level) {
    return leaf.emptyLevels().contains(level)
        ? new InvalidRowException(row, wrongLength(0))
        : new InvalidRowException(
            row, name -> TableErrors.nullInFile(context.file(), name, leaf.name()));
  }

  private InvalidRowException wrongShape(PageParts page, long firstRow, long element, int at) {
    long row = firstRow + element / leaf.elements();
    int before = (int) (element % leaf.elements());
    LevelRuns runs = new LevelRuns(page.repetitions(), depth, page.count());
    int found = -1;
    int more = 0;
    while (runs.next()) {
      if (runs.start() + runs.length() <= at) {
        continue;
      }
      found = found < 0 ? runs.value() : found;
      if (runs.value() == 0) {
        break;
      }
      more += runs.length() - Math.max(0, at - runs.start());
    }
    if (found == 0) {
      return new InvalidRowException(row, wrongLength(before));
    }
    return before == 0
        ? new InvalidRowException(row - 1, wrongLength(leaf.elements() + more))
        : new InvalidRowException(
            row,
            name -> TableErrors.raggedInFile(context.file(), name, leaf.name(), context.slice()));
  }

  /** Returns the error of a row with {@code found} values. */
  Function<String, SparkNdException> wrongLength(long found) {
    return row ->
        TableErrors.wrongLengthInFile(context.file(), row, leaf.name(), found, context.slice());
  }
}
