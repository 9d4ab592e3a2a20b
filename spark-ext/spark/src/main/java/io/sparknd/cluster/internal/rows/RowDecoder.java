/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.op.SliceOffsets;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Decodes rows to updates one by one; an unusable row is reported as an error and dropped.
 *
 * @param indices reads the indices of the partition's rows
 */
record RowDecoder(RowIndices indices, RowValue value) {

  /** Decodes the next rows, at most {@code most}. */
  NumberedRows decode(Iterator<InternalRow> rows, int most) {
    long[] offsets = new long[most];
    Object payload = value.allocate(most);
    int count = 0;
    while (count < most && rows.hasNext()) {
      InternalRow row = rows.next();
      offsets[count] = indices.offset(row);
      String problem = value.read(row, payload, count);
      if (problem != null) {
        indices.rejectValue(problem);
        offsets[count] = SliceOffsets.DROPPED;
      }
      count++;
    }
    return new NumberedRows(offsets, count, payload);
  }
}
