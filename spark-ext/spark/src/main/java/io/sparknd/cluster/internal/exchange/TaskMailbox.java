/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** What one task receives from the others, by phase. */
final class TaskMailbox {
  /** How often a task that waits looks whether it was killed. */
  private static final long POLL_MILLIS = 20;

  private final int senders;
  private final Map<Integer, Phase> phases = new HashMap<>();
  private @Nullable Throwable failure;

  /** Frames to other executors of which it is not known that they were received. */
  private int underway;

  TaskMailbox(int senders) {
    this.senders = senders;
  }

  /** The messages of one phase. */
  private static final class Phase {
    private final List<Tuple2<BatchKey, ShuffleBatch>> messages = new ArrayList<>();
    private final Map<Integer, Integer> frames = new HashMap<>();
    private int complete;
  }

  /**
   * Adds a frame.
   *
   * @param frames number of frames that the sender sends in the phase
   */
  synchronized void add(
      int sender, int phase, int frames, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
    Phase of = phases.computeIfAbsent(phase, number -> new Phase());
    of.messages.addAll(messages);
    if (of.frames.merge(sender, 1, Integer::sum) == frames) {
      of.complete++;
      notifyAll();
    }
  }

  /** Ends the wait for messages. */
  synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
    notifyAll();
  }

  /** Counts a frame to another executor. */
  synchronized void sent() {
    underway++;
  }

  /** Counts a frame that another executor has received. */
  synchronized void delivered() {
    underway--;
    notifyAll();
  }

  /** Waits until all frames are received that the task has sent. */
  void awaitDelivery(TaskContext task) {
    awaitUntil(() -> underway == 0, task);
  }

  /** Waits for the messages of all senders in a phase; returns them in the order of their keys. */
  synchronized List<Tuple2<BatchKey, ShuffleBatch>> taken(int phase, TaskContext task) {
    Phase of = phases.computeIfAbsent(phase, number -> new Phase());
    awaitUntil(() -> of.complete == senders, task);
    phases.remove(phase);
    of.messages.sort(Comparator.comparing(Tuple2::_1));
    return of.messages;
  }

  private synchronized void awaitUntil(BooleanSupplier condition, TaskContext task) {
    while (!condition.getAsBoolean()) {
      if (failure != null) {
        throw new IllegalStateException("messages to another executor were lost", failure);
      }
      if (task.isInterrupted()) {
        throw new TaskKilledException("killed while it waited for messages");
      }
      try {
        wait(POLL_MILLIS);
      } catch (InterruptedException e) {
        throw new TaskKilledException("interrupted while it waited for messages");
      }
    }
  }
}
