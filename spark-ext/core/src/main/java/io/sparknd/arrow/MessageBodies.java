/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages and tracks the body buffer of the last one. Arrow's reader leaks that buffer if
 * the message cannot be turned into a record batch.
 */
final class MessageBodies extends MessageChannelReader {
  private @Nullable ArrowBuf last;

  MessageBodies(InputStream in, BufferAllocator allocator) {
    super(new ReadChannel(Channels.newChannel(in)), allocator);
  }

  @Override
  public @Nullable MessageResult readNext() throws IOException {
    MessageResult message = super.readNext();
    last = message == null ? null : message.getBodyBuffer();
    if (message != null && isBigEndian(message.getMessage())) {
      throw new IOException("its values are big-endian");
    }
    return message;
  }

  /** Arrow's reader ignores the byte order that a schema declares. */
  private static boolean isBigEndian(Message message) {
    return message.headerType() == MessageHeader.Schema
        && message.header(new Schema()) instanceof Schema schema
        && schema.endianness() == Endianness.Big;
  }

  /** Releases the last message's buffer; call it when no vector uses the buffer any more. */
  void release() {
    while (last != null && last.refCnt() > 0) {
      last.getReferenceManager().release();
    }
  }
}
