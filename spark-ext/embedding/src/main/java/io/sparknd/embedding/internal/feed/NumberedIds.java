/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.internal.FeedErrors;
import java.io.Serializable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * The ids of a column with {@link KeySpace#numbered} keys. Queries carry its values, not ids, which
 * may be those of another column.
 *
 * @param count number of values
 * @param missingId id of {@link #MISSING}
 */
record NumberedIds(long first, long count, long missingId) implements Serializable {
  /** Stands for a missing value, if that has an id. */
  private static final long MISSING = Long.MIN_VALUE;

  static NumberedIds of(KeySpace keys) {
    long most = Long.MAX_VALUE - Math.max(0, keys.first());
    return new NumberedIds(keys.first(), keys.count().orElse(most), keys.missingId().orElse(0));
  }

  /** Returns what a query has for a value: {@link #MISSING}, null if that is an error, or it. */
  static Column encoded(KeySpace keys, Column value) {
    Column other = functions.greatest(value, functions.lit(MISSING + 1));
    Column missing = functions.lit(keys.missingId().isPresent() ? MISSING : null);
    return functions.when(value.isNotNull(), other).otherwise(missing);
  }

  /**
   * Returns the id of an encoded value.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is out of range
   */
  long id(String column, long encoded) {
    if (encoded == MISSING) {
      return missingId;
    }
    if (encoded < 0 || encoded >= count) {
      throw FeedErrors.numberOutOfRange(column, encoded, count);
    }
    return first + encoded;
  }
}
