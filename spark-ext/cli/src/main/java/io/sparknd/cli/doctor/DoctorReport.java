/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import io.sparknd.cli.doctor.DoctorFinding.State;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All findings; as JSON, what {@code sparknd doctor --json} prints.
 *
 * @param ready whether everything required can be used
 */
record DoctorReport(boolean ready, List<DoctorFinding> findings) {
  private static final String LINE = "%-9s %-15s %s%n";

  static DoctorReport of(List<DoctorFinding> findings) {
    boolean ready = findings.stream().noneMatch(DoctorFinding::preventsCommands);
    return new DoctorReport(ready, List.copyOf(findings));
  }

  /** Prints a table for people. */
  void print(PrintWriter out) {
    findings.forEach(each -> print(each, out));
    out.println();
    out.println(ready ? "Everything required is there." : "Not ready: " + lacks() + ".");
    out.flush();
  }

  private static void print(DoctorFinding each, PrintWriter out) {
    String first = each.found() == null ? each.problem() : each.found();
    out.printf(LINE, each.state(), each.name(), first);
    if (each.state() == State.UNUSABLE) {
      more(each.problem(), out);
    }
    if (each.state() != State.OK) {
      more("costs: " + each.cost(), out);
      more("to get it: " + each.remedy(), out);
    }
  }

  private static void more(@Nullable String text, PrintWriter out) {
    out.printf(LINE, "", "", text);
  }

  private String lacks() {
    return String.join(
        ", ",
        findings.stream()
            .filter(DoctorFinding::preventsCommands)
            .map(each -> each.name() + " is " + each.state())
            .toList());
  }
}
