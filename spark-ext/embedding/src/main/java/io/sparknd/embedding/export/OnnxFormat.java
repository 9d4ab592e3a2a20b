/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.Objects;

/**
 * An ONNX model (opset 17), {@code model.onnx}: input {@code rows}, int64 of shape {@code [n]},
 * output {@code embedding}, float32 of shape {@code [n, dim]}. A {@code Gather} node reads the
 * rows, which are then cast to float32, and multiplied by their scales if there are any. Row
 * numbers are ids. If ids are keys, {@code ids.npy} has the key of each row, ascending: find a
 * key's row by binary search.
 *
 * @param inlineBytes maximum bytes of weights in the model file; more lie beside it, in {@code
 *     model.onnx.data}. In {@code [0, 2^31 - 2^20]}: readers of ONNX limit a file to 2 GiB
 */
public record OnnxFormat(WeightPrecision precision, long inlineBytes) implements ExportFormat {
  static final long MAX_INLINE_BYTES = (1L << 31) - (1L << 20);

  public OnnxFormat {
    Objects.requireNonNull(precision, "precision");
    if (inlineBytes < 0 || inlineBytes > MAX_INLINE_BYTES) {
      throw EmbeddingErrors.badExportSize("inlineBytes", inlineBytes, 0, MAX_INLINE_BYTES);
    }
  }

  public OnnxFormat withPrecision(WeightPrecision other) {
    return new OnnxFormat(other, inlineBytes);
  }

  public OnnxFormat withInlineBytes(long bytes) {
    return new OnnxFormat(precision, bytes);
  }
}
