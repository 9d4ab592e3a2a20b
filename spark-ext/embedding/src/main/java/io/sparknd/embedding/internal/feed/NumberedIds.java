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
 * @param count number of values; -1 if there is no bound
 * @param missingId id of {@link #MISSING}
 */
record NumberedIds(long first, long count, long missingId) implements Serializable {
  /** Stands for a missing value, if that has an id. */
  private static final long MISSING = Long.MIN_VALUE;

  private static final long UNBOUNDED = -1;

  static NumberedIds of(KeySpace keys) {
    return new NumberedIds(
        keys.first(), keys.count().orElse(UNBOUNDED), keys.missingId().orElse(0));
  }

  /** Returns what a query has for a value: {@link #MISSING}, null if that is an error, or it. */
  static Column encoded(KeySpace keys, Column value) {
    // the least value, an error, must not stand for a missing one
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
    long last = count == UNBOUNDED ? Long.MAX_VALUE - Math.max(0, first) : count - 1;
    if (encoded < 0 || encoded > last) {
      throw FeedErrors.numberOutOfRange(column, encoded, range());
    }
    return first + encoded;
  }

  private String range() {
    return count == UNBOUNDED ? "from 0 up" : "in [0, " + count + ")";
  }
}
