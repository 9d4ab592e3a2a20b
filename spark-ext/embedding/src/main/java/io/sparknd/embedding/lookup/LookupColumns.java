/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import java.util.Objects;
import java.util.Optional;

/**
 * The columns of a lookup in a Dataset.
 *
 * @param ids column of integer arrays, or of integers, each of which is a list of one id
 * @param weights column of float or double arrays as long as those of {@code ids}, or of plain
 *     numbers if the ids are plain
 * @param result name of the added column: float, or double for float64, nested as deep as a row of
 *     the tensor
 */
public record LookupColumns(String ids, Optional<String> weights, String result) {
  public LookupColumns {
    Objects.requireNonNull(ids, "ids");
    Objects.requireNonNull(weights, "weights");
    Objects.requireNonNull(result, "result");
  }

  /** Returns columns without weights; the result column is {@code embedding}. */
  public static LookupColumns of(String ids) {
    return new LookupColumns(ids, Optional.empty(), "embedding");
  }

  /** Returns these columns with a weights column. */
  public LookupColumns weightedBy(String column) {
    return new LookupColumns(ids, Optional.of(column), result);
  }

  /** Returns these columns with another name for the result. */
  public LookupColumns into(String column) {
    return new LookupColumns(ids, weights, column);
  }
}
