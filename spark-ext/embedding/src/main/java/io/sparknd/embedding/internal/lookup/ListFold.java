/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.tensor.DType;

/**
 * Combines the rows of one list at a time: {@link #begin}, {@link #add} for every id in order,
 * {@link #end}. Every operation rounds to the type of the arithmetic: float64 for that dtype,
 * float32 for all others.
 */
abstract class ListFold {
  /** Returns a fold of rows with {@code elements} elements of a floating-point dtype. */
  static ListFold of(DType dtype, int elements, Lookup how) {
    return switch (dtype) {
      case FLOAT64 -> new DoubleListFold(elements, how);
      case FLOAT32 -> new FloatListFold(elements, how);
      default -> new HalfFloatListFold(dtype, elements, how);
    };
  }

  /** Allocates an array of {@code elements} elements as the target of {@link #end}. */
  abstract Object allocate(int elements);

  /** Starts a new list. */
  abstract void begin();

  /** Adds the row that begins at {@code unit} of {@code rows}, an array of the dtype's storage. */
  abstract void add(Object rows, int unit, double weight);

  /** Writes the combined row, rounded to the dtype, to {@code target} from {@code at} on. */
  abstract void end(Object target, int at);
}
