/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which files of a block are written anew with the updated rows; of the others, the updated rows
 * are deleted by deletion vectors.
 *
 * <p>A file with little left, beside the rows that are written already, is absorbed: to keep it
 * would cost a reader more than it costs to write that little. Of other files only the updated rows
 * are written: no more than a {@code MERGE} that leaves deletion vectors writes. What earlier
 * scatters added to a block is small, and piles up; once there are {@link #MOST_SMALL} such files,
 * they are absorbed from the smallest on, each if it has at most twice as many rows as are written
 * already. So a row is written again once in so many scatters, and each time into a larger file, as
 * in a log-structured merge tree, and what a reader opens stays bounded.
 */
final class SmallFileCompactionPolicy {
  /** Small files that a block keeps. */
  static final int MOST_SMALL = 16;

  private static final int SMALL_FACTOR = 2;

  /** Of the rows written, what a file may have left. */
  private static final double LITTLE = 1 / 8.0;

  /** Of a block, what a small file has at most. */
  private static final double LARGE = 1 / 4.0;

  private SmallFileCompactionPolicy() {}

  /**
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
