/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;

/**
 * What is sent before a frame.
 *
 * @param mailbox number of the receiver's {@link TaskMailbox}
 * @param sender number of the task that sends it
 * @param phase number of the phase
 * @param frames number of frames that the sender sends to the receiver in the phase
 * @param note the sender's note of the phase
 * @param storage that of the payloads
 * @param bytes the bytes of the frame
 */
record FrameHeader(
    long mailbox, int sender, int phase, int frames, int note, Storage storage, int bytes) {
  private static final int BYTES = Long.BYTES + 6 * Integer.BYTES;

  ByteBuffer written() {
    return ByteBuffer.allocate(BYTES)
        .putLong(mailbox)
        .putInt(sender)
        .putInt(phase)
        .putInt(frames)
        .putInt(note)
        .putInt(storage.ordinal())
        .putInt(bytes)
        .flip();
  }

  static FrameHeader read(ByteBuffer from) {
    return new FrameHeader(
        from.getLong(),
        from.getInt(),
        from.getInt(),
        from.getInt(),
        from.getInt(),
        Storage.values()[from.getInt()],
        from.getInt());
  }
}
