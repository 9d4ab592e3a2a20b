/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.parquet.SliceFileReader;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.Function1;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * Reads one split of a Parquet file as batches: page by page if its columns allow it, else with
 * Spark's own reader.
 */
final class PagedReader extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final Function1<PartitionedFile, Iterator<InternalRow>> fallback;
  private final Broadcast<SerializableConfiguration> configuration;
  private final List<SliceFileReader.Column> columns;
  private final StructType schema;
  private final int rows;

  /**
   * @param fallback Spark's own reader
   * @param columns columns of the files
   * @param schema schema of these columns, then of the table's partition columns
   * @param rows the most rows in a batch
   */
  PagedReader(
      Function1<PartitionedFile, Iterator<InternalRow>> fallback,
      Broadcast<SerializableConfiguration> configuration,
      List<SliceFileReader.Column> columns,
      StructType schema,
      int rows) {
    this.fallback = fallback;
    this.configuration = configuration;
    this.columns = columns;
    this.schema = schema;
    this.rows = rows;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<InternalRow> apply(PartitionedFile split) {
    Optional<SliceFileReader> file = open(split);
    if (file.isEmpty()) {
      return fallback.apply(split);
    }
    PageBatches batches =
        new PageBatches(
            file.get(),
            columns,
            schema,
            split.partitionValues(),
            rows,
            () -> fallback.apply(split));
    TaskCompletionListener atEnd = context -> close(batches);
    TaskContext.get().addTaskCompletionListener(atEnd);
    return (Iterator<InternalRow>) (Iterator<?>) batches;
  }

  private Optional<SliceFileReader> open(PartitionedFile split) {
    Path path = split.toPath();
    Configuration hadoop = configuration.value().value();
    ParquetReadOptions options =
        HadoopReadOptions.builder(hadoop, path)
            .withRange(split.start(), split.start() + split.length())
            .build();
    try {
      ParquetFileReader reader =
          ParquetFileReader.open(HadoopInputFile.fromPath(path, hadoop), options);
      return pages(reader);
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // Spark's reader reports what is wrong with the file
    }
  }

  /** Returns a reader of pages, which closes {@code reader}; else closes it here. */
  private Optional<SliceFileReader> pages(ParquetFileReader reader) throws IOException {
    Optional<SliceFileReader> file = Optional.empty();
    try {
      file = SliceFileReader.of(reader, columns);
      return file;
    } finally {
      if (file.isEmpty()) {
        reader.close();
      }
    }
  }

  private static void close(PageBatches batches) {
    try {
      batches.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
