/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import java.nio.ByteBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.jspecify.annotations.Nullable;

/** Receives the bytes of one frame, and delivers it. */
final class FrameReceiver implements StreamCallbackWithID {
  private final FrameHeader header;
  private final FrameBuffers buffers;

  /** Null if the receiver has ended. */
  private final @Nullable TaskMailbox to;

  private @Nullable ByteBuffer frame;

  FrameReceiver(FrameHeader header, @Nullable TaskMailbox to, FrameBuffers buffers) {
    this.header = header;
    this.to = to;
    this.buffers = buffers;
  }

  @Override
  public String getID() {
    return header.toString();
  }

  @Override
  public void onData(String id, ByteBuffer part) {
    if (to == null) {
      return;
    }
    try {
      frame().put(part);
    } catch (Throwable e) { // also if there is no memory: the task would wait for ever
      to.fail(e);
      throw e;
    }
  }

  private ByteBuffer frame() {
    if (frame == null) {
      frame = buffers.take(header.bytes());
    }
    return frame;
  }

  @Override
  public void onComplete(String id) {
    if (to == null) {
      throw new IllegalStateException("the receiver has ended");
    }
    try {
      to.add(header, frame().flip());
    } catch (Throwable e) {
      to.fail(e);
      throw e;
    }
    buffers.release(frame());
  }

  @Override
  public void onFailure(String id, Throwable cause) {
    if (to != null) {
      to.fail(cause);
    }
  }
}
