/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import io.sparknd.udf.UdfErrors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The updates of one group, in arrival order. */
final class GroupUpdates {
  private static final int INITIAL_UPDATES = 16;

  private static final int MAX_UNCOMBINED_UPDATES = 1024;

  /** Fewer updates are kept as they came if they have more elements together. */
  private static final int MAX_UNCOMBINED_UNITS = 1 << 20;

  /** Fewer updates are allocated at first if they have more elements together. */
  private static final int INITIAL_UNITS = 4096;

  private final DType dtype;
  private final int units;
  private long[] offsets;
  private long[] orders;
  private Object values;
  private int count;
  private int combineThreshold;

  /**
   * Creates an empty buffer.
   *
   * @param units elements per update
   */
  GroupUpdates(DType dtype, int units) {
    this(dtype, units, initialCapacity(units));
  }

  private GroupUpdates(DType dtype, int units, int capacity) {
    this.dtype = dtype;
    this.units = units;
    this.offsets = new long[capacity];
    this.orders = new long[capacity];
    this.values = dtype.storage().allocate(Math.multiplyExact(capacity, units));
    this.combineThreshold = combineThreshold(units);
  }

  int count() {
    return count;
  }

  long offset(int i) {
    return offsets[i];
  }

  long order(int i) {
    return orders[i];
  }

  /**
   * Returns the values; elements {@code [i * units, (i + 1) * units)} belong to update {@code i}.
   */
  Object values() {
    return values;
  }

  /** Appends an update, copying its elements. */
  void add(long offset, long order, Object slice) {
    reserve(1);
    offsets[count] = offset;
    orders[count] = order;
    System.arraycopy(slice, 0, values, count * units, units);
    count++;
  }

  /** Appends the updates of {@code other}. */
  void addAll(GroupUpdates other) {
    reserve(other.count);
    System.arraycopy(other.offsets, 0, offsets, count, other.count);
    System.arraycopy(other.orders, 0, orders, count, other.count);
    System.arraycopy(other.values, 0, values, count * units, other.count * units);
    count += other.count;
  }

  private void reserve(int more) {
    long needed = (long) count + more;
    if (needed > offsets.length) {
      int capacity = largerCapacity(offsets.length, needed, units);
      GroupUpdates larger = new GroupUpdates(dtype, units, capacity);
      System.arraycopy(values, 0, larger.values, 0, count * units);
      values = larger.values;
      offsets = Arrays.copyOf(offsets, capacity);
      orders = Arrays.copyOf(orders, capacity);
    }
  }

  /** Returns the number of updates of {@code units} elements to allocate for a new group. */
  static int initialCapacity(int units) {
    return Math.min(INITIAL_UPDATES, Math.max(1, INITIAL_UNITS / Math.max(1, units)));
  }

  /** Returns how many updates of {@code units} elements a new group has before they are folded. */
  static int combineThreshold(int units) {
    int most = MAX_UNCOMBINED_UNITS / Math.max(1, units);
    return Math.max(2, Math.min(MAX_UNCOMBINED_UPDATES, most));
  }

  /** Returns how many updates of {@code units} elements fit one array. */
  private static int mostUpdates(int units) {
    return Storage.MAX_LENGTH / Math.max(1, units);
  }

  /**
   * Returns the capacity to which a buffer grows: doubled if that fits one array.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code needed} updates do not fit one array
   */
  static int largerCapacity(int capacity, long needed, int units) {
    int most = mostUpdates(units);
    if (needed > most) {
      throw UdfErrors.groupTooLarge(needed, units, Storage.MAX_LENGTH);
    }
    return (int) Math.max(needed, Math.min(2L * capacity, most));
  }

  /** Whether there are enough updates for {@link #combine} to pay off. */
  boolean shouldCombine() {
    return count >= combineThreshold;
  }

