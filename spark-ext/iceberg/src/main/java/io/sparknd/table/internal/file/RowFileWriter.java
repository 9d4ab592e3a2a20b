/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.io.OutputFile;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Writes one Parquet data file of a tensor table. Not thread-safe. If a call fails, close the
 * writer and delete the file.
 */
public final class RowFileWriter implements Closeable {
  /** Rows are appended in steps of about this many units; a row group can end between steps. */
  private static final int STEP_UNITS = 1 << 18;

  private final String name;
  private final RowFormat format;
  private final WriteOptions options;
  private final OutputAdapter output;
  private final ParquetFileWriter writer;
  private final CodecFactory codecs;
  private final List<ColumnChunkWriter> indices = new ArrayList<>();
  private final List<ColumnChunkWriter> values = new ArrayList<>();
  private final List<LineageColumnWriter> lineage = new ArrayList<>();
  private int rows;
  private boolean closed;
  private boolean failed;

  private RowFileWriter(
      OutputFile file, RowFormat format, MessageType schema, Map<String, String> properties)
      throws IOException {
    this.name = file.location();
    this.format = format;
    this.options = WriteOptions.of(properties);
    this.output = new OutputAdapter(file);
    LeafColumnFinder leaves = new LeafColumnFinder(name, schema, format);
    this.codecs = options.codecs();
    BytesInputCompressor compressor = codecs.getCompressor(options.codec());
    for (LeafColumn leaf : leaves.indices()) {
      indices.add(
          new ColumnChunkWriter(leaf, new IndexEncoder(leaf, options.pageBytes()), compressor));
    }
    for (LeafColumn leaf : leaves.values()) {
      values.add(new ColumnChunkWriter(leaf, encoder(leaf), compressor));
    }
    int own = indices.size() + values.size();
    for (ColumnDescriptor column : schema.getColumns().subList(own, schema.getColumns().size())) {
      lineage.add(new LineageColumnWriter(column, options.pageBytes(), compressor));
    }
    this.writer =
        new ParquetFileWriter(
            output,
            schema,
            ParquetFileWriter.Mode.CREATE,
            options.groupBytes(),
            0,
            ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
            ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
            true);
    writer.start();
  }

  private PageEncoder encoder(LeafColumn leaf) {
    if (leaf.kind() instanceof ValueKind.Fixed fixed) {
      return new FixedEncoder(leaf, fixed.codec(), options.pageBytes());
    }
    return leaf.kind() instanceof ValueKind.Slice slice
        ? new SliceEncoder(slice, options.pageBytes())
        : new StringEncoder(leaf, options.pageBytes());
  }

  /**
   * Creates {@code file}, which must not exist.
   *
   * @param format row format of the table; a slice has one element or more
   * @param tableProperties properties of the Iceberg table; {@code write.parquet.*} set the write
   *     options
   * @throws SparkNdException if the file cannot be written
   */
  public static RowFileWriter create(
      OutputFile file, RowFormat format, Map<String, String> tableProperties) {
    return create(file, format, ParquetSchema.of(format), tableProperties);
  }

  /** Creates {@code file} with columns for row lineage. */
  public static RowFileWriter withLineage(
      OutputFile file, RowFormat format, Map<String, String> tableProperties) {
    return create(file, format, ParquetSchema.withLineage(format), tableProperties);
  }

  private static RowFileWriter create(
      OutputFile file, RowFormat format, MessageType schema, Map<String, String> properties) {
    try {
      return new RowFileWriter(file, format, schema, properties);
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unwritableTableFile(file.location(), e);
    }
  }

  /**
   * Appends rows.
   *
   * @param offsets row-major positions in {@code format.outer()}, ascending
   * @param slots row i's value begins at unit {@code slots[i] * format.units()} of {@code payload};
   *     null for i itself
   * @param count number of valid entries in both arrays
   * @param payload an array of {@code format.dtype().storage()}
   */
  public void append(long[] offsets, int[] slots, int count, Object payload) {
    append(offsets, slots, count, payload, null);
  }

