/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.FeatureBatch;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The batches that this executor has for the next steps: of each shard, the last one that a task
 * made, since the next job trains on what this one requested rows for, and the one after it, which
 * a daemon thread makes. A batch depends on its step alone, so it does not matter who makes it.
 */
final class BatchPrefetcher {
  /** Shards of all feeds; those that are not used any more are dropped first. */
  private static final int SHARDS = 64;

  private static final int SECONDS_IDLE = 10;

  private static final ThreadPoolExecutor THREAD = thread();

  private static final Map<String, Slot> SLOTS =
      new LinkedHashMap<>(SHARDS, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Slot> eldest) {
          return size() > SHARDS;
        }
      };

  private BatchPrefetcher() {}

  private static ThreadPoolExecutor thread() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            SECONDS_IDLE,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(SHARDS),
            work -> {
              Thread thread = new Thread(work, "sparknd-prefetch");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * The batches of one shard.
   *
   * @param step step of {@code last}; {@code next} is of the step after it
   */
  private record Slot(
      long step, SoftReference<FeatureBatch> last, Future<Optional<FeatureBatch>> next) {}

  private static String key(String feed, int shard) {
    return feed + '/' + shard;
  }

  /** Returns the batch of a step, if there is one. Waits for one that is being made. */
  static Optional<FeatureBatch> taken(String feed, int shard, long step) {
    Slot slot;
    synchronized (SLOTS) {
      slot = SLOTS.get(key(feed, shard));
    }
    if (slot == null) {
      return Optional.empty();
    }
    if (slot.step == step) {
      return Optional.ofNullable(slot.last.get());
    }
    return slot.step + 1 == step ? finished(slot.next) : Optional.empty();
  }

  private static Optional<FeatureBatch> finished(Future<Optional<FeatureBatch>> next) {
    next.cancel(false); // if it has not begun, the task is faster
    try {
      return next.get();
    } catch (CancellationException | ExecutionException e) {
      return Optional.empty(); // the task makes it, or meets the same error
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Keeps the batch of a step, and has the next one made unless it is already. */
  static void prefetch(
      String feed,
      int shard,
      long step,
      FeatureBatch batch,
      Callable<Optional<FeatureBatch>> next) {
    synchronized (SLOTS) {
      Slot slot = SLOTS.get(key(feed, shard));
      if (slot != null && slot.step == step) {
        return;
      }
      SLOTS.put(key(feed, shard), new Slot(step, new SoftReference<>(batch), started(next)));
    }
  }

  private static Future<Optional<FeatureBatch>> started(Callable<Optional<FeatureBatch>> next) {
    FutureTask<Optional<FeatureBatch>> task = new FutureTask<>(next);
    try {
      THREAD.execute(task);
      return task;
    } catch (RejectedExecutionException e) { // the queue is full
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }
}