  /** Folds the updates of each slice into the first of them. */
  void combine(ScatterKernel kernel) {
    Map<Long, Integer> firsts = new HashMap<>();
    SliceAddresses at = new SliceAddresses();
    Object[] blocks = dtype.storage().allocateBlocks(1);
    blocks[0] = values;
    boolean[] isFirst = new boolean[count];
    for (int i = 0; i < count; i++) {
      Integer first = firsts.putIfAbsent(offsets[i], i);
      isFirst[i] = first == null;
      if (first != null) {
        at.position[at.count] = first * units;
        at.row[at.count] = i * units;
        at.count++;
      }
      if (at.count == SliceAddresses.CAPACITY || i == count - 1) {
        if (units > 0) {
          kernel.apply(blocks, at, values, units);
        }
        at.count = 0;
      }
    }
    compact(isFirst);
  }

  private void compact(boolean[] isFirst) {
    int next = 0;
    for (int i = 0; i < isFirst.length; i++) {
      if (isFirst[i]) {
        offsets[next] = offsets[i];
        orders[next] = orders[i];
        System.arraycopy(values, i * units, values, next * units, units);
        next++;
      }
    }
    count = next;
    combineThreshold = Math.min(mostUpdates(units), Math.max(combineThreshold, 2 * count));
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(count);
      for (int i = 0; i < count; i++) {
        out.writeLong(offsets[i]);
        out.writeLong(orders[i]);
      }
      for (int i = 0; i < count * units; i++) {
        write(out, i);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void write(DataOutputStream out, int i) throws IOException {
    switch (dtype.storage()) {
      case BYTE -> out.writeByte(((byte[]) values)[i]);
      case SHORT -> out.writeShort(((short[]) values)[i]);
      case INT -> out.writeInt(((int[]) values)[i]);
      case LONG -> out.writeLong(((long[]) values)[i]);
      case FLOAT -> out.writeInt(Float.floatToRawIntBits(((float[]) values)[i]));
      case DOUBLE -> out.writeLong(Double.doubleToRawLongBits(((double[]) values)[i]));
      case STRING -> {
        byte[] text = ((String[]) values)[i].getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
      }
    }
  }

  /** Restores updates from the result of {@link #bytes}. */
  static GroupUpdates of(DType dtype, int units, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int count = in.readInt();
      GroupUpdates updates = new GroupUpdates(dtype, units, Math.max(1, count));
      for (int i = 0; i < count; i++) {
        updates.offsets[i] = in.readLong();
        updates.orders[i] = in.readLong();
      }
      for (int i = 0; i < count * units; i++) {
        updates.read(in, i);
      }
      updates.count = count;
      return updates;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(DataInputStream in, int i) throws IOException {
    switch (dtype.storage()) {
      case BYTE -> ((byte[]) values)[i] = in.readByte();
      case SHORT -> ((short[]) values)[i] = in.readShort();
      case INT -> ((int[]) values)[i] = in.readInt();
      case LONG -> ((long[]) values)[i] = in.readLong();
      case FLOAT -> ((float[]) values)[i] = Float.intBitsToFloat(in.readInt());
      case DOUBLE -> ((double[]) values)[i] = Double.longBitsToDouble(in.readLong());
      case STRING ->
          ((String[]) values)[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
  }

  /** Compares the elements of updates {@code i} and {@code j} by value, then by bits. */
  int compareValues(int i, int j) {
    int result = 0;
    for (int unit = 0; unit < units && result == 0; unit++) {
      result = compareUnits(i * units + unit, j * units + unit);
    }
    return result;
  }

  private int compareUnits(int i, int j) {
    if (values instanceof byte[] all) {
      return Byte.compare(all[i], all[j]);
    }
    if (values instanceof short[] all) {
      return Short.compare(all[i], all[j]);
    }
    if (values instanceof int[] all) {
      return Integer.compare(all[i], all[j]);
    }
    if (values instanceof long[] all) {
      return Long.compare(all[i], all[j]);
    }
    if (values instanceof float[] all) {
      int byValue = Float.compare(all[i], all[j]);
      return byValue != 0
          ? byValue
          : Integer.compare(Float.floatToRawIntBits(all[i]), Float.floatToRawIntBits(all[j]));
    }
    if (values instanceof double[] all) {
      int byValue = Double.compare(all[i], all[j]);
      return byValue != 0
          ? byValue
          : Long.compare(Double.doubleToRawLongBits(all[i]), Double.doubleToRawLongBits(all[j]));
    }
    return ((String[]) values)[i].compareTo(((String[]) values)[j]);
  }
}
