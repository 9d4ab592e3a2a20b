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

/** Runs every benchmark with one and with two threads, each in a new JVM. */
public final class KernelSuite {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private static final List<Integer> THREADS = List.of(1, 2);

  private final boolean quick;
  private final boolean hugePages;

  private KernelSuite(boolean quick, boolean hugePages) {
    this.quick = quick;
    this.hugePages = hugePages;
  }

  /**
   * @param args the directory of the report, then options: {@code --quick}, {@code --huge-pages},
   *     ids of the benchmarks to run, and {@code --merge} to keep the other results of the report
   */
  public static void main(String[] args) throws Exception {
    // ONNX Runtime 1.29.0 crashes in a process whose command line is longer than 4 KB
    System.setProperty("jmh.separateClasspathJAR", "true");
    List<String> rest = List.of(args).subList(1, args.length);
    KernelSuite suite = new KernelSuite(rest.contains("--quick"), rest.contains("--huge-pages"));
    List<String> ids = rest.stream().filter(arg -> !arg.startsWith("--")).toList();
    SuiteReport report = suite.report(suite.run(ids));
    Path directory = Path.of(args[0]);
    SuiteReport all =
        rest.contains("--merge") ? SuiteReport.read("kernels", directory).with(report) : report;
    all.write(directory);
  }

  private List<WorkComparison> run(List<String> ids) throws RunnerException, IOException {
    List<WorkComparison> comparisons = new ArrayList<>();
    for (Work work : quick ? Work.QUICK : Work.FULL) {
      for (int threads : THREADS) {
        if (ids.isEmpty() || ids.contains(work.id())) {
          WorkComparison comparison = run(work, threads);
          System.out.println(comparison.line());
          comparisons.add(comparison);
        }
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
            .warmupIterations(quick ? 4 : 8)
            .measurementIterations(quick ? 5 : 21)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .jvmArgsAppend(
                "-Xms8g",
                "-Xmx8g",
                "-XX:MaxDirectMemorySize=6g",
                "-XX:+UseParallelGC",
                "-Dai.djl.offline=true",
                "-D" + KernelRound.RESULT + "=" + result,
                "-D" + KernelRound.QUICK + "=" + quick);
    if (hugePages) {
      options.jvmArgsPrepend("-XX:+UseTransparentHugePages");
    }
    return options.build();
  }

  private SuiteReport report(List<WorkComparison> comparisons) throws IOException {
    String heading =
        String.format(
            "float32 tensors, int64 indices; %s run, %s pages. Nanoseconds per index tuple.",
            quick ? "a quick" : "a full", hugePages ? "transparent huge" : "ordinary");
    return SuiteReport.of("kernels", heading, comparisons);
  }
}
