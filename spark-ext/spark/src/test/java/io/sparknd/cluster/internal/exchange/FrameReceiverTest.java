/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.shuffle.BatchFrames;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.TaskContext;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Frames that arrive in pieces, and the messages that a task takes of them. */
class FrameReceiverTest {
  private static final TaskContext NO_TASK = null; // nobody waits in these tests

  private final FrameBuffers buffers = new FrameBuffers();
  private final TaskMailbox mailbox = new TaskMailbox(1);

  private static Tuple2<BatchKey, ShuffleBatch> message(int sequence, Object payload, int units) {
    long[] locals = {sequence, Long.MAX_VALUE, -1};
    int[] rows = sequence % 2 == 0 ? null : new int[] {7, Integer.MIN_VALUE, 0};
    Storage storage = payload instanceof float[] ? Storage.FLOAT : Storage.SHORT;
    return new Tuple2<>(
        new BatchKey(4, 5, sequence),
        new ShuffleBatch(storage, locals.length, locals, rows, payload, units));
  }

  private void send(List<Tuple2<BatchKey, ShuffleBatch>> all, Storage storage, int phase, int piece)
      throws Exception {
    List<List<Tuple2<BatchKey, ShuffleBatch>>> parts = BatchFrames.split(all, FrameBuffers.BYTES);
    for (List<Tuple2<BatchKey, ShuffleBatch>> part : parts) {
      ByteBuffer frame = buffers.take(BatchFrames.bytes(part));
      BatchFrames.write(frame, part);
      FrameHeader header =
          new FrameHeader(9, 0, phase, parts.size(), phase, storage, frame.flip().remaining());
      FrameHeader read = FrameHeader.read(header.written());
      assertThat(read).isEqualTo(header);
      StreamCallbackWithID receiver = new FrameReceiver(read, mailbox);
      while (frame.hasRemaining()) {
        int bytes = Math.min(piece, frame.remaining());
        receiver.onData("", frame.slice(frame.position(), bytes));
        frame.position(frame.position() + bytes);
      }
      receiver.onComplete("");
      buffers.release(frame);
    }
  }

  private static void assertSame(
      List<Tuple2<BatchKey, ShuffleBatch>> received, List<Tuple2<BatchKey, ShuffleBatch>> sent) {
    assertThat(received).hasSameSizeAs(sent);
    for (int i = 0; i < sent.size(); i++) {
      ShuffleBatch batch = sent.get(i)._2();
      ShuffleBatch other = received.get(i)._2();
      assertThat(received.get(i)._1()).isEqualTo(sent.get(i)._1());
      assertThat(other.locals()).isEqualTo(batch.locals());
      assertThat(other.rows()).isEqualTo(batch.rows());
      assertThat(other.payloadUnits()).isEqualTo(batch.payloadUnits());
      Storage storage = batch.storage();
      assertThat(storage.copyOfRange(other.payload(), 0, batch.payloadUnits()))
          .isEqualTo(storage.copyOfRange(batch.payload(), 0, batch.payloadUnits()));
    }
  }

  /** Whatever the pieces in which a frame arrives, and although arrays and buffers are reused. */
  @Test
  void messagesAreReceivedBitForBit() throws Exception {
    for (int phase = 0; phase < 6; phase++) {
      float[] large = new float[300_000 + phase];
      for (int i = 0; i < large.length; i++) {
        large[i] = Float.intBitsToFloat(i * 0x9e3779b1); // NaN payloads, too
      }
      List<Tuple2<BatchKey, ShuffleBatch>> sent =
          List.of(
              message(0, new float[0], 0),
              message(1, large, large.length),
              message(2, large, 5_000),
              message(3, new float[] {-0f, phase}, 2));
      List<Tuple2<BatchKey, ShuffleBatch>> shuffled = new ArrayList<>(sent);
      Collections.rotate(shuffled, phase);
      send(shuffled, Storage.FLOAT, phase, phase % 2 == 0 ? 65_521 : 1 << 20);
      ReceivedMessages received = mailbox.taken(phase, NO_TASK);
      assertSame(received.messages(), sent);
      assertThat(received.note()).isEqualTo(phase);
    }
  }

