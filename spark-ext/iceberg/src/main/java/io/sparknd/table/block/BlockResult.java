/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.table.store.StoredFile;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * What a task wrote for one block, not committed yet.
 *
 * @param added new data files
 * @param replaced data files whose live rows are all in new ones
 * @param vectors new deletion vectors
 * @param replacedVectors old ones that the new ones take over
 * @param deletions of which the vectors are still to be written
 * @param rows that updates named
 * @param updates of those, repeated ones too
 */
public record BlockResult(
    long block,
    List<DataFile> added,
    List<StoredFile> replaced,
    List<DeleteFile> vectors,
    List<DeleteFile> replacedVectors,
    List<PendingDeletionVector> deletions,
    long rows,
    long updates)
    implements Serializable {

  /** Files that the block's new deletion vectors are of. */
  public List<String> referenced() {
    return vectors.stream().map(DeleteFile::referencedDataFile).distinct().toList();
  }

  /** Bytes of the new files; of deletion vectors their own, not their files'. */
  public long bytes() {
    return added.stream().mapToLong(DataFile::fileSizeInBytes).sum()
        + vectors.stream().mapToLong(DeleteFile::contentSizeInBytes).sum();
  }

  /** Files that come and go, deletion vectors among them. */
  public long files() {
    return added.size() + replaced.size() + vectors.size() + replacedVectors.size();
  }

  /** Without vectors: what a task has done before those are written. */
  static BlockResult of(
      long block,
      List<DataFile> added,
      List<StoredFile> replaced,
      List<PendingDeletionVector> deletions,
      long rows,
      long updates) {
    return new BlockResult(block, added, replaced, List.of(), List.of(), deletions, rows, updates);
  }

  /**
   * With the vectors of its deletions.
   *
   * @param written by the data file that each is of
   */
  BlockResult with(Map<String, DeleteFile> written) {
    return new BlockResult(
        block,
        added,
        replaced,
        deletions.stream().map(deletion -> written.get(deletion.file())).toList(),
        deletions.stream().flatMap(deletion -> deletion.replaced().stream()).toList(),
        List.of(),
        rows,
        updates);
  }

  /** The same, to be sent to another JVM. */
  BlockResult toSend() {
    return new BlockResult(
        block,
        added,
        replaced,
        vectors,
        replacedVectors,
        deletions.stream().map(PendingDeletionVector::toSend).toList(),
        rows,
        updates);
  }
}
