/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/** Opens Parquet files without loading Hadoop's configuration each time. */
public final class ParquetReaders {
  private static final ParquetConfiguration DEFAULTS = new PlainParquetConfiguration();

  private ParquetReaders() {}

  static ParquetFileReader open(InputAdapter file, ChecksumVerification checks) throws IOException {
    return ParquetFileReader.open(file, options(checks));
  }

  /**
   * Opens a file whose footer is known, to read some columns of it by their page index. A reader
   * remembers the indexes of the first columns that it reads so, and finds no others.
   */
  static ParquetFileReader open(
      InputAdapter file,
      ChecksumVerification checks,
      ParquetMetadata footer,
      List<ColumnDescriptor> columns)
      throws IOException {
    ParquetFileReader reader =
        ParquetFileReader.open(file, footer, options(checks), file.newStream());
    reader.setRequestedSchema(columns);
    return reader;
  }

  /**
   * Opens the row groups of a split: those with their middle in it, as Iceberg and Spark assign
   * them.
   *
   * @param start first byte of the split
   */
  public static ParquetFileReader open(
      InputAdapter file, ChecksumVerification checks, long start, long length) throws IOException {
    return ParquetFileReader.open(file, builder(checks).withRange(start, start + length).build());
  }

  /** Opens the row groups of a footer. */
  public static ParquetFileReader open(
      InputAdapter file, ChecksumVerification checks, ParquetMetadata footer) throws IOException {
    return ParquetFileReader.open(file, footer, options(checks), file.newStream());
  }

  /**
   * Opens those row groups of a footer that may have rows which satisfy a predicate, by their
   * statistics and bloom filters, and by their dictionaries unless checksums are verified: Parquet
   * does not verify those of dictionaries that it filters by.
   */
  public static ParquetFileReader open(
      InputAdapter file,
      ChecksumVerification checks,
      ParquetMetadata footer,
      FilterPredicate predicate)
      throws IOException {
    ParquetReadOptions options =
        builder(checks)
            .withRecordFilter(FilterCompat.get(predicate))
            .useStatsFilter()
            .useDictionaryFilter(checks != ChecksumVerification.VERIFIED)
            .useBloomFilter()
            .build();
    return ParquetFileReader.open(file, footer, options, file.newStream());
  }

  private static ParquetReadOptions options(ChecksumVerification checks) {
    return builder(checks).build();
  }

  private static ParquetReadOptions.Builder builder(ChecksumVerification checks) {
    // a reader closes its codecs, which are not thread-safe: each reader gets its own
    return ParquetReadOptions.builder(DEFAULTS)
        .withCodecFactory(new PageCodecs(DEFAULTS))
        .usePageChecksumVerification(checks == ChecksumVerification.VERIFIED);
  }
}
