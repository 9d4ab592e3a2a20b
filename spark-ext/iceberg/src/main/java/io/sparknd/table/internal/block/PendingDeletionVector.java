/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.store.StoredFile;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/**
 * Deletions from a data file that stays in the table, whose vector is not written yet.
 *
 * @param file location of the data file
 * @param specId id of the file's partition spec
 * @param partition the file's partition
 * @param positions positions of the rows to delete
 * @param before earlier deletions, which the vector must include; null if there are none, or if
 *     {@code positions} includes them
 * @param replaced delete files that the vector replaces
 */
public record PendingDeletionVector(
    String file,
    int specId,
    StructLike partition,
    int[] positions,
    @Nullable PositionDeleteIndex before,
    List<DeleteFile> replaced)
    implements Serializable {

  static PendingDeletionVector of(OpenFile file, int[] positions) {
    return of(file.stored(), file.deleted(), positions);
  }

  /**
   * Returns deletions from a file.
   *
   * @param before positions deleted by earlier commits
   */
  public static PendingDeletionVector of(
      StoredFile file, PositionDeleteIndex before, int[] positions) {
    return new PendingDeletionVector(
        file.location(),
        file.data().specId(),
        file.data().partition(),
        positions,
        before.isEmpty() ? null : before,
        before.deleteFiles().stream().filter(ContentFileUtil::isFileScoped).toList());
  }

  /** Returns the number of rows that the vector will delete. */
  long count() {
    return positions.length + (before == null ? 0 : before.cardinality());
  }

  /** Returns a copy that can be sent to another JVM. */
  PendingDeletionVector toSend() {
    if (before == null) {
      return this;
    }
    int[] all = Arrays.copyOf(positions, Math.toIntExact(count()));
    int[] next = {positions.length};
    before.forEach(position -> all[next[0]++] = (int) position);
    return new PendingDeletionVector(file, specId, partition, all, null, replaced);
  }
}
