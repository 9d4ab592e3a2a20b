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
 * <p>From the smallest on, a file is absorbed if that writes at most twice as many rows as are
 * written already. So a block of which a third is updated is written whole, small files of earlier
 * scatters go up in the next, and what a row costs stays within a factor of the logarithm of the
 * scatters that a block has seen, as in a log-structured merge tree.
 */
final class Absorption {
  private static final int FACTOR = 2;

  private Absorption() {}

  /**
   * @param written rows that are written in any case
   */
  static Set<SplitFile> of(List<SplitFile> files, long written) {
    List<SplitFile> ascending =
        files.stream().sorted(Comparator.comparingInt(SplitFile::untouched)).toList();
    Set<SplitFile> absorbed = new HashSet<>();
    long rows = written;
    for (SplitFile file : ascending) {
      if (file.untouched() > FACTOR * rows) {
        break;
      }
      absorbed.add(file);
      rows += file.untouched();
    }
    return absorbed;
  }
}
