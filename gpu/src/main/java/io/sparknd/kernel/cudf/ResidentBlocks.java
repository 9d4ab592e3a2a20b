/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies of blocks that stay in the memory of a device between kernels. Each is found by the array
 * that it is a copy of, by its identity: arrays of published versions are never written again, so a
 * copy is never old. It goes when its array does, or when others need the room and nobody uses it,
 * the least recently used first.
 *
 * <p>Memory is given back by threads that use the device, never by the collector's.
 */
final class ResidentBlocks {
  /** What memory of a device comes in. */
  private static final int GRAIN = 256;

  private final Map<Key, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private long limit;
  private long taken;

  /** One block on the device, in use until it is {@linkplain #release released}. */
  static final class Copy {
    private final Device.Memory memory;
    private final long bytes;
    private int users = 1;

    /** Null until it can be found. */
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

  /** Sets how many bytes copies may have together. */
  synchronized void limit(long bytes) {
    limit = bytes;
    drain();
    evict(taken - limit);
  }

  /** The copy of {@code array}, in use from now on; null if there is none. */
  synchronized Copy find(Object array) {
    drain();
    Copy copy = copies.get(new Key(array, null));
    if (copy != null) {
      copy.users++;
    }
    return copy;
  }

  /**
   * Room for a copy, in use, which nobody finds before it is {@link #put}; null if there is none.
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

  /** Whether other copies would have to go to make room for {@code bytes}. */
  synchronized boolean isFull(long bytes) {
    drain();
    return taken + grains(bytes) > limit;
  }

  private static long grains(long bytes) {
    return -Math.floorDiv(-bytes, GRAIN) * GRAIN;
  }

  /**
   * Makes {@code copy} the one that is found for {@code array}, unless there is one: then that is
   * returned, in use, and {@code copy} is given back.
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

  /** Makes {@code copy} that of {@code next} and of nothing else, if nobody else uses it. */
  synchronized boolean handOver(Copy copy, Object next) {
    if (copy.users > 1) {
      return false;
    }
    copies.remove(copy.key);
    copy.key = new Key(next, collected);
    copies.put(copy.key, copy);
    return true;
  }

  /** Ends one use. */
  synchronized void release(Copy copy) {
    copy.users--;
    if (copy.key == null) {
      free(copy);
    }
  }

  /** Gives back a copy that has one user, which found it to be of no use. */
  synchronized void drop(Copy copy) {
    copies.remove(copy.key);
    free(copy);
  }

  /**
   * Gives back at least {@code bytes} of copies that nobody uses, or all of them.
   *
   * @return whether there was one
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

  /** Gives back the copies of arrays that are no more: whoever used them is no more, too. */
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

  /** Bytes of all copies. */
  synchronized long taken() {
    return taken;
  }
}
