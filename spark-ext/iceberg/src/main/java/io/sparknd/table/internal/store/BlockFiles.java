/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The files that hold one block of a tensor at a snapshot. */
public record BlockFiles(long block, List<StoredFile> files) implements Serializable {
  public BlockFiles {
    files = List.copyOf(files);
  }

  /** Returns a block of which nothing was written yet. */
  public static BlockFiles none(long block) {
    return new BlockFiles(block, List.of());
  }

  /**
   * Returns the number of live rows; a lower bound if a position delete file covers several data
   * files.
   */
  public long liveRows() {
    return files.stream().mapToLong(StoredFile::liveRows).sum();
  }

  public long bytes() {
    return files.stream().mapToLong(file -> file.data().fileSizeInBytes()).sum();
  }

  /** Returns whether both have the same data files and deletes. */
  public boolean isSameAs(BlockFiles other) {
    return identities().equals(other.identities());
  }

  private Set<String> identities() {
    return files.stream().map(StoredFile::identity).collect(Collectors.toSet());
  }
}
