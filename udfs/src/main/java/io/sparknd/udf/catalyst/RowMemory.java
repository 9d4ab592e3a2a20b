/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Storage;

/**
 * Memory for one call, which generated code has again for the next row: memory that is new for
 * every row is never in the caches. That an array lasts until the next row is all that Spark
 * expects; those of a column do not last longer, either. Public for generated code.
 */
public final class RowMemory {
  /** Larger arrays are not kept, as one large row would hold its memory to the end of the task. */
  private static final int KEPT_BYTES = 1 << 20;

  private Object result;
  private Object operand;

  /** An array of {@code units} or more, with anything in it, for what the call answers with. */
  Object result(Storage storage, int units) {
    Object array = array(result, storage, units);
    result = kept(array, storage);
    return array;
  }

  /** The same for a copy of an argument. */
  Object operand(Storage storage, int units) {
    Object array = array(operand, storage, units);
    operand = kept(array, storage);
    return array;
  }

  private static Object array(Object last, Storage storage, int units) {
    boolean fits = storage.holds(last) && storage.length(last) >= units;
    return fits ? last : storage.allocate(units);
  }

  private static Object kept(Object array, Storage storage) {
    return storage.length(array) <= KEPT_BYTES / storage.bytes() ? array : null;
  }
}
