/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import java.io.Serializable;
import org.apache.iceberg.util.BucketUtil;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Computes the bucket of a key as Iceberg's transform of that name does, so that any engine prunes
 * by key.
 *
 * @param column the key column that is bucketed
 * @param buckets number of buckets, at least 1
 */
public record KeyBuckets(KeyColumn column, int buckets) implements Serializable {

  /**
   * Returns the bucket of a row.
   *
   * @param ordinal ordinal of the key column, which is not null
   * @throws InvalidKeyException if a string is not a UUID
   */
  public int of(InternalRow row, int ordinal) {
    int hash =
        switch (column.type()) {
          case STRING -> BucketUtil.hash(row.getUTF8String(ordinal).getBytes());
          case BINARY -> BucketUtil.hash(row.getBinary(ordinal));
          case UUID ->
              BucketUtil.hash(KeyCodec.uuid(row.getUTF8String(ordinal).toString(), column.name()));
          case LONG -> BucketUtil.hash(row.getLong(ordinal));
          case INT, DATE -> BucketUtil.hash(row.getInt(ordinal));
        };
    return (hash & Integer.MAX_VALUE) % buckets;
  }
}
