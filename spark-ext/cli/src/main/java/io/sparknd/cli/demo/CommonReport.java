/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The final sections of every report: tensors, check, files and times. */
final class CommonReport {
  private final TextReport page;

  CommonReport(TextReport page) {
    this.page = page;
  }

  void tensors(List<CheckedTensor> results) {
    page.heading("Tensors");
    page.table(
        results.stream()
            .map(result -> List.of(result.name(), result.cluster().toString(), result.made()))
            .toList());
  }

  /**
   * Prints whether the cluster agrees with the local kernel.
   *
   * @return whether they agree
   */
  boolean check(List<CheckedTensor> results) {
    page.heading("Check");
    List<String> differences =
        results.stream().map(CheckedTensor::difference).flatMap(Optional::stream).toList();
    differences.forEach(page::line);
    page.line(
        differences.isEmpty()
            ? "all " + results.size() + " tensors are identical to the local kernel, bit for bit"
            : differences.size()
                + " of "
                + results.size()
                + " tensors differ from the local kernel");
    return differences.isEmpty();
  }

  void files(OutputFiles files) {
    page.heading("Files");
    page.table(
        files.written().stream()
            .map(
                file -> List.of(file.file().toString(), TextReport.number(file.bytes()) + " bytes"))
            .toList());
    page.line("");
    Path first = files.written().get(0).file();
    page.line(
        "python3 -c \"import numpy; t = numpy.load('%s'); print(t.shape, t.dtype, t)\""
            .formatted(first));
  }

  void times(StepTimings timings) {
    page.heading("Time");
    List<List<String>> rows = new ArrayList<>();
    timings.steps().forEach(step -> rows.add(List.of(seconds(step.time()), step.name())));
    rows.add(List.of(seconds(timings.total()), "all steps"));
    page.table(rows);
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3f s", time.toNanos() / 1e9);
  }
}
