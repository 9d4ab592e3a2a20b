/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkerThreadsTest {
  @Test
  void sharesWithoutThreadRunOnTheCallers() {
    AtomicInteger started = new AtomicInteger();
    AtomicIntegerArray runs = new AtomicIntegerArray(5);
    try (LimitedThreads pool = new LimitedThreads(2, started)) {
      WorkerThreads.run(5, runs::incrementAndGet, pool.threads());
    }
    assertThat(started).hasValue(3);
    for (int share = 0; share < runs.length(); share++) {
      assertThat(runs.get(share)).as("share %s", share).isEqualTo(1);
    }
  }

  @Test
  void theLowestFailureIsThrownAfterAllShares() {
    AtomicIntegerArray runs = new AtomicIntegerArray(6);
    try (LimitedThreads pool = new LimitedThreads(2, new AtomicInteger())) {
      assertThatThrownBy(
              () ->
                  WorkerThreads.run(
                      6,
                      share -> {
                        runs.incrementAndGet(share);
                        if (share >= 2) {
                          throw new IllegalStateException("share " + share);
                        }
                      },
                      pool.threads()))
          .hasMessage("share 2");
    }
    for (int share = 0; share < runs.length(); share++) {
      assertThat(runs.get(share)).as("share %s", share).isEqualTo(1);
    }
  }

  /** Threads of which the system starts a few, then none. */
  private record LimitedThreads(ThreadPoolExecutor threads) implements AutoCloseable {
    LimitedThreads(int most, AtomicInteger started) {
      this(
          new ThreadPoolExecutor(
              0,
              Integer.MAX_VALUE,
              0,
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              task -> {
                if (started.incrementAndGet() > most) {
                  throw new OutOfMemoryError("unable to create native thread");
                }
                return new Thread(task);
              }));
    }

    @Override
    public void close() {
      threads.shutdown();
    }
  }

  @Test
  void binsOfVeryManyThreadsAreBelowTheirNumber() {
    SliceRangeBins bins = new SliceRangeBins(1L << 31, 1, 1 << 20, 2049);
    assertThat(bins.bin(200_000_000)).isBetween(0, bins.bins() - 1);
    assertThat(bins.bin(Integer.MAX_VALUE)).isBetween(0, bins.bins() - 1);
  }
}
