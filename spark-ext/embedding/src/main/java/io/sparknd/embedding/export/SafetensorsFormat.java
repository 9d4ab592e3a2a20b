/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.Objects;

/**
 * Files of Hugging Face's safetensors format. A table of at most {@code shardBytes} is one file,
 * {@code model.safetensors}. A larger one is several, {@code model-00001-of-00003.safetensors} and
 * so on, with {@code model.safetensors.index.json}; the tensors of file {@code i} have names such
 * as {@code weight.i}, from 0 on, and are consecutive rows.
 *
 * @param shardBytes maximum bytes of tensors in a file, but at least one row; at least 1
 */
public record SafetensorsFormat(WeightPrecision precision, long shardBytes)
    implements ExportFormat {
  static final long DEFAULT_SHARD_BYTES = 5_000_000_000L;

  public SafetensorsFormat {
    Objects.requireNonNull(precision, "precision");
    if (shardBytes < 1) {
      throw EmbeddingErrors.badExportSize("shardBytes", shardBytes, 1, Long.MAX_VALUE);
    }
  }

  public SafetensorsFormat withPrecision(WeightPrecision other) {
    return new SafetensorsFormat(other, shardBytes);
  }

  public SafetensorsFormat withShardBytes(long bytes) {
    return new SafetensorsFormat(precision, bytes);
  }
}
