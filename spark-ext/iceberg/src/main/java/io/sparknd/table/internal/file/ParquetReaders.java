/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileReader;

/** Opens Parquet files without loading Hadoop's configuration each time. */
final class ParquetReaders {
  private static final ParquetConfiguration DEFAULTS = new PlainParquetConfiguration();

  private ParquetReaders() {}

  static ParquetFileReader open(InputAdapter file, ChecksumVerification checks) throws IOException {
    // a reader closes its codecs, which are not thread-safe: each reader gets its own
    ParquetReadOptions options =
        ParquetReadOptions.builder(DEFAULTS)
            .withCodecFactory(new CodecFactory(DEFAULTS, 0))
            .usePageChecksumVerification(checks == ChecksumVerification.VERIFIED)
            .build();
    return ParquetFileReader.open(file, options);
  }
}
