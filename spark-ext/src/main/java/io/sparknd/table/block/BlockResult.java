/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.table.store.StoredFile;
import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * What a task wrote for one block, not committed yet.
 *
 * @param added new data files
 * @param replaced data files whose live rows are all in new ones
 * @param vectors new deletion vectors
 * @param replacedVectors old ones that the new ones take over
 * @param rows that updates named
 * @param updates of those, repeated ones too
 */
public record BlockResult(
    long block,
    List<DataFile> added,
    List<StoredFile> replaced,
    List<DeleteFile> vectors,
    List<DeleteFile> replacedVectors,
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

  BlockResult with(List<DeleteFile> newVectors, List<DeleteFile> oldVectors) {
    return new BlockResult(block, added, replaced, newVectors, oldVectors, rows, updates);
  }
}
