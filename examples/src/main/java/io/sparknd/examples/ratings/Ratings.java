/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * A batch of ratings.
 *
 * @param users the user of each rating
 * @param items the item of each rating
 * @param values the value of each rating
 */
public record Ratings(int[] users, int[] items, float[] values) implements Serializable {
  /** The number of ratings. */
  public int count() {
    return values.length;
  }

  /** Converts rows with {@code user}, {@code item} and {@code rating}. */
  public static Ratings of(List<Row> rows) {
    return new Ratings(
        rows.stream().mapToInt(row -> row.getInt(0)).toArray(),
        rows.stream().mapToInt(row -> row.getInt(1)).toArray(),
        floats(rows));
  }

  private static float[] floats(List<Row> rows) {
    float[] values = new float[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = rows.get(i).getFloat(2);
    }
    return values;
  }
}
