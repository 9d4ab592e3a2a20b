/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/** How a table takes changes, as Iceberg has it. */
enum Mode {
  COPY_ON_WRITE("copy-on-write"),
  MERGE_ON_READ("merge-on-read");

  /** Of a table of Iceberg's. */
  static final String PROPERTY = "write.merge.mode";

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  /** In names of tables. */
  String suffix() {
    return text.replace('-', '_');
  }

  /** As the property has it. */
  @Override
  public String toString() {
    return text;
  }
}
