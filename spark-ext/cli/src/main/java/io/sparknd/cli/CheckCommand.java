/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.CheckResults.Result;
import io.sparknd.cli.check.CaseEngine;
import io.sparknd.cli.check.CaseFolder;
import io.sparknd.cli.check.CaseRunner;
import io.sparknd.cli.check.CaseRunner.Optionals;
import io.sparknd.cli.check.CaseVerdict;
import io.sparknd.cli.support.CliSession;
import io.sparknd.cli.support.JsonOutput;
import io.sparknd.cli.support.ProgressIndicator;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.KernelProviders;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sparknd check}: runs case folders. */
@Command(
    name = "check",
    description = {
      "Run case folders: operator calls with known results.",
      "A folder with an attrs.json is a case. Prints the cases that fail or are skipped, and last"
          + " N passed, N failed, N skipped.",
    })
final class CheckCommand implements Callable<Integer> {
  /** Block size in bytes, so small that a tensor of a few elements has several blocks. */
  private static final int SMALL_BLOCK = 64;

  /** Cases run concurrently; most of a case's time is spent waiting for Spark's scheduler. */
  private static final int AT_A_TIME = 4;

  /** The engines that must return the expected result. */
  enum Engines {
    LOCAL,
    CLUSTER,
    BOTH
  }

  @Parameters(
      paramLabel = "DIR",
      description = "Directory to search for case folders, recursively.")
  Path directory;

  @Option(
      names = "--engine",
      paramLabel = "local|cluster|both",
      defaultValue = "both",
      description = "Engines to test. Default: both.")
  Engines engines;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,3,8",
      description = "Partition counts of the engine cluster. Default: 1,3,8.")
  List<Integer> partitions;

  @Option(
      names = "--optional",
      paramLabel = "skip|run",
      defaultValue = "skip",
      description =
          "What to do with optional cases, which record another library's special "
              + "behaviour. Default: skip.")
  Optionals optional;

  @Option(
      names = "--kernel",
      paramLabel = "auto|vector|scalar|cudf|all",
      description =
          "Kernel; all runs auto, and scalar too on the engine local. Default: "
              + "spark.sparknd.kernel, else auto.")
  @Nullable String kernel;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "${sys:spark.master:-local[2]}",
      description = "Spark master URL. Default: that of spark-submit, else local[2].")
  String master;

  @Option(names = "--json", description = "Print one JSON object, of all cases.")
  boolean json;

  @Spec CommandSpec spec;

  private final CheckResults results = new CheckResults();

  @Override
  public Integer call() throws InterruptedException {
    if (engines == Engines.CLUSTER) {
      CliSession.requireKernel(master, localKernel());
    } else {
      KernelProviders.named(localKernel());
    }
    List<CaseFolder> cases = CaseFolder.below(directory);
    if (cases.isEmpty()) {
      spec.commandLine().getErr().println("sparknd: no attrs.json found under " + directory);
    } else if (engines == Engines.LOCAL) {
      runAll(cases, new CaseRunner(local(), optional));
    } else {
      try (CliSession session = CliSession.open(master, isAll() ? "auto" : kernel)) {
        List<CaseEngine> all = new ArrayList<>(engines == Engines.BOTH ? local() : List.of());
        for (int count : partitions) {
          Partitioning small = Partitioning.of(count).withBlockBytes(SMALL_BLOCK);
          all.add(CaseEngine.cluster(session.spark(), small));
        }
        runAll(cases, new CaseRunner(all, optional));
      }
    }
    return end();
  }

  /** Prints the end of the report, and returns the exit code. */
  private int end() {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      JsonOutput.print(results.json(), out);
    } else {
      out.println(results.summary());
    }
    boolean success = results.count(Result.FAILED) == 0 && !results.json().cases().isEmpty();
    return success ? 0 : Main.USER_ERROR;
  }

  private List<CaseEngine> local() {
    CaseEngine first = CaseEngine.local(localKernel());
    return isAll() ? List.of(first, CaseEngine.local("scalar")) : List.of(first);
  }

  private boolean isAll() {
    return "all".equals(kernel);
  }

  private String localKernel() {
    return isAll() ? "auto" : CliSession.kernelOr(kernel, Map.of());
  }

  private void runAll(List<CaseFolder> cases, CaseRunner runner) throws InterruptedException {
    long started = System.nanoTime();
    ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    try (ProgressIndicator work = new ProgressIndicator("check", "cases")) {
      work.expect(cases.size());
      List<Future<CaseVerdict>> verdicts = new ArrayList<>();
      for (CaseFolder folder : cases) {
        verdicts.add(threads.submit(() -> runner.run(folder)));
      }
      for (int i = 0; i < cases.size(); i++) {
        line(results.add(cases.get(i), verdict(verdicts.get(i))));
        work.step();
      }
    } finally {
      threads.shutdownNow();
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    results.took(seconds);
    line(
        String.format(
            Locale.ROOT,
            "%d cases in %.1f s (%.1f per second)",
            cases.size(),
            seconds,
            cases.size() / seconds));
  }

  /** Prints a line of the report for people. */
  private void line(String text) {
    if (!json && !text.isEmpty()) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(text);
      out.flush();
    }
  }

  private static CaseVerdict verdict(Future<CaseVerdict> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      // not an outcome of the case; the runner catches those
      throw new IllegalStateException(e.getCause());
    }
  }
}
