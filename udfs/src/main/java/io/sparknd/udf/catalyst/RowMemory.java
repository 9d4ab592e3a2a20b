/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Storage;

/**
 * Scratch memory of one call, reused across rows in generated code so that it stays in the CPU
 * caches. An array is valid until the next row, which is all that Spark requires; the arrays of a
 * column are not valid longer either. Public for generated code.
 */
public final class RowMemory {
  /**
   * Larger arrays are not retained, because one large row would hold its memory until the task
   * ends.
   */
  private static final int MAX_RETAINED_BYTES = 1 << 20;

  private Object result;
  private Object operand;

  /**
   * Returns an array of at least {@code units} with undefined contents, for the result of the call.
   */
  Object result(Storage storage, int units) {
    Object array = array(result, storage, units);
    result = retained(array, storage);
    return array;
  }

  /** Returns such an array for a copy of an argument. */
  Object operand(Storage storage, int units) {
    Object array = array(operand, storage, units);
    operand = retained(array, storage);
    return array;
  }

  private static Object array(Object last, Storage storage, int units) {
    boolean fits = storage.holds(last) && storage.length(last) >= units;
    return fits ? last : storage.allocate(units);
  }

  private static Object retained(Object array, Storage storage) {
    return storage.length(array) <= MAX_RETAINED_BYTES / storage.bytes() ? array : null;
  }
}