  /** Every array may end in the middle of a piece, and every unit may come in two. */
  @Test
  void framesMayComeInPiecesOfAnySize() throws Exception {
    Random random = new Random(7);
    for (int phase = 0; phase < 300; phase++) {
      List<Tuple2<BatchKey, ShuffleBatch>> sent = new ArrayList<>();
      int messages = random.nextInt(4);
      for (int i = 0; i < messages; i++) {
        sent.add(random(random, i));
      }
      send(sent, Storage.FLOAT, phase, 1 + random.nextInt(70));
      assertSame(mailbox.taken(phase, NO_TASK).messages(), sent);
    }
  }

  private static Tuple2<BatchKey, ShuffleBatch> random(Random random, int sequence) {
    int count = random.nextInt(6);
    long most = random.nextBoolean() ? Integer.MAX_VALUE : Long.MAX_VALUE;
    long[] locals = random.longs(count, most - 9, most).toArray();
    int[] rows = random.nextBoolean() ? random.ints(count).toArray() : null;
    float[] payload = new float[random.nextInt(9)];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = Float.intBitsToFloat(random.nextInt());
    }
    return new Tuple2<>(
        new BatchKey(random.nextInt(), 5, sequence),
        new ShuffleBatch(Storage.FLOAT, count, locals, rows, payload, payload.length));
  }

  @Test
  void aFrameThatEndsInsideABatchIsRefused() {
    FrameHeader header = new FrameHeader(9, 0, 0, 1, 0, Storage.FLOAT, 30);
    StreamCallbackWithID receiver = new FrameReceiver(header, mailbox);
    ByteBuffer frame = ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(12, 2); // two locals of eight bytes
    assertThatThrownBy(
            () -> {
              receiver.onData("", frame);
              receiver.onComplete("");
            })
        .hasMessageContaining("inside a batch");
    assertThatThrownBy(() -> mailbox.taken(0, NO_TASK)).hasMessageContaining("were lost");
  }

  @Test
  void halvesAndNoMessagesAreReceived() throws Exception {
    List<Tuple2<BatchKey, ShuffleBatch>> sent = List.of(message(1, new short[] {1, -1, 3}, 2));
    send(sent, Storage.SHORT, 0, 1);
    assertSame(mailbox.taken(0, NO_TASK).messages(), sent);
    send(List.of(), Storage.SHORT, 1, 1);
    assertThat(mailbox.taken(1, NO_TASK).messages()).isEmpty();
  }

  /** What arrived for the next phase before this one is taken has arrays of its own. */
  @Test
  void phasesNeverShareArrays() throws Exception {
    List<Tuple2<BatchKey, ShuffleBatch>> first = new ArrayList<>();
    for (int phase = 0; phase < 5; phase++) {
      float[] payload = new float[8_192];
      Arrays.fill(payload, phase);
      List<Tuple2<BatchKey, ShuffleBatch>> next = List.of(message(0, payload, payload.length));
      send(next, Storage.FLOAT, phase, 1 << 20);
      if (phase > 0) {
        assertSame(mailbox.taken(phase - 1, NO_TASK).messages(), first);
      }
      first = next;
    }
  }

  @Test
  void aFrameForATaskThatEndedIsRefused() {
    FrameHeader header = new FrameHeader(9, 0, 0, 1, 0, Storage.FLOAT, 4);
    StreamCallbackWithID receiver = new FrameReceiver(header, null);
    assertThatThrownBy(
            () -> {
              receiver.onData("", ByteBuffer.allocate(4));
              receiver.onComplete("");
            })
        .hasMessageContaining("has ended");
  }

  @Test
  void aFrameThatIsCutOffEndsTheWait() throws Exception {
    FrameHeader header = new FrameHeader(9, 0, 0, 1, 0, Storage.FLOAT, 4);
    StreamCallbackWithID receiver = new FrameReceiver(header, mailbox);
    receiver.onData("", ByteBuffer.allocate(2));
    receiver.onFailure("", new IllegalStateException("connection closed"));
    assertThatThrownBy(() -> mailbox.taken(0, NO_TASK))
        .hasMessageContaining("were lost")
        .hasRootCauseMessage("connection closed");
  }
}
