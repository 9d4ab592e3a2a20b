/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs the shares of one call on several threads, including the caller's. */
final class WorkerThreads {
  /** A pool of daemon threads, which end when idle. */
  private static final ExecutorService POOL =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "sparknd-kernel");
            thread.setDaemon(true);
            return thread;
          });

  private WorkerThreads() {}

  /**
   * Runs {@code work} for every share from 0 to {@code shares - 1} and waits for completion, even
   * if a share fails. Shares for which no thread can be started run on the caller's: others may
   * have changed its arrays already.
   *
   * @throws RuntimeException the failure of the lowest failed share, which may also be an {@link
   *     Error}
   */
  static void run(int shares, IntConsumer work) {
    run(shares, work, POOL);
  }

  /** As {@link #run(int, IntConsumer)}, on threads of {@code pool}. */
  static void run(int shares, IntConsumer work, ExecutorService pool) {
    List<Future<?>> others = submitted(shares, work, pool);
    Throwable failure = failure(0, work);
    Throwable ofLater = null;
    for (int share = others.size() + 1; share < shares; share++) {
      ofLater = first(ofLater, failure(share, work));
    }
    for (Future<?> other : others) {
      failure = first(failure, await(other));
    }
    failure = first(failure, ofLater);
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }
  }

  /** Submits shares from 1 on, until the system starts no more threads. */
  private static List<Future<?>> submitted(int shares, IntConsumer work, ExecutorService pool) {
    List<Future<?>> submitted = new ArrayList<>(shares); // a share that runs is always in it
    try {
      for (int share = 1; share < shares; share++) {
        int number = share;
        submitted.add(pool.submit(() -> work.accept(number)));
      }
    } catch (OutOfMemoryError e) {
      // the caller's thread runs the others
    }
    return submitted;
  }

  /** Runs a share on this thread; returns null if it succeeds. */
  private static @Nullable Throwable failure(int share, IntConsumer work) {
    try {
      work.accept(share);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static @Nullable Throwable first(@Nullable Throwable failure, @Nullable Throwable next) {
    return failure == null ? next : failure;
  }

  /** A range of the slots of a call. */
  @FunctionalInterface
  interface RangeWork {
    /** Processes slots {@code [from, to)}. */
    void accept(long from, long to);
  }

  /** Runs {@code work} on one range of the slots per thread; throws the lowest range's failure. */
  static void runRanges(int threads, long slots, RangeWork work) {
    long step = -Math.floorDiv(-slots, threads);
    run(
        threads,
        thread -> {
          long from = Math.min(slots, thread * step);
          work.accept(from, Math.min(slots, from + step));
        });
  }

  private static @Nullable Throwable await(Future<?> share) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          share.get();
          return null;
        } catch (InterruptedException e) {
          // the share still writes to the caller's arrays, so returning now would be unsafe
          interrupted = true;
        } catch (ExecutionException e) {
          return e.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
