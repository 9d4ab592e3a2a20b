/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.benchmarks.report.SuiteReport;
import io.sparknd.benchmarks.report.WorkComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark of a suite with each of its thread counts, each in a new JVM. */
public final class KernelSuite {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private final WorkSet set;
  private final boolean quick;
  private final boolean hugePages;

  private KernelSuite(WorkSet set, boolean quick, boolean hugePages) {
    this.set = set;
    this.quick = quick;
    this.hugePages = hugePages;
  }

  /**
   * @param args {@code kernels} or {@code kernel-rows}, the directory of the report, then options:
   *     {@code --quick}, {@code --huge-pages}, ids of the benchmarks to run or their first words,
   *     and {@code --merge} to keep the other results of the report
   */
  public static void main(String[] args) throws Exception {
    // ONNX Runtime 1.29.0 crashes in a process whose command line is longer than 4 KB
    System.setProperty("jmh.separateClasspathJAR", "true");
    List<String> rest = List.of(args).subList(2, args.length);
    boolean quick = rest.contains("--quick");
    KernelSuite suite =
        new KernelSuite(WorkSet.of(args[0], quick), quick, rest.contains("--huge-pages"));
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    SuiteReport report = suite.report(suite.run(ids));
    Path directory = Path.of(args[1]);
    SuiteReport all = rest.contains("--merge") ? report.mergedInto(directory) : report;
    all.write(directory);
  }

  private List<WorkComparison> run(List<String> ids) throws RunnerException, IOException {
    List<WorkComparison> comparisons = new ArrayList<>();
    for (Work work : set.named(ids)) {
      for (int threads : set.threads()) {
        WorkComparison comparison = run(work, threads);
        System.out.println(comparison.line());
        comparisons.add(comparison);
      }
    }
    return comparisons;
  }

  private WorkComparison run(Work work, int threads) throws RunnerException, IOException {
    Path result = Files.createTempFile("sparknd-kernels", ".json");
    new Runner(options(work, threads, result)).run();
    WorkComparison comparison = MAPPER.readValue(result.toFile(), WorkComparison.class);
    Files.delete(result);
    return comparison;
  }

  private Options options(Work work, int threads, Path result) {
    var options =
        new OptionsBuilder()
            .include(KernelRound.class.getName())
            .param("work", work.id())
            .param("threads", Integer.toString(threads))
            .forks(1)
            .warmupIterations(set.warmups())
            .measurementIterations(set.rounds())
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .jvmArgsAppend(
                "-Xms" + set.heap() + "g",
                "-Xmx" + set.heap() + "g",
                "-XX:MaxDirectMemorySize=" + set.direct() + "g",
                "-XX:+UseParallelGC",
                "-Dai.djl.offline=true",
                "-D" + KernelRound.RESULT + "=" + result,
                "-D" + KernelRound.SUITE + "=" + set.suite(),
                "-D" + KernelRound.QUICK + "=" + quick);
    if (hugePages) {
      options.jvmArgsPrepend("-XX:+UseTransparentHugePages");
    }
    return options.build();
  }

  private SuiteReport report(List<WorkComparison> comparisons) throws IOException {
    String heading =
        String.format(
            "%s; %s run, %s pages. Nanoseconds per index tuple.",
            set.setting(),
            quick ? "a quick" : "a full",
            hugePages ? "transparent huge" : "ordinary");
    return SuiteReport.of(set.suite(), heading, comparisons);
  }
}
