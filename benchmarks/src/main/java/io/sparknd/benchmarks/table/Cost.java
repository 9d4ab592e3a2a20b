/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The cost of a commit.
 *
 * @param megabytesRead read by the process from files, shuffle files included
 * @param megabytesWritten data and metadata
 * @param files the number of files that a reader then opens
 */
record Cost(double millis, double megabytesRead, double megabytesWritten, double files) {
  private static final Path COUNTERS = Path.of("/proc/self/io");
  private static final String READ = "rchar: ";
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;

  /** One kind of cost and its name in reports. */
  enum Kind {
    TIME(": a commit", "ms", Cost::millis),
    READ("/read: bytes read", "MB", Cost::megabytesRead),
    WRITTEN("/written: bytes written", "MB", Cost::megabytesWritten),
    FILES("/files: files left", "files", Cost::files);

    final String title;
    final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // the functions are method references
    final ToDoubleFunction<Cost> value;

    Kind(String title, String unit, ToDoubleFunction<Cost> value) {
      this.title = title;
      this.unit = unit;
      this.value = value;
    }
  }

  /** Measures a run that updates {@code table}. */
  static Cost of(TableFiles table, Runnable run) {
    long read = bytesRead();
    long written = table.bytesAdded();
    double millis = millis(run);
    return new Cost(
        millis,
        (bytesRead() - read) / MEGABYTE,
        (table.bytesAdded() - written) / MEGABYTE,
        table.files());
  }

  /** Returns the cost of both commits in sequence. */
  Cost then(Cost next) {
    return new Cost(
        millis + next.millis,
        megabytesRead + next.megabytesRead,
        megabytesWritten + next.megabytesWritten,
        next.files);
  }

  static double millis(Runnable run) {
    long start = System.nanoTime();
    run.run();
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }

  private static long bytesRead() {
    try (Stream<String> lines = Files.lines(COUNTERS)) {
      return lines
          .filter(line -> line.startsWith(READ))
          .mapToLong(line -> Long.parseLong(line.substring(READ.length())))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
