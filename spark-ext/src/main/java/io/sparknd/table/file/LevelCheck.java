/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;

/** Checks, run by run, that the values of a page are whole slices without nulls. */
final class LevelCheck {
  private final Leaf leaf;
  private final Place place;
  private final int depth;
  private final int present;

  LevelCheck(Leaf leaf, Place place) {
    this.leaf = leaf;
    this.place = place;
    this.depth = leaf.column().getMaxRepetitionLevel();
    this.present = leaf.column().getMaxDefinitionLevel();
  }

  /**
   * @param element the page's first, counted from the first of {@code firstRow}
   * @throws BadRow if a row holds something else
   */
  void check(PageParts page, long firstRow, long element) {
    int whole = depth == 0 ? page.count() : whole(page, element);
    LevelRuns absent = present == 0 ? null : absent(page);
    if (absent != null && absent.start() < whole) {
      throw absent(firstRow + (element + absent.start()) / leaf.elements(), absent.value());
    }
    if (whole < page.count()) {
      throw wrongShape(page, firstRow, element + whole, whole);
    }
  }

  /** How many values of the page come before the first with an unexpected repetition level. */
  private int whole(PageParts page, long element) {
    RowPattern pattern = leaf.pattern();
    LevelRuns runs = new LevelRuns(page.repetitions(), depth, page.count());
    int position = (int) (element % pattern.length());
    while (runs.next()) {
      for (int done = 0; done < runs.length(); ) {
        if (pattern.level(position) != runs.value()) {
          return runs.start() + done;
        }
        int step = Math.min(runs.length() - done, pattern.runEnd(position) - position);
        position = position + step == pattern.length() ? 0 : position + step;
        done += step;
      }
    }
    return page.count();
  }

  /** The first run of values that are not there, or null. */
  private LevelRuns absent(PageParts page) {
    LevelRuns runs = new LevelRuns(page.definitions(), present, page.count());
    while (runs.next()) {
      if (runs.value() != present) {
        return runs;
      }
    }
    return null;
  }

  private BadRow absent(long row, int level) {
    return leaf.emptyLevels().contains(level)
        ? new BadRow(row, wrongLength(0))
        : new BadRow(row, name -> NdErrors.nullInFile(place.file(), name, leaf.name()));
  }

  private BadRow wrongShape(PageParts page, long firstRow, long element, int at) {
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
      return new BadRow(row, wrongLength(before));
    }
    return before == 0
        ? new BadRow(row - 1, wrongLength(leaf.elements() + more))
        : new BadRow(
            row, name -> NdErrors.raggedInFile(place.file(), name, leaf.name(), place.slice()));
  }

  /** The error of a row with {@code found} values. */
  Function<String, SparkNdException> wrongLength(long found) {
    return row -> NdErrors.wrongLengthInFile(place.file(), row, leaf.name(), found, place.slice());
  }
}
