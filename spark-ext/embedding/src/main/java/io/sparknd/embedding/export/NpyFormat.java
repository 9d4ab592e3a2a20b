/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import java.util.Objects;

/**
 * NumPy files, one a tensor: {@code weight.npy}, {@code scale.npy}, {@code ids.npy}. NumPy has no
 * bfloat16; such weights have the dtype {@code bfloat16} of the package {@code ml_dtypes}, as in
 * {@link io.sparknd.tensor.Npy}.
 */
public record NpyFormat(WeightPrecision precision) implements ExportFormat {
  public NpyFormat {
    Objects.requireNonNull(precision, "precision");
  }

  public NpyFormat withPrecision(WeightPrecision other) {
    return new NpyFormat(other);
  }
}
