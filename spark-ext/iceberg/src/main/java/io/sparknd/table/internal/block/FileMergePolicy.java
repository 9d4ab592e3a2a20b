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
 * scatters added to a block are small and accumulate. Once there are {@link #MAX_SMALL_FILES} such
 * files, they are merged from the smallest on, each if it has at most twice as many rows as are
 * already to be written. A row is thus rewritten once in many scatters, each time into a larger
 * file, as in a log-structured merge tree, and the number of files that a reader opens stays
 * bounded.
 */
public final class FileMergePolicy {
  /** Number of small files in a block from which on they are merged. */
  static final int MAX_SMALL_FILES = 16;

  private static final int SMALL_FACTOR = 2;

  /** Maximum untouched rows of a merged file, as a share of the rows written. */
  private static final double MAX_UNTOUCHED_SHARE = 1 / 8.0;

  /** Maximum rows of a small file, as a share of a block. */
  private static final double MAX_SMALL_SHARE = 1 / 4.0;

  private FileMergePolicy() {}

  /** A file of a block, with numbers of live rows. */
  public interface Candidate {
    /** Returns the number of rows that updates name. */
    int touched();

    /** Returns the number of rows that no update names. */
    int untouched();
  }

  /**
   * Returns the files to merge.
   *
   * @param written rows that are written in any case
   * @param perBlock rows of a full block
   */
  public static <F extends Candidate> Set<F> of(List<F> files, long written, long perBlock) {
    List<F> ascending =
        files.stream().sorted(Comparator.comparingInt(Candidate::untouched)).toList();
    boolean isFull =
        files.stream().filter(file -> isSmall(file, perBlock)).count() >= MAX_SMALL_FILES;
    Set<F> merged = new HashSet<>();
    long rows = written;
    for (F file : ascending) {
      double most = isFull && isSmall(file, perBlock) ? SMALL_FACTOR : MAX_UNTOUCHED_SHARE;
      if (file.untouched() <= most * rows) {
        merged.add(file);
        rows += file.untouched();
      }
    }
    return merged;
  }

  private static boolean isSmall(Candidate file, long perBlock) {
    return file.touched() + file.untouched() <= MAX_SMALL_SHARE * perBlock;
  }
}
