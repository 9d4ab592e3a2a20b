/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/** The machine of a benchmark run. */
public final class Machine {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** Returns the model of this machine's processor, without the maker's marks. */
  static String processor() {
    try {
      return processor(cpu());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the model of a processor without the maker's marks.
   *
   * @param model the name in {@code /proc/cpuinfo}, or the text of {@link #describe}
   */
  static String processor(String model) {
    return model
        .split(",", 2)[0]
        .replaceAll("\\((R|TM)\\)", "")
        .replaceAll(" (CPU|Processor)\\b.*", "")
        .strip();
  }

  /** Returns CPU model, cores, memory, JDK and date in one line. */
  public static String describe() throws IOException {
    return String.format(
        "%s, %d cores, %d GB, JDK %s, %s",
        cpu(),
        Runtime.getRuntime().availableProcessors(),
        memoryGigabytes(),
        Runtime.version(),
        LocalDate.now(ZoneOffset.UTC));
  }

  private static String cpu() throws IOException {
    if (!Files.exists(CPUS)) {
      return System.getProperty("os.arch");
    }
    try (Stream<String> lines = Files.lines(CPUS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    }
  }

  private static long memoryGigabytes() {
    return java.lang.management.ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? Math.round(os.getTotalMemorySize() / 1e9)
        : 0;
  }
}
