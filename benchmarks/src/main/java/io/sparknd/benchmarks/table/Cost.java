/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.FileSystem;

/**
 * What a commit took and left.
 *
 * @param megabytesRead through Hadoop's file systems, as all tables here are
 * @param megabytesWritten data, and what says where it is
 * @param files that a reader opens then
 */
record Cost(double millis, double megabytesRead, double megabytesWritten, double files) {
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;

  /** One of the costs, and what reports call it. */
  enum Kind {
    TIME("time", "ms", Cost::millis),
    READ("bytes read", "MB", Cost::megabytesRead),
    WRITTEN("bytes written", "MB", Cost::megabytesWritten),
    FILES("files left", "files", Cost::files);

    final String title;
    final String unit;
    final ToDoubleFunction<Cost> value;

    Kind(String title, String unit, ToDoubleFunction<Cost> value) {
      this.title = title;
      this.unit = unit;
      this.value = value;
    }
  }

  /** Of a run that changes {@code store}. */
  static Cost of(Store store, Runnable run) {
    long read = bytesRead();
    long written = store.bytesAdded();
    double millis = millis(run);
    return new Cost(
        millis,
        (bytesRead() - read) / MEGABYTE,
        (store.bytesAdded() - written) / MEGABYTE,
        store.files());
  }

  static double millis(Runnable run) {
    long start = System.nanoTime();
    run.run();
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }

  @SuppressWarnings("deprecation") // the newer ones do not count what threads that live on read
  private static long bytesRead() {
    return FileSystem.getAllStatistics().stream()
        .mapToLong(FileSystem.Statistics::getBytesRead)
        .sum();
  }
}
