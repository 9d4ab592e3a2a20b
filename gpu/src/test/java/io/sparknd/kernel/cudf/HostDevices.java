/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The host as a device: {@code native.cu} compiled by a C++ compiler. */
final class HostDevices implements Devices {
  private final long room;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong most = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong up = new AtomicLong();

  HostDevices() {
    this(Long.MAX_VALUE);
  }

  /**
   * @param room the bytes of device memory
   */
  HostDevices(long room) {
    this.room = room;
  }

  @Override
  public String name() {
    return "cudf_on_host";
  }

  @Override
  public Optional<String> obstacle() {
    return Optional.empty();
  }

  @Override
  public Device forThisTask() {
    Gpu.needHost();
    Library.load();
    return new HostDevice();
  }

  /** Allocated bytes that are not freed. */
  long taken() {
    return taken.get();
  }

  /** The peak of allocated bytes. */
  long most() {
    return most.get();
  }

  /** Bytes copied to the device. */
  long up() {
    return up.get();
  }

  /** The number of failed allocations. */
  long refused() {
    return refused.get();
  }

  private static final class Library {
    static {
      Native.load("libsparknd-host.so");
    }

    static void load() {
      // class initialization loads it
    }
  }

  private final class HostDevice implements Device {
    @Override
    public Memory memory(long bytes) {
      return new Piece(bytes);
    }

    @Override
    public Staging staging(int bytes) {
      return new Piece(bytes);
    }

    @Override
    public void toDevice(Staging from, Memory to, long at, int bytes) {
      up.addAndGet(bytes);
      copy(((Piece) from).bytes(), 0, ((Piece) to).bytes(), (int) at, bytes);
    }

    @Override
    public void toHost(Memory from, long at, Staging to, int bytes) {
      copy(((Piece) from).bytes(), (int) at, ((Piece) to).bytes(), 0, bytes);
    }

    private void copy(ByteBuffer from, int start, ByteBuffer to, int at, int bytes) {
      to.put(at, from, start, bytes);
    }

    @Override
    public long stream() {
      return 0;
    }

    @Override
    public void await() {
      // all work is synchronous
    }
  }

  /**
   * Memory aligned like GPU memory and separate from other allocations. It is filled with 0xee at
   * first and when it is freed.
   */
  private final class Piece implements Device.Staging {
    private static final int ALIGNMENT = 256;

    private final long length;
    private final ByteBuffer buffer;
    private final AtomicBoolean closed = new AtomicBoolean();

    Piece(long length) {
      if (taken.addAndGet(length) > room) {
        taken.addAndGet(-length);
        refused.incrementAndGet();
        throw new OutOfDeviceMemory(length, null);
      }
      most.accumulateAndGet(taken.get(), Math::max);
      this.length = length;
      this.buffer =
          ByteBuffer.allocateDirect((int) length + 2 * ALIGNMENT)
              .alignedSlice(ALIGNMENT)
              .limit((int) length)
              .slice()
              .order(ByteOrder.nativeOrder());
      spoil();
    }

    private void spoil() {
      for (int i = 0; i < length; i++) {
        buffer.put(i, (byte) 0xee);
      }
    }

    @Override
    public long address() {
      return Native.address(buffer);
    }

    @Override
    public ByteBuffer bytes() {
      return buffer.duplicate().order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        throw new IllegalStateException("freed twice");
      }
      spoil();
      taken.addAndGet(-length);
    }
  }
}
