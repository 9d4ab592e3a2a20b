/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Runs the parts of a range on a fixed number of threads. */
final class Parts implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;

  Parts(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** The work on a part {@code [from, to)} of a range. */
  @FunctionalInterface
  interface Part {
    void run(int from, int to);
  }

  /** Runs all parts of {@code [0, length)} and waits for them. */
  void run(int length, Part part) throws Exception {
    if (threads == 1) {
      part.run(0, length);
      return;
    }
    var running =
        IntStream.range(0, threads)
            .<Future<?>>mapToObj(
                i ->
                    pool.submit(
                        () ->
                            part.run(
                                (int) ((long) length * i / threads),
                                (int) ((long) length * (i + 1) / threads))))
            .toList();
    for (Future<?> future : running) {
      future.get();
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
