/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table of one table format, with its way to update it. */
interface Store extends TableFiles {
  String name();

  Role role();

  /** Whether updates rewrite files or write deletes. */
  Mode mode();

  /** Creates the table with a layout and a number of rows. */
  void create(Layout layout, int rows);

  /** Updates the table in one commit. */
  void update(Change change, Dataset<Row> updates);

  /** The layout of the updates. */
  Layout updateLayout(Change change);

  /** Restores the table to its initial state. */
  void restore();

  /** The name of the table in SQL. */
  String table();
}
