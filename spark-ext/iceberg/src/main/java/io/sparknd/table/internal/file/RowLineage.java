/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Row lineage of Iceberg's format version 3, by slot: the row's id, and the sequence number of the
 * commit that last updated it. {@link #INHERITED} represents null: the row takes the value that the
 * commit of its file assigns.
 */
public record RowLineage(long[] ids, long[] sequences) {
  /** The value is assigned when the file is committed. */
  public static final long INHERITED = -1;

  /** Returns lineage for {@code rows} rows without own values. */
  public static RowLineage inherited(int rows) {
    long[] ids = new long[rows];
    long[] sequences = new long[rows];
    Arrays.fill(ids, INHERITED);
    Arrays.fill(sequences, INHERITED);
    return new RowLineage(ids, sequences);
  }

  /** Returns the columns of a file with this lineage. */
  public Schema schema(Schema ofTable) {
    return isInherited() ? ofTable : MetadataColumns.schemaWithRowLineage(ofTable);
  }

  /** Returns the value of a column of lineage in a row; null if it is inherited. */
  public @Nullable Long value(Types.NestedField column, int slot) {
    boolean isId = column.fieldId() == MetadataColumns.ROW_ID.fieldId();
    long value = isId ? ids[slot] : sequences[slot];
    return value == INHERITED ? null : value;
  }

  /** Returns whether no row has a value of its own, so that the file needs no lineage columns. */
  public boolean isInherited() {
    return LongStream.of(ids).allMatch(id -> id == INHERITED)
        && LongStream.of(sequences).allMatch(sequence -> sequence == INHERITED);
  }
}
