/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * A batch of examples of a click log.
 *
 * @param features keys of features, one per field and example, in the order of the examples
 * @param clicked the label of each example
 * @param fields features per example
 */
public record Clicks(long[] features, boolean[] clicked, int fields) implements Serializable {
  /** Converts at least one row with {@code label} and {@code features}. */
  public static Clicks of(List<Row> rows) {
    int fields = rows.get(0).getList(1).size();
    Clicks clicks = new Clicks(new long[rows.size() * fields], new boolean[rows.size()], fields);
    for (int i = 0; i < rows.size(); i++) {
      clicks.clicked[i] = rows.get(i).getInt(0) == 1;
      int at = i * fields;
      for (long feature : rows.get(i).<Long>getList(1)) {
        clicks.features[at++] = feature;
      }
    }
    return clicks;
  }

  /** The number of examples. */
  public int count() {
    return clicked.length;
  }
}
