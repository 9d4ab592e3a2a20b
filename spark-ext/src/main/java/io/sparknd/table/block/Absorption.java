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
 * would cost a reader more than it costs to write that little. Of larger files only the updated
 * rows are written, not all of them: no more than a {@code MERGE} that leaves deletion vectors
 * writes. What earlier scatters added to a block is small, and is absorbed from the smallest file
 * on, if that writes at most twice as many rows as are written already. So small files go up in the
 * next, and what a row costs stays within a factor of the logarithm of the scatters that a block
 * has seen, as in a log-structured merge tree.
 */
final class Absorption {
  private static final int SMALL_FACTOR = 2;

  /** Of the rows written, what a large file may have left. */
  private static final double LITTLE = 1 / 8.0;

  /** Of a block, what a small file has at most. */
  private static final double LARGE = 1 / 4.0;

  private Absorption() {}

  /**
   * @param written rows that are written in any case
   * @param perBlock rows of a full block
   */
  static Set<SplitFile> of(List<SplitFile> files, long written, long perBlock) {
    List<SplitFile> ascending =
        files.stream().sorted(Comparator.comparingInt(SplitFile::untouched)).toList();
    Set<SplitFile> absorbed = new HashSet<>();
    long rows = written;
    for (SplitFile file : ascending) {
      double most = isLarge(file, perBlock) ? LITTLE : SMALL_FACTOR;
      if (file.untouched() <= most * rows) {
        absorbed.add(file);
        rows += file.untouched();
      }
    }
    return absorbed;
  }

  private static boolean isLarge(SplitFile file, long perBlock) {
    return file.touched() + file.untouched() > LARGE * perBlock;
  }
}
