/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import java.util.Objects;

/**
 * NumPy files, one a tensor: {@code weight.npy}, {@code scale.npy}, {@code ids.npy}. NumPy has no
 * bfloat16; the bits of such weights are declared as uint16, as by {@link io.sparknd.tensor.Npy}:
 * read them with {@code array.view(ml_dtypes.bfloat16)}.
 */
public record NpyFormat(WeightPrecision precision) implements ExportFormat {
  public NpyFormat {
    Objects.requireNonNull(precision, "precision");
  }

  public NpyFormat withPrecision(WeightPrecision other) {
    return new NpyFormat(other);
  }
}
