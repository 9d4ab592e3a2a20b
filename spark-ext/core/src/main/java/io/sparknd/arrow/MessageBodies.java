/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;

/**
 * Reads messages and remembers the memory of the last one, which Arrow's reader does not give back
 * where a message cannot be made a record batch.
 */
final class MessageBodies extends MessageChannelReader {
  private ArrowBuf last;

  MessageBodies(InputStream in, BufferAllocator allocator) {
    super(new ReadChannel(Channels.newChannel(in)), allocator);
  }

  @Override
  public MessageResult readNext() throws IOException {
    MessageResult message = super.readNext();
    last = message == null ? null : message.getBodyBuffer();
    return message;
  }

  /** Gives back what is left of the last message, once no vector uses it any more. */
  void release() {
    while (last != null && last.refCnt() > 0) {
      last.getReferenceManager().release();
    }
  }
}
