/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
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

  /** Large frames to other executors at once: the others have to wait, and take no memory. */
  private static final int MOST_UNDERWAY = 8;

  private final int senders;
  private final PayloadArrays payloads = new PayloadArrays();
  private final Map<Integer, Phase> phases = new HashMap<>();
  private @Nullable Throwable failure;

  /** Frames to other executors of which it is not known that they were received. */
  private int underway;

  /** Those of them that are large. */
  private int largeUnderway;

  /** Received payloads that the task may read. */
  private List<Object> read = List.of();

  TaskMailbox(int senders) {
    this.senders = senders;
  }

  /** The messages of one phase. */
  private static final class Phase {
    private final List<Tuple2<BatchKey, ShuffleBatch>> messages = new ArrayList<>();
    private final List<Object> payloads = new ArrayList<>();
    private final Map<Integer, Integer> frames = new HashMap<>();
    private int complete;
    private int note = Integer.MIN_VALUE;
  }

  /** Adds the messages of a sender in this executor. */
  synchronized void add(
      int sender, int phase, List<Tuple2<BatchKey, ShuffleBatch>> messages, int note) {
    add(phase(phase), sender, 1, note, messages, List.of());
  }

  /** Returns an array for a payload of at least so many units, with any values. */
  Object payload(Storage storage, int units) {
    return payloads.take(storage, units);
  }

  /**
   * Adds the messages of a frame.
   *
   * @param arrays those of {@link #payload} that the messages use
   */
  synchronized void add(
      FrameHeader header, List<Tuple2<BatchKey, ShuffleBatch>> messages, List<Object> arrays) {
    Phase of = phase(header.phase());
    add(of, header.sender(), header.frames(), header.note(), messages, arrays);
  }

  private Phase phase(int number) {
    return phases.computeIfAbsent(number, unused -> new Phase());
  }

  private void add(
      Phase of,
      int sender,
      int frames,
      int note,
      List<Tuple2<BatchKey, ShuffleBatch>> messages,
      List<Object> arrays) {
    of.note = Math.max(of.note, note);
    of.messages.addAll(messages);
    of.payloads.addAll(arrays);
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

  /** Counts a frame to another executor; a large one once not too many are on their way. */
  synchronized void send(int bytes, TaskContext task) {
    if (FrameBuffers.isLarge(bytes)) {
      awaitUntil(() -> largeUnderway < MOST_UNDERWAY, task);
      largeUnderway++;
    }
    underway++;
  }

  /** Counts a frame that another executor has received. */
  synchronized void delivered(int bytes) {
    underway--;
    largeUnderway -= FrameBuffers.isLarge(bytes) ? 1 : 0;
    notifyAll();
  }

  /** Waits until all frames are received that the task has sent. */
  void awaitDelivery(TaskContext task) {
    awaitUntil(() -> underway == 0, task);
  }

  /**
   * Waits for the messages of all senders in a phase, and returns them. Those of the phase before
   * may no longer be read: their payloads are used again.
   */
  synchronized ReceivedMessages taken(int phase, TaskContext task) {
    Phase of = phase(phase);
    awaitUntil(() -> of.complete == senders, task);
    phases.remove(phase);
    payloads.replace(read);
    read = of.payloads;
    of.messages.sort(Comparator.comparing(Tuple2::_1));
    return new ReceivedMessages(of.messages, of.note);
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
