/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.util.Arrays;
import java.util.List;

/**
 * A row of a table of a Markdown page.
 *
 * @param cells texts of the cells; no cell contains a vertical bar
 */
public record TableRow(List<String> cells) {
  public TableRow {
    cells = List.copyOf(cells);
  }

  static TableRow of(String line) {
    String inner = line.strip().substring(1);
    return new TableRow(Arrays.stream(inner.split("\\|")).map(String::strip).toList());
  }

  /** Returns the first cell without backticks. */
  public String name() {
    return cells.get(0).replace("`", "");
  }
}
