/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchFrames;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import scala.Tuple2;

/**
 * The messages between the tasks of a barrier stage. Each task sends to every one, itself included,
 * in every phase, so that the end of a phase needs no other message. Messages in one executor pass
 * by reference: the receiver must not modify them, and the sender only once it knows that they were
 * used.
 */
public final class TaskExchange implements AutoCloseable {
  private final BarrierTaskContext task;
  private final ExecutorPort port;
  private final TaskMailbox mailbox;
  private final long number;
  private final TaskAddress own;
  private final List<TaskAddress> members;
  private int sent;
  private int received;

  private TaskExchange(BarrierTaskContext task, ExecutorPort port) {
    this.task = task;
    this.port = port;
    this.mailbox = new TaskMailbox(task.numPartitions());
    this.number = port.open(mailbox);
    this.own = port.address(number);
    this.members = joinedMembers();
  }

  private List<TaskAddress> joinedMembers() {
    boolean isJoined = false;
    try {
      List<TaskAddress> all =
          AllGather.of(task, own.toString()).stream().map(TaskAddress::parse).toList();
      isJoined = true;
      return all;
    } finally {
      if (!isJoined) {
        close();
      }
    }
  }

  /** Joins the other tasks of the stage, once all have begun. */
  public static TaskExchange joined() {
    return new TaskExchange(BarrierTaskContext.get(), ExecutorPort.current());
  }

  /** Returns the number of tasks. */
  public int members() {
    return members.size();
  }

  /** Returns the number of tasks in this executor. */
  public int membersHere() {
    return (int) members.stream().filter(own::isBeside).count();
  }

  /**
   * Sends the messages of the next phase.
   *
   * @param byMember messages to each task
   * @param storage that of the messages
   * @param note what all tasks learn of the phase, see {@link ReceivedMessages}
   */
  public void send(List<List<Tuple2<BatchKey, ShuffleBatch>>> byMember, Storage storage, int note) {
    int phase = sent++;
    for (int i = 1; i <= byMember.size(); i++) {
      int to = (task.partitionId() + i) % byMember.size(); // itself last, others not all at once
      send(to, phase, byMember.get(to), storage, note);
    }
  }

  private void send(
      int to, int phase, List<Tuple2<BatchKey, ShuffleBatch>> messages, Storage storage, int note) {
    TaskAddress address = members.get(to);
    if (address.isBeside(own)) {
      TaskMailbox other = port.mailbox(address.mailbox());
      Objects.requireNonNull(other, "the receiver has ended")
          .add(task.partitionId(), phase, messages, note);
      return;
    }
    List<List<Tuple2<BatchKey, ShuffleBatch>>> parts =
        BatchFrames.split(messages, FrameBuffers.BYTES);
    for (List<Tuple2<BatchKey, ShuffleBatch>> part : parts) {
      int bytes = BatchFrames.bytes(part);
      mailbox.send(bytes, task);
      TransportClient client = port.client(address);
      ByteBuffer frame = port.buffers().take(bytes);
      BatchFrames.write(frame, part);
      FrameHeader header =
          new FrameHeader(
              address.mailbox(), task.partitionId(), phase, parts.size(), note, storage, bytes);
      client.uploadStream(
          new NioManagedBuffer(header.written()),
          new NioManagedBuffer(frame.flip()),
          new Delivery(frame));
    }
  }

  /**
   * Waits until all messages were received. A task that ended before would not learn that its last
   * one was lost, and the receiver would wait for ever.
   */
  public void awaitDelivery() {
    mailbox.awaitDelivery(task);
  }

  /**
   * Waits for the messages of the next phase, and returns them. They are valid until the next call.
   */
  public ReceivedMessages received() {
    return mailbox.taken(received++, task);
  }

  /** Ends what this task receives. */
  @Override
  public void close() {
    port.close(number);
  }

  /** Learns whether a frame was received. Spark may tell twice that it was not. */
  private final class Delivery implements RpcResponseCallback {
    private final ByteBuffer frame;
    private final AtomicBoolean isTold = new AtomicBoolean();

    Delivery(ByteBuffer frame) {
      this.frame = frame;
    }

    @Override
    public void onSuccess(ByteBuffer response) {
      if (isTold.compareAndSet(false, true)) {
        int bytes = frame.limit();
        port.buffers().release(frame);
        mailbox.delivered(bytes);
      }
    }

    @Override
    public void onFailure(Throwable cause) {
      if (isTold.compareAndSet(false, true)) {
        port.buffers().drop(frame);
      }
      mailbox.fail(cause);
    }
  }
}
