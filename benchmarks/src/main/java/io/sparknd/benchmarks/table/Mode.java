/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/** The write mode of a table, in Iceberg's terms. */
enum Mode {
  COPY_ON_WRITE("copy-on-write"),
  MERGE_ON_READ("merge-on-read");

  /** The Iceberg table property. */
  static final String PROPERTY = "write.merge.mode";

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  /** The suffix of table names. */
  String suffix() {
    return text.replace('-', '_');
  }

  /** The value of the property. */
  @Override
  public String toString() {
    return text;
  }
}
