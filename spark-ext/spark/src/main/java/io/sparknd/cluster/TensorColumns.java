/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.util.List;

/**
 * Which columns of a table or query spell out slices of a tensor.
 *
 * @param indices integer columns, outermost dimension first; their number is the index depth
 * @param value a column of slices: a scalar, an array of the slice's elements in row-major order,
 *     or arrays nested as deep as the slice
 * @param orderBy columns that say which of several updates to one slice comes first; rows equal in
 *     all of them come in the order of their indices and value. Empty: in the order of the rows
 */
public record TensorColumns(List<String> indices, String value, List<String> orderBy) {
  public TensorColumns {
    indices = List.copyOf(indices);
    orderBy = List.copyOf(orderBy);
  }

  /** A value column and its index columns, in the order of the rows. */
  public static TensorColumns of(String value, String... indices) {
    return new TensorColumns(List.of(indices), value, List.of());
  }

  /** The same columns, with updates in the order of {@code columns}. */
  public TensorColumns orderedBy(String... columns) {
    return new TensorColumns(indices, value, List.of(columns));
  }
}
