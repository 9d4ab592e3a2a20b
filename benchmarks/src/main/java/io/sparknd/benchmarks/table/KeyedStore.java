/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table of string keys of one table format, with its way to add to values. */
interface KeyedStore extends TableFiles {

  /** Groups of stores: ratios are of ours to another group. */
  enum Family {
    OURS,
    MERGE,
    PAIMON
  }

  String name();

  Family family();

  /** Whether updates rewrite files, or leave more files to be merged by readers. */
  Mode mode();

  /** Creates the table before a change. */
  void create(KeyedChange change);

  /** Adds {@code updates} to the table in one commit. */
  void update(KeyedChange change, Dataset<Row> updates);

  /** Reads every value. */
  RowHash read(KeyedChange change);

  /** Restores the table to its initial state. */
  void restore();
}
