/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies of blocks that stay in device memory between kernels. A copy is looked up by the identity
 * of its host array. Arrays of published versions are immutable, so copies are never stale. A copy
 * is freed after its array is garbage-collected, or evicted if it is unused and memory is needed,
 * least recently used first.
 *
 * <p>Threads that use the device free the memory, never the collector's threads.
 */
final class ResidentBlocks {
  /** Allocation granularity of device memory, in bytes. */
  private static final int GRAIN = 256;

  private final Map<Key, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private long limit;
  private long taken;

  /** A block on the device, in use until it is {@linkplain #release released}. */
  static final class Copy {
    private final Device.Memory memory;
    private final long bytes;
    private int users = 1;

    /** Null until {@link #put}. */
    private Key key;

    private Copy(Device.Memory memory, long bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    Device.Memory memory() {
      return memory;
    }

    long address() {
      return memory.address();
    }
  }

  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object array, ReferenceQueue<Object> queue) {
      super(array, queue);
      this.hash = System.identityHashCode(array);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      Object array = get();
      return this == other || (array != null && other instanceof Key key && key.refersTo(array));
    }
  }

  /** Sets the limit for the bytes of all copies. */
  synchronized void limit(long bytes) {
    limit = bytes;
    drain();
    evict(taken - limit);
  }

  /** Returns the copy of {@code array} and marks it as used; null if there is none. */
  synchronized Copy find(Object array) {
    drain();
    Copy copy = copies.get(new Key(array, null));
    if (copy != null) {
      copy.users++;
    }
    return copy;
  }

  /**
   * Allocates a copy, marked as used and not found before {@link #put}; null if there is no memory.
   */
  synchronized Copy room(Device device, long bytes) {
    drain();
    long grains = grains(bytes);
    if (grains > limit) {
      return null;
    }
    evict(taken + grains - limit);
    if (taken + grains > limit) {
      return null;
    }
    try {
      Copy copy = new Copy(device.memory(bytes), grains);
      taken += grains;
      return copy;
    } catch (OutOfDeviceMemory e) {
      return null;
    }
  }

  /** Whether {@code bytes} more would exceed the limit. */
  synchronized boolean isFull(long bytes) {
    drain();
    return taken + grains(bytes) > limit;
  }

  private static long grains(long bytes) {
    return -Math.floorDiv(-bytes, GRAIN) * GRAIN;
  }

  /**
   * Registers {@code copy} as the copy of {@code array}. If one exists already, frees {@code copy}
   * and returns the existing one, marked as used.
   */
  synchronized Copy put(Object array, Copy copy) {
    Copy other = find(array);
    if (other != null) {
      free(copy);
      return other;
    }
    copy.key = new Key(array, collected);
    copies.put(copy.key, copy);
    return copy;
  }

  /** Makes {@code copy} the copy of {@code next} only; returns false if it has other users. */
  synchronized boolean handOver(Copy copy, Object next) {
    if (copy.users > 1) {
      return false;
    }
    copies.remove(copy.key);
    copy.key = new Key(next, collected);
    copies.put(copy.key, copy);
    return true;
  }

  /** Ends one use of a copy. A copy that was never {@link #put} is freed. */
  synchronized void release(Copy copy) {
    copy.users--;
    if (copy.key == null) {
      free(copy);
    }
  }

  /** Frees a copy whose only user discards it. */
  synchronized void drop(Copy copy) {
    copies.remove(copy.key);
    free(copy);
  }

  /**
   * Frees unused copies until at least {@code bytes} are freed or none is left.
   *
   * @return whether a copy was freed
   */
  synchronized boolean evict(long bytes) {
    long least = taken - bytes;
    boolean any = false;
    Iterator<Copy> eldest = copies.values().iterator();
    while (taken > least && eldest.hasNext()) {
      Copy copy = eldest.next();
      if (copy.users == 0) {
        eldest.remove();
        free(copy);
        any = true;
      }
    }
    return any;
  }

  /** Frees the copies of garbage-collected arrays; their users are gone, too. */
  private void drain() {
    for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
      Copy copy = copies.remove(key);
      if (copy != null) {
        free(copy);
      }
    }
  }

  private void free(Copy copy) {
    copy.memory.close();
    taken -= copy.bytes;
  }

  /** The bytes of all copies. */
  synchronized long taken() {
    return taken;
  }
}
