/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the pages and charts of reports again from their JSON, without measuring. */
public final class ReportRenderer {
  private ReportRenderer() {}

  /**
   * @param args the directory of the reports, then the names of suites
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    for (String suite : List.of(args).subList(1, args.length)) {
      SuiteReport.read(suite, directory).write(directory);
    }
  }
}
