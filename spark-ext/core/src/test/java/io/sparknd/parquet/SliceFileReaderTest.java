/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.parquet.SliceFileReader.Column;
import io.sparknd.parquet.SliceFileReader.Step;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reading of lists in Parquet pages of one row, {@code [1, 2]}. */
class SliceFileReaderTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required group v (LIST) { repeated group list { required int32 element; } } }");
  private static final byte[] VALUES = HexFormat.of().parseHex("0100000002000000");
  private static final String REPETITIONS = "0302"; // a bit-packed group: levels 0 and 1
  private static final String DEFINITIONS = "0401"; // a run of two levels 1

  @TempDir private Path directory;

  @Test
  void listOfTheRightLengthIsRead() throws IOException {
    Path file = directory.resolve("good.parquet");
    write(file, REPETITIONS, DEFINITIONS);
    try (SliceFileReader reader = open(file)) {
      assertThat(reader.step(10)).isEqualTo(Step.ROWS);
      assertThat(reader.rows()).isEqualTo(1);
      assertThat(reader.values(0)).isEqualTo(new int[] {1, 2});
      assertThat(reader.step(10)).isEqualTo(Step.END);
    }
  }

  /** No levels, a run without a level, a run of length 0, and a length without an end. */
  @ParameterizedTest
  @ValueSource(strings = {"", "04", "0000", "ffffffffff"})
  void damagedLevelsAreLeftToAnotherReader(String levels) throws IOException {
    Path repetitions = directory.resolve("repetitions.parquet");
    write(repetitions, levels, DEFINITIONS);
    Path definitions = directory.resolve("definitions.parquet");
    write(definitions, REPETITIONS, levels);
    for (Path file : List.of(repetitions, definitions)) {
      try (SliceFileReader reader = open(file)) {
        assertThat(reader.step(10)).isEqualTo(Step.IRREGULAR);
      }
    }
  }

  @Test
  void levelsLongerThanTheirPageAreLeftToAnotherReader() throws IOException {
    Path file = directory.resolve("long.parquet");
    try (ParquetFileWriter writer = start(file)) {
      writer.writeDataPage(
          2,
          4,
          BytesInput.fromInt(1 << 20),
          statistics(),
          1,
          Encoding.RLE,
          Encoding.RLE,
          Encoding.PLAIN);
      end(writer);
    }
    try (SliceFileReader reader = open(file)) {
      assertThat(reader.step(10)).isEqualTo(Step.IRREGULAR);
    }
  }

  /** A task may hold the reader long after its last row. */
  @Test
  void pagesAreReleasedWhenTheReaderIsClosed() throws IOException {
    Path file = directory.resolve("released.parquet");
    write(file, REPETITIONS, DEFINITIONS);
    LentBuffers lent = new LentBuffers();
    SliceFileReader reader = open(file, lent);
    assertThat(reader.step(10)).isEqualTo(Step.ROWS);
    assertThat(lent.count).as("buffers of the open row group").isPositive();
    reader.close();
    assertThat(lent.count).isZero();
  }

  /** Counts the buffers that are in use. */
  private static final class LentBuffers extends HeapByteBufferAllocator {
    private int count;

    @Override
    public ByteBuffer allocate(int size) {
      count++;
      return super.allocate(size);
    }

    @Override
    public void release(ByteBuffer buffer) {
      count--;
      super.release(buffer);
    }
  }

  private static SliceFileReader open(Path file) throws IOException {
    return open(file, new HeapByteBufferAllocator());
  }

  private static SliceFileReader open(Path file, ByteBufferAllocator buffers) throws IOException {
    ParquetFileReader reader =
        ParquetFileReader.open(
            new LocalInputFile(file),
            ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withAllocator(buffers)
                .build());
    return SliceFileReader.of(reader, List.of(new Column("v", DType.INT32, Shape.of(2))))
        .orElseThrow();
  }

  @SuppressWarnings("deprecation") // its replacement needs size statistics
  private static void write(Path file, String repetitions, String definitions) throws IOException {
    try (ParquetFileWriter writer = start(file)) {
      writer.writeDataPageV2(
          1,
          0,
          2,
          bytes(repetitions),
          bytes(definitions),
          Encoding.PLAIN,
          BytesInput.from(VALUES),
          VALUES.length,
          statistics());
      end(writer);
    }
  }

  private static BytesInput bytes(String hex) {
    return BytesInput.from(HexFormat.of().parseHex(hex));
  }

  private static ColumnDescriptor column() {
    return SCHEMA.getColumns().get(0);
  }

  private static Statistics<?> statistics() {
    return Statistics.getBuilderForReading(column().getPrimitiveType()).build();
  }

  private static ParquetFileWriter start(Path file) throws IOException {
    ParquetFileWriter writer =
        new ParquetFileWriter(
            new LocalOutputFile(file),
            SCHEMA,
            ParquetFileWriter.Mode.CREATE,
            1 << 20,
            0,
            null,
            ParquetProperties.builder().build());
    writer.start();
    writer.startBlock(1);
    writer.startColumn(column(), 2, CompressionCodecName.UNCOMPRESSED);
    return writer;
  }

  private static void end(ParquetFileWriter writer) throws IOException {
    writer.endColumn();
    writer.endBlock();
    writer.end(Map.of());
  }
}
