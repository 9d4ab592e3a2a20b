/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.parquet.RepetitionPattern;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.ElementCells;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Tests that cells are read from files whose pages begin within a row, as Arrow's C++ writer makes
 * them without a page index.
 */
class SplitRowsPropertyTest {
  private static final int GROUPS = 2;
  private static final String[] SCHEMAS = {
    "message m { required int64 k = 1; optional group v (LIST) = 2 { repeated group list {"
        + " optional float element = 3; } } }",
    "message m { required int64 k = 1; optional group v (LIST) = 2 { repeated group list {"
        + " required group element (LIST) = 3 { repeated group list {"
        + " optional float element = 4; } } } } }"
  };

  /** Levels and present values of consecutive rows. */
  private record Entries(int[] repetitions, int[] definitions, float[] values) {

    static Entries of(List<Entries> rows) {
      return new Entries(
          rows.stream().flatMapToInt(row -> Arrays.stream(row.repetitions)).toArray(),
          rows.stream().flatMapToInt(row -> Arrays.stream(row.definitions)).toArray(),
          floats(rows));
    }

    private static float[] floats(List<Entries> rows) {
      float[] all = new float[rows.stream().mapToInt(row -> row.values.length).sum()];
      int at = 0;
      for (Entries row : rows) {
        System.arraycopy(row.values, 0, all, at, row.values.length);
        at += row.values.length;
      }
      return all;
    }

    int count() {
      return repetitions.length;
    }
  }

  private final Random random = new Random();

  private static Shape shape(int rank, Random random) {
    return Shape.of(IntStream.range(0, rank).mapToLong(i -> 1 + random.nextInt(4)).toArray());
  }

