/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.options;

import java.util.List;

/**
 * The index, value and order columns of a table or query that holds slices of a tensor.
 *
 * @param indices integer columns, outermost dimension first; their number is the index depth
 * @param value a column of slices: a scalar, an array of the slice's elements in row-major order,
 *     or arrays nested as deep as the slice
 * @param orderBy columns that order the updates of one slice; rows equal in all of them are ordered
 *     by their indices and value. If empty, row order
 */
public record TensorColumns(List<String> indices, String value, List<String> orderBy) {
  public TensorColumns {
    indices = List.copyOf(indices);
    orderBy = List.copyOf(orderBy);
  }

  /** Returns a value column and its index columns, in row order. */
  public static TensorColumns of(String value, String... indices) {
    return new TensorColumns(List.of(indices), value, List.of());
  }

  /** Returns the same columns, with updates ordered by {@code columns}. */
  public TensorColumns orderedBy(String... columns) {
    return new TensorColumns(indices, value, List.of(columns));
  }
}
