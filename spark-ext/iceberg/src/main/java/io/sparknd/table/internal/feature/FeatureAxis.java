/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import java.io.Serializable;
import java.util.List;

/** The axis that the variables of a feature table share. */
public sealed interface FeatureAxis extends Serializable {

  /** Returns the encoding of keys; rows of a file ascend by it. */
  KeyCodec codec();

  /** Returns the key columns, in the order in which rows are sorted. */
  default List<KeyColumn> columns() {
    return codec().columns();
  }

  /**
   * Keys of any type. A block of rows is a bucket of one key column.
   *
   * @param bucketColumn the key column that is bucketed
   * @param buckets number of buckets of new files
   */
  record Labelled(KeyCodec codec, KeyColumn bucketColumn, int buckets) implements FeatureAxis {}

  /**
   * Integers from 0 to {@code size - 1}. A block has {@code rowsPerBlock} consecutive ones.
   *
   * @param codec encoding of one bigint column
   */
  record Numbered(KeyCodec codec, long size, long rowsPerBlock) implements FeatureAxis {}
}
