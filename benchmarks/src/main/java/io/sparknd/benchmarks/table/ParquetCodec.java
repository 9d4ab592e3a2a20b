/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.util.Locale;

/** How pages of Parquet files with string keys are compressed, by all stores. */
enum ParquetCodec {
  /** Iceberg's and Paimon's default. */
  ZSTD,
  /** Decompressed several times as fast; random digits stay as large as they are. */
  LZ4_RAW;

  /** The name in Parquet, which Iceberg, Paimon and Spark share. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
