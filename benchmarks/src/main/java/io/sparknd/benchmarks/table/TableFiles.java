/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/** The files of a table that a benchmark updates. */
interface TableFiles {
  /** The number of files that a reader opens, including delete files. */
  long files();

  /** The bytes of all files written since the table was created. */
  long bytesAdded();
}
