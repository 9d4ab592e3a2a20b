/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchFrameReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.jspecify.annotations.Nullable;

/** Receives the bytes of one frame, and delivers it. */
final class FrameReceiver implements StreamCallbackWithID {
  private final FrameHeader header;

  /** Null if the receiver has ended. */
  private final @Nullable TaskMailbox to;

  /** The arrays of its payloads. */
  private final List<Object> payloads = new ArrayList<>();

  private final BatchFrameReader reader;
  private long left;

  FrameReceiver(FrameHeader header, @Nullable TaskMailbox to) {
    this.header = header;
    this.to = to;
    this.reader = new BatchFrameReader(header.storage(), this::payload);
    this.left = header.bytes();
  }

  private Object payload(int units) {
    Object array = Objects.requireNonNull(to).payload(header.storage(), units);
    payloads.add(array);
    return array;
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
      left -= part.remaining();
      reader.read(part);
    } catch (Throwable e) { // also if there is no memory: the task would wait for ever
      to.fail(e);
      throw e;
    }
  }

  @Override
  public void onComplete(String id) {
    if (to == null) {
      throw new IllegalStateException("the receiver has ended");
    }
    try {
      if (left != 0) {
        throw new IllegalStateException(left + " bytes of a frame are missing");
      }
      to.add(header, reader.batches(), payloads);
    } catch (Throwable e) {
      to.fail(e);
      throw e;
    }
  }

  @Override
  public void onFailure(String id, Throwable cause) {
    if (to != null) {
      to.fail(cause);
    }
  }
}