  private Entries row(Shape shape, boolean isNull, int present) {
    if (isNull) {
      return new Entries(new int[] {0}, new int[] {0}, new float[0]);
    }
    RepetitionPattern pattern = new RepetitionPattern(shape);
    int[] repetitions = IntStream.range(0, pattern.length()).map(pattern::level).toArray();
    int[] definitions = new int[pattern.length()];
    Arrays.fill(definitions, present);
    float[] values = new float[pattern.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    return new Entries(repetitions, definitions, values);
  }

  @Property(tries = 300)
  void cellsAreReadThoughPagesSplitRows(
      @ForAll @IntRange(min = 1, max = 2) int rank,
      @ForAll @IntRange(min = 0, max = 2) int nullsOfThree,
      @ForAll long seed) {
    random.setSeed(seed);
    Shape shape = shape(rank, random);
    MessageType schema = MessageTypeParser.parseMessageType(SCHEMAS[rank - 1]);
    int present = schema.getColumns().get(1).getMaxDefinitionLevel();
    List<Entries> rows =
        IntStream.range(0, 1 + random.nextInt(60))
            .mapToObj(i -> row(shape, random.nextInt(3) < nullsOfThree, present))
            .toList();
    int[] positions = IntStream.range(0, rows.size()).filter(i -> random.nextBoolean()).toArray();
    ElementCells cells = read(write(schema, rows), shape, positions);
    for (int i = 0; i < positions.length; i++) {
      Entries row = rows.get(positions[i]);
      assertThat(cells.isPresent(i)).isEqualTo(row.values.length > 0);
      if (cells.isPresent(i)) {
        int units = row.values.length;
        assertThat(Arrays.copyOfRange((float[]) cells.payload(), i * units, (i + 1) * units))
            .isEqualTo(row.values);
      }
    }
  }

  /** Rows that are no slices are errors where they are wanted, and skipped elsewhere. */
  @Property(tries = 300)
  void wrongRowsAreNamed(@ForAll long seed, @ForAll @IntRange(min = 0, max = 3) int problem) {
    random.setSeed(seed);
    MessageType schema = MessageTypeParser.parseMessageType(SCHEMAS[0]);
    Shape shape = Shape.of(3);
    Entries[] rows =
        IntStream.range(0, 2 + random.nextInt(20))
            .mapToObj(i -> row(shape, false, 3))
            .toArray(Entries[]::new);
    int bad = random.nextInt(rows.length);
    rows[bad] =
        switch (problem) {
          case 0 -> row(Shape.of(2), false, 3);
          case 1 -> row(Shape.of(5), false, 3);
          case 2 -> new Entries(new int[] {0}, new int[] {1}, new float[0]);
          default -> new Entries(new int[] {0, 1, 1}, new int[] {3, 2, 3}, new float[] {1, 2});
        };
    InputFile file = write(schema, List.of(rows));
    int[] others = IntStream.range(0, rows.length).filter(i -> i != bad).toArray();
    ElementCells cells = read(file, shape, others);
    for (int i = 0; i < others.length; i++) {
      assertThat(Arrays.copyOfRange((float[]) cells.payload(), i * 3, i * 3 + 3))
          .isEqualTo(rows[others[i]].values);
    }
    String found = problem == 3 ? "is or contains null" : "has " + new int[] {2, 5, 0}[problem];
    assertThatThrownBy(() -> read(file, shape, IntStream.range(0, rows.length).toArray()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("row " + bad + " of the file of column v " + found);
  }

  private static ElementCells read(InputFile file, Shape shape, int[] positions) {
    KeyCodec codec = new KeyCodec(List.of(new KeyColumn("k", 1, KeyType.LONG)));
    CellType.Elements type =
        new CellType.Elements(DType.FLOAT32, shape, SqlTypes.slice(DType.FLOAT32, shape.rank()));
    ElementCells cells = (ElementCells) type.allocate(positions.length);
    try (KeyedFile keyed =
        KeyedFile.open(new TableFile("lake.t", file), codec, ChecksumVerification.VERIFIED)) {
      int[] slots = IntStream.range(0, positions.length).toArray();
      keyed.values(List.of(new CellColumn(2, "v", cells)), positions, slots, positions.length);
    }
    return cells;
  }

  /** Writes two row groups, whose pages end anywhere. */
  @SuppressWarnings("deprecation") // the other constructors need encodings and codecs
  private InputFile write(MessageType schema, List<Entries> rows) {
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (ParquetFileWriter writer =
        new ParquetFileWriter(
            new OutputAdapter(file), schema, ParquetFileWriter.Mode.CREATE, 1 << 20, 0)) {
      writer.start();
      int half = rows.size() / GROUPS;
      writeGroup(writer, schema, rows.subList(0, half));
      writeGroup(writer, schema, rows.subList(half, rows.size()));
      writer.end(Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file.toInputFile();
  }

  private void writeGroup(ParquetFileWriter writer, MessageType schema, List<Entries> rows)
      throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    writer.startBlock(rows.size());
    ColumnDescriptor key = schema.getColumns().get(0);
    writer.startColumn(key, rows.size(), CompressionCodecName.UNCOMPRESSED);
    int[] keys = new int[rows.size()];
    writePage(writer, key, new Entries(keys, keys, new float[0]), new byte[8 * rows.size()]);
    writer.endColumn();
    Entries all = Entries.of(rows);
    ColumnDescriptor lists = schema.getColumns().get(1);
    writer.startColumn(lists, all.count(), CompressionCodecName.UNCOMPRESSED);
    int values = 0;
    for (int from = 0; from < all.count(); ) {
      int to = Math.min(all.count(), from + 1 + random.nextInt(9));
      int[] definitions = Arrays.copyOfRange(all.definitions, from, to);
      int count =
          (int) Arrays.stream(definitions).filter(d -> d == lists.getMaxDefinitionLevel()).count();
      float[] some = Arrays.copyOfRange(all.values, values, values + count);
      ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(some);
      int[] repetitions = Arrays.copyOfRange(all.repetitions, from, to);
      writePage(writer, lists, new Entries(repetitions, definitions, some), bytes.array());
      values += count;
      from = to;
    }
    writer.endColumn();
    writer.endBlock();
  }

  @SuppressWarnings("deprecation") // the others write an offset index, which needs whole rows
  private static void writePage(
      ParquetFileWriter writer, ColumnDescriptor column, Entries entries, byte[] values)
      throws IOException {
    BytesInput page =
        BytesInput.concat(
            levels(entries.repetitions, column.getMaxRepetitionLevel()),
            levels(entries.definitions, column.getMaxDefinitionLevel()),
            BytesInput.from(values));
    writer.writeDataPage(
        entries.count(),
        (int) page.size(),
        BytesInput.copy(page),
        Statistics.createStats(column.getPrimitiveType()),
        Encoding.RLE,
        Encoding.RLE,
        Encoding.PLAIN);
  }

  private static BytesInput levels(int[] levels, int most) throws IOException {
    if (most == 0) {
      return BytesInput.empty();
    }
    RunLengthBitPackingHybridEncoder encoder =
        new RunLengthBitPackingHybridEncoder(
            32 - Integer.numberOfLeadingZeros(most), 64, 1 << 20, new HeapByteBufferAllocator());
    for (int level : levels) {
      encoder.writeInt(level);
    }
    BytesInput bytes = encoder.toBytes();
    return BytesInput.concat(BytesInput.fromInt((int) bytes.size()), bytes);
  }
}
