/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.Shape;
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
   * Integers from 0 to a size, in one column or, of a tensor, in several. A block has {@code
   * rowsPerBlock} consecutive ones of the first column.
   *
   * @param codec encoding of bigint columns
   * @param shape the size of each column
   */
  record Numbered(KeyCodec codec, Shape shape, long rowsPerBlock) implements FeatureAxis {

    /** Returns the size of the first column. */
    public long size() {
      return shape.dim(0);
    }

    /** Returns the axis with another size of the first column. */
    Numbered resized(long size) {
      return new Numbered(codec, Shape.of(size).concat(shape.from(1)), rowsPerBlock);
    }

    /**
     * Returns the column of a key whose number is out of bounds.
     *
     * @return -1 if there is none
     */
    public int outOfBounds(KeyList keys, int key) {
      for (int column = 0; column < shape.rank(); column++) {
        long number = KeyCodec.number(keys, key, column);
        if (number < 0 || number >= shape.dim(column)) {
          return column;
        }
      }
      return -1;
    }
  }
}
