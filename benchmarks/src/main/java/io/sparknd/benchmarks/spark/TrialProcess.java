/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.util.JavaUtils;

/**
 * A program in a JVM of its own, whose heap is bounded, to test whether that suffices. It inherits
 * the class path and the options of this JVM.
 *
 * @param program the class with the main method
 * @param heap the maximum bytes of heap
 * @param arguments the arguments of the program
 */
record TrialProcess(Class<?> program, long heap, List<String> arguments) {
  private static final int MAX_MINUTES = 15;

  TrialProcess {
    arguments = List.copyOf(arguments);
  }

  /** Runs the program; returns the last line that it printed, or empty if it failed. */
  Optional<String> run() {
    try {
      Path folder = Files.createTempDirectory("sparknd-trial");
      try {
        Path output = folder.resolve("output.txt");
        return run(folder, output) ? Optional.of(lastLine(output)) : Optional.empty();
      } finally {
        JavaUtils.deleteRecursively(folder.toFile()); // with what a JVM that was halted left
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot start a JVM", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private boolean run(Path folder, Path output) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command(folder))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile());
    // not -cp: see benchmarks/run
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process trial = builder.start();
    try {
      return trial.waitFor(MAX_MINUTES, TimeUnit.MINUTES) && trial.exitValue() == 0;
    } finally {
      trial.destroyForcibly().waitFor();
    }
  }

  private static String lastLine(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output);
    return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
  }

  private List<String> command(Path folder) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-Xm") && !argument.startsWith("-Xlog"))
        .forEach(command::add);
    command.add("-Xmx" + heap);
    command.add("-Djava.io.tmpdir=" + folder); // also of Spark's own files
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add(program.getName());
    command.addAll(arguments);
    return command;
  }
}
