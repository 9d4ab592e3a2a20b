/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A column of tensors, or of arbitrary lists, in device memory. */
final class HeldLists implements AutoCloseable {
  private final Device device;
  private final List<Device.Memory> memories = new ArrayList<>();
  private final TensorLists lists;
  private final int[][] offsets;

  /**
   * @param offsets the offsets of each level
   * @param elements an array of the dtype's storage
   */
  HeldLists(Device device, DType dtype, boolean[] valid, int[][] offsets, Object elements) {
    this.device = device;
    this.offsets = offsets;
    long[] levels = new long[offsets.length];
    for (int level = 0; level < levels.length; level++) {
      levels[level] = hold(Storage.INT, offsets[level]);
    }
    this.lists =
        new TensorLists(dtype, valid.length, bits(valid), levels, hold(dtype.storage(), elements));
  }

  /**
   * @param rank the rank of every tensor
   * @param rows the tensors; null is NULL
   */
  static HeldLists of(Device device, DType dtype, int rank, List<Tensor> rows) {
    int[][] offsets = new int[rank][];
    for (int level = 0; level < rank; level++) {
      offsets[level] = offsets(rows, level);
    }
    boolean[] valid = new boolean[rows.size()];
    int count = rows.stream().mapToInt(row -> row == null ? 0 : row.elements()).sum();
    Object elements = dtype.storage().allocate(count);
    int at = 0;
    for (int row = 0; row < valid.length; row++) {
      Tensor tensor = rows.get(row);
      valid[row] = tensor != null;
      if (tensor != null) {
        System.arraycopy(tensor.array(), 0, elements, at, tensor.elements());
        at += tensor.elements();
      }
    }
    return new HeldLists(device, dtype, valid, offsets, elements);
  }

  /** Offsets in the layout of Arrow and cuDF: an empty list has no inner lists. */
  private static int[] offsets(List<Tensor> rows, int level) {
    List<Integer> offsets = new ArrayList<>(List.of(0));
    int end = 0;
    for (Tensor row : rows) {
      boolean none = row == null && level > 0;
      long lists = none ? 0 : row == null ? 1 : row.shape().first(level).elements();
      for (long i = 0; i < lists; i++) {
        end += row == null ? 0 : (int) row.shape().dim(level);
        offsets.add(end);
      }
    }
    return offsets.stream().mapToInt(Integer::intValue).toArray();
  }

  private long bits(boolean[] valid) {
    int[] words = new int[valid.length / Integer.SIZE + 1];
    for (int row = 0; row < valid.length; row++) {
      words[row / Integer.SIZE] |= valid[row] ? 1 << row : 0;
    }
    return hold(Storage.INT, words);
  }

  private long hold(Storage storage, Object array) {
    int length = storage.length(array);
    Device.Memory memory = device.memory(Math.max(1, (long) length * storage.bytes()));
    memories.add(memory);
    if (length > 0) {
      try (DeviceTransfer transfer = new DeviceTransfer(device, storage, 1, length)) {
        transfer.toDevice(new FlatRows(array, 0, 1), length, memory);
      }
    }
    return memory.address();
  }

  int[] offsets(int level) {
    return offsets[level];
  }

  TensorLists lists() {
    return lists;
  }

  /** Returns the current elements. */
  Object elements(int count) {
    return elements(device, lists.dtype(), memories.get(memories.size() - 1), count);
  }

  static Object elements(Device device, DType dtype, Device.Memory memory, int count) {
    Object array = dtype.storage().allocate(count);
    if (count > 0) {
      try (DeviceTransfer transfer = new DeviceTransfer(device, dtype.storage(), 1, count)) {
        transfer.toHost(memory, count, new FlatRows(array, 0, 1));
      }
    }
    return array;
  }

  /** Concatenates all rows; null rows have no elements. */
  static Tensor joined(DType dtype, List<Tensor> rows) {
    int count = rows.stream().mapToInt(row -> row == null ? 0 : row.elements()).sum();
    Tensor all = Tensor.zeros(dtype, Shape.of(count));
    int at = 0;
    for (Tensor row : rows) {
      if (row != null) {
        System.arraycopy(row.array(), 0, all.array(), at, row.elements());
        at += row.elements();
      }
    }
    return all;
  }

  @Override
  public void close() {
    memories.forEach(Device.Memory::close);
  }
}
