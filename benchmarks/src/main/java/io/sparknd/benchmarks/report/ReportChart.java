/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

/** A chart of a report. */
interface ReportChart {
  /** The name of its file. */
  String file();

  /** The image in Markdown. */
  String markdown();

  /** Returns the chart as a document. */
  String svg();
}
