/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table that someone keeps, with a way to update it. */
interface Store {
  String name();

  Role role();

  /** Whether it writes files anew, or what is deleted of them. */
  Mode mode();

  /** Makes the table of a layout and size. */
  void create(Layout layout, int rows);

  /** Updates the table in one commit. */
  void update(Change change, Dataset<Row> updates);

  /** The layout that updates are given in. */
  Layout updateLayout(Change change);

  /** Undoes all commits. */
  void restore();

  /** The table in SQL. */
  String table();

  /** Files that a reader of the table opens, those that say what is deleted among them. */
  long files();

  /** Bytes of all files that came since the table was made. */
  long bytesAdded();
}
