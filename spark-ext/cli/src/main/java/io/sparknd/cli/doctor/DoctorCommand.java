/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import io.sparknd.cli.support.JsonOutput;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code sparknd doctor}: says what is found of what SparkND uses. */
@Command(
    name = "doctor",
    description = {
      "Say what this machine has of what SparkND uses, what each missing thing costs, and how to get"
          + " it.",
      "Starts no Spark. The exit code is 0 if everything required is there, else 1.",
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final List<Callable<DoctorFinding>> CHECKS =
      List.of(
          JvmChecks::jdk,
          JvmChecks::spark,
          JvmChecks::iceberg,
          JvmChecks::vectorKernels,
          ToolChecks::gpu,
          ToolChecks::python,
          ToolChecks::docker);

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Spec CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    DoctorReport report = DoctorReport.of(findings());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      JsonOutput.print(report, out);
    } else {
      report.print(out);
    }
    return report.ready() ? 0 : 1;
  }

  /** Runs all checks at once, since most of them wait for a program. */
  private static List<DoctorFinding> findings() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(CHECKS.size());
    try {
      List<DoctorFinding> findings = new ArrayList<>();
      for (Future<DoctorFinding> each : threads.invokeAll(CHECKS)) {
        findings.add(each.get());
      }
      return findings;
    } finally {
      threads.shutdownNow();
    }
  }
}
