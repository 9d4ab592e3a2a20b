/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The GPU of this thread. RMM allocates device memory; staging memory is pinned if cuDF's pool has
 * room.
 */
final class CudfDevice implements Device {
  private static final Cuda.Stream STREAM = Cuda.DEFAULT_STREAM;

  @Override
  public Memory memory(long bytes) {
    try {
      return new OnDevice(DeviceMemoryBuffer.allocate(bytes, STREAM));
    } catch (OutOfMemoryError e) { // cuDF throws this if device memory is exhausted
      throw new OutOfDeviceMemory(bytes, e);
    }
  }

  @Override
  public Staging staging(int bytes) {
    return new OnHost(HostMemoryBuffer.allocate(bytes, true));
  }

  @Override
  public void toDevice(Staging from, Memory to, long at, int bytes) {
    OnDevice device = (OnDevice) to;
    device.buffer().copyFromMemoryBuffer(at, ((OnHost) from).buffer(), 0, bytes, STREAM);
  }

  @Override
  public void toHost(Memory from, long at, Staging to, int bytes) {
    OnDevice device = (OnDevice) from;
    ((OnHost) to).buffer().copyFromMemoryBuffer(0, device.buffer(), at, bytes, STREAM);
  }

  @Override
  public long stream() {
    return STREAM.getStream();
  }

  @Override
  public void await() {
    STREAM.sync();
  }

  /** Device memory whose ownership can pass to cuDF. */
  record OnDevice(DeviceMemoryBuffer buffer) implements Memory {
    @Override
    public long address() {
      return buffer.getAddress();
    }

    @Override
    public void close() {
      buffer.close();
    }
  }

  private record OnHost(HostMemoryBuffer buffer) implements Staging {
    @Override
    public long address() {
      return buffer.getAddress();
    }

    @Override
    public ByteBuffer bytes() {
      return buffer.asByteBuffer(0, (int) buffer.getLength()).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
      buffer.close();
    }
  }
}