  /**
   * Appends rows with their lineage.
   *
   * @param carried lineage by slot; null only if the file has no lineage columns
   */
  public void append(
      long[] offsets, int[] slots, int count, Object payload, @Nullable RowLineage carried) {
    guarded(
        () -> {
          int step = Math.max(1, STEP_UNITS / format.units());
          for (int from = 0; from < count; from += Math.min(step, count - from)) {
            int to = Math.min(from + step, count);
            appendLineage(slots, from, to, carried);
            appendStep(offsets, slots, from, to, payload);
          }
        });
  }

  private void appendStep(long[] offsets, int[] slots, int from, int to, Object payload)
      throws IOException {
    for (int axis = 0; axis < indices.size(); axis++) {
      indices.get(axis).append(coordinates(offsets, from, to, axis), 0, to - from, 1);
    }
    int units = format.units();
    for (int i = from; i < to; ) {
      int run = slots == null ? to - i : run(slots, i, to);
      int at = (slots == null ? i : slots[i]) * units;
      for (ColumnChunkWriter column : values) {
        column.append(payload, at, run, units);
      }
      i += run;
    }
    rows += to - from;
    if (buffered() >= options.groupBytes()) {
      flush();
    }
  }

  private void appendLineage(int[] slots, int from, int to, @Nullable RowLineage carried)
      throws IOException {
    if (lineage.isEmpty()) {
      return;
    }
    RowLineage rowLineage = Objects.requireNonNull(carried);
    for (int i = from; i < to; i++) {
      int slot = slots == null ? i : slots[i];
      lineage.get(0).append(rowLineage.ids()[slot]);
      lineage.get(1).append(rowLineage.sequences()[slot]);
    }
  }

  private static int run(int[] slots, int from, int to) {
    int end = from + 1;
    while (end < to && slots[end] == slots[end - 1] + 1) {
      end++;
    }
    return end - from;
  }

  private long[] coordinates(long[] offsets, int from, int to, int axis) {
    Shape outer = format.outer();
    long inner = outer.from(axis + 1).elements();
    long[] coordinates = new long[to - from];
    for (int i = from; i < to; i++) {
      coordinates[i - from] = offsets[i] / inner % outer.dim(axis);
    }
    return coordinates;
  }

  private long buffered() {
    long bytes = 0;
    for (ColumnChunkWriter column : indices) {
      bytes += column.bytes();
    }
    for (ColumnChunkWriter column : values) {
      bytes += column.bytes();
    }
    for (LineageColumnWriter column : lineage) {
      bytes += column.bytes();
    }
    return bytes;
  }

  private void flush() throws IOException {
    writer.startBlock(rows);
    for (ColumnChunkWriter column : indices) {
      column.flush(writer);
    }
    for (ColumnChunkWriter column : values) {
      column.flush(writer);
    }
    for (LineageColumnWriter column : lineage) {
      column.flush(writer);
    }
    writer.endBlock();
    rows = 0;
  }

  /** Completes the file; if an append failed, the file stays incomplete. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    guarded(
        () -> {
          try (ParquetFileWriter closing = writer) {
            if (!failed) {
              finish(closing);
            }
          } finally {
            codecs.release();
          }
        });
  }

  private void finish(ParquetFileWriter closing) throws IOException {
    if (rows > 0) {
      flush();
    }
    closing.end(Map.of());
  }

  /** Returns the file's size in bytes; valid once closed. */
  public long length() {
    return output.length();
  }

  /** Returns the metrics that Iceberg itself would compute for the file; valid once closed. */
  public Metrics metrics(MetricsConfig config) {
    FileMetrics metrics = new FileMetrics(format.schema(), config);
    writer.getFooter().getBlocks().forEach(metrics::add);
    return metrics.metrics();
  }

  /** Returns the positions in the file where row groups begin; valid once closed. */
  public List<Long> splitOffsets() {
    return writer.getFooter().getBlocks().stream().map(BlockMetaData::getStartingPos).toList();
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void guarded(Writing writing) {
    try {
      writing.run();
    } catch (IOException | RuntimeException e) {
      failed = true;
      throw TableErrors.unwritableTableFile(name, e);
    } catch (Error e) {
      failed = true;
      throw e;
    }
  }
}
