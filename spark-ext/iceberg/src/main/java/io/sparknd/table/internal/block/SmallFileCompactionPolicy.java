/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Selects the files of a block that are merged into the new file. In other files, updated rows are
 * deleted by deletion vectors.
 *
 * <p>Files with few untouched rows, compared with the rows that are written anyway, are merged:
 * keeping such a file costs readers more than rewriting those rows. Of other files only the updated
 * rows are written, no more than a {@code MERGE} with deletion vectors writes. Files that earlier
 * scatters added to a block are small and accumulate. Once there are {@link #MOST_SMALL} such
 * files, they are merged from the smallest on, each if it has at most twice as many rows as are
 * already to be written. A row is thus rewritten once in many scatters, each time into a larger
 * file, as in a log-structured merge tree, and the number of files that a reader opens stays
 * bounded.
 */
final class SmallFileCompactionPolicy {
  /** Number of small files in a block from which on they are merged. */
  static final int MOST_SMALL = 16;

  private static final int SMALL_FACTOR = 2;

  /** Maximum untouched rows of a merged file, as a share of the rows written. */
  private static final double LITTLE = 1 / 8.0;

  /** Maximum rows of a small file, as a share of a block. */
  private static final double LARGE = 1 / 4.0;

  private SmallFileCompactionPolicy() {}

  /**
   * Returns the files to merge.
   *
   * @param written rows that are written in any case
   * @param perBlock rows of a full block
   */
  static Set<SplitFile> of(List<SplitFile> files, long written, long perBlock) {
    List<SplitFile> ascending =
        files.stream().sorted(Comparator.comparingInt(SplitFile::untouched)).toList();
    boolean isFull = files.stream().filter(file -> isSmall(file, perBlock)).count() >= MOST_SMALL;
    Set<SplitFile> absorbed = new HashSet<>();
    long rows = written;
    for (SplitFile file : ascending) {
      double most = isFull && isSmall(file, perBlock) ? SMALL_FACTOR : LITTLE;
      if (file.untouched() <= most * rows) {
        absorbed.add(file);
        rows += file.untouched();
      }
    }
    return absorbed;
  }

  private static boolean isSmall(SplitFile file, long perBlock) {
    return file.touched() + file.untouched() <= LARGE * perBlock;
  }
}
