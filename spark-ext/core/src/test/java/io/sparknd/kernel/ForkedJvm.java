/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The result of a JVM started with {@code java}. */
public record ForkedJvm(int exit, String output) {
  /** As {@code test.jit} of the parent POM: these JVMs live for seconds. */
  private static final String NOT_OPTIMIZED = "-XX:TieredStopAtLevel=1";

  /** Runs {@code java} with these arguments and waits for its end. */
  public static ForkedJvm run(List<String> arguments) throws IOException, InterruptedException {
    return run(Map.of(), arguments);
  }

  private static ForkedJvm run(Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    builder.command().addAll(arguments);
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new ForkedJvm(process.waitFor(), output);
  }

  /** Runs {@code java} with the {@code --add-*} options of this JVM, which Spark needs. */
  public static ForkedJvm runForSpark(List<String> arguments)
      throws IOException, InterruptedException {
    return runForSpark(Map.of(), arguments);
  }

  /** Runs {@code java} for Spark with additional environment variables. */
  public static ForkedJvm runForSpark(Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    Stream<String> modules =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-"));
    Stream<String> options = Stream.concat(modules, Stream.of(NOT_OPTIMIZED));
    return run(environment, Stream.concat(options, arguments.stream()).toList());
  }
}
