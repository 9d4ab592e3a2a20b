/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * What is deleted of a data file that stays, by a vector that is not written yet.
 *
 * @param file where it is
 * @param positions of the deleted rows in it
 * @param before what was deleted already, for the vector too; null for nothing, and where {@code
 *     positions} has it
 * @param replaced what the vector takes the place of
 */
record PendingDeletionVector(
    String file, int[] positions, PositionDeleteIndex before, List<DeleteFile> replaced)
    implements Serializable {

  static PendingDeletionVector of(OpenFile file, int[] positions) {
    PositionDeleteIndex before = file.deleted();
    return new PendingDeletionVector(
        file.stored().location(),
        positions,
        before.isEmpty() ? null : before,
        before.deleteFiles().stream().filter(ContentFileUtil::isFileScoped).toList());
  }

  /** Rows that the vector will have. */
  long count() {
    return positions.length + (before == null ? 0 : before.cardinality());
  }

  /** The same, to be sent to another JVM. */
  PendingDeletionVector toSend() {
    if (before == null) {
      return this;
    }
    int[] all = Arrays.copyOf(positions, Math.toIntExact(count()));
    int[] next = {positions.length};
    before.forEach(position -> all[next[0]++] = (int) position);
    return new PendingDeletionVector(file, all, null, replaced);
  }
}
