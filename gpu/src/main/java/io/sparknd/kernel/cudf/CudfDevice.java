/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaException;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.PinnedMemoryPool;
import io.sparknd.kernel.KernelErrors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The GPU of this thread. RMM allocates device memory; staging memory is pinned if cuDF's pool has
 * room.
 */
final class CudfDevice implements Device {
  private static final Cuda.Stream STREAM = Cuda.DEFAULT_STREAM;

  /** Pinned bytes of all staging buffers. They take at most half of the pool. */
  private static final AtomicLong PINNED = new AtomicLong();

  @Override
  public Memory memory(long bytes) {
    try {
      return new OnDevice(DeviceMemoryBuffer.allocate(bytes, STREAM));
    } catch (RuntimeException | OutOfMemoryError e) {
      if (OutOfDeviceMemory.isMeantBy(e)) {
        throw new OutOfDeviceMemory(bytes, e);
      }
      throw e;
    }
  }

  @Override
  public Staging staging(int bytes) {
    // cuDF logs an error for each allocation that its pool has no room for
    boolean pinned = PINNED.addAndGet(bytes) <= PinnedMemoryPool.getTotalPoolSizeBytes() / 2;
    if (!pinned) {
      PINNED.addAndGet(-bytes);
    }
    boolean isAllocated = false;
    try {
      OnHost staging = new OnHost(HostMemoryBuffer.allocate(bytes, pinned), pinned ? bytes : 0);
      isAllocated = true;
      return staging;
    } finally {
      if (!isAllocated && pinned) {
        PINNED.addAndGet(-bytes);
      }
    }
  }

  @Override
  public void toDevice(Staging from, Memory to, long at, int bytes) {
    OnDevice device = (OnDevice) to;
    run(
        "toDevice",
        () -> device.buffer().copyFromMemoryBuffer(at, ((OnHost) from).buffer(), 0, bytes, STREAM));
  }

  @Override
  public void toHost(Memory from, long at, Staging to, int bytes) {
    OnDevice device = (OnDevice) from;
    run(
        "toHost",
        () -> ((OnHost) to).buffer().copyFromMemoryBuffer(0, device.buffer(), at, bytes, STREAM));
  }

  @Override
  public long stream() {
    return STREAM.getStream();
  }

  @Override
  public void await() {
    run("await", STREAM::sync);
  }

  /**
   * Runs a call that waits for the stream. It reports the errors of kernels that ran before, too.
   *
   * @throws io.sparknd.tensor.SparkNdException with cuDF's error, which the RAPIDS Accelerator
   *     looks for
   */
  private static void run(String function, Runnable call) {
    try {
      call.run();
    } catch (CudaException e) {
      throw KernelErrors.deviceFailed(e, function, e.getCudaError());
    }
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

  private record OnHost(HostMemoryBuffer buffer, long pinned) implements Staging {
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
      PINNED.addAndGet(-pinned);
    }
  }
}
