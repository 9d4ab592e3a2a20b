/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchFrames;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.nio.ByteBuffer;
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
  }

  /** Adds the messages of a sender in this executor. */
  synchronized void add(int sender, int phase, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
    add(sender, phase, 1, messages, List.of());
  }

  /** Adds the messages of a frame, which the mailbox copies. */
  void add(FrameHeader header, ByteBuffer frame) {
    List<Object> arrays = new ArrayList<>();
    List<Tuple2<BatchKey, ShuffleBatch>> messages =
        BatchFrames.read(
            frame,
            header.storage(),
            units -> {
              arrays.add(payloads.take(header.storage(), units));
              return arrays.get(arrays.size() - 1);
            });
    add(header.sender(), header.phase(), header.frames(), messages, arrays);
  }

  private synchronized void add(
      int sender,
      int phase,
      int frames,
      List<Tuple2<BatchKey, ShuffleBatch>> messages,
      List<Object> arrays) {
    Phase of = phases.computeIfAbsent(phase, number -> new Phase());
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
   * Waits for the messages of all senders in a phase; returns them in the order of their keys.
   * Those of the phase before may no longer be read: their payloads are used again.
   */
  synchronized List<Tuple2<BatchKey, ShuffleBatch>> taken(int phase, TaskContext task) {
    Phase of = phases.computeIfAbsent(phase, number -> new Phase());
    awaitUntil(() -> of.complete == senders, task);
    phases.remove(phase);
    payloads.replace(read);
    read = of.payloads;
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
