/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Objects;
import java.util.Optional;

/**
 * Which columns of a Dataset are looked up.
 *
 * @param ids arrays of integers, or integers, each of which counts as a list of one
 * @param weights arrays of float or double as long as those of {@code ids}, or plain ones where the
 *     ids are plain
 * @param result the column that is added: float, or double for float64, nested as deep as a row of
 *     the tensor
 */
public record LookupColumns(String ids, Optional<String> weights, String result) {
  public LookupColumns {
    Objects.requireNonNull(ids, "ids");
    Objects.requireNonNull(weights, "weights");
    Objects.requireNonNull(result, "result");
  }

  /** Ids without weights; the result is called {@code embedding}. */
  public static LookupColumns of(String ids) {
    return new LookupColumns(ids, Optional.empty(), "embedding");
  }

  /** The same ids with weights. */
  public LookupColumns weightedBy(String column) {
    return new LookupColumns(ids, Optional.of(column), result);
  }

  /** The same columns with another name for the result. */
  public LookupColumns into(String column) {
    return new LookupColumns(ids, weights, column);
  }
}
