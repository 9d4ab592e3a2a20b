/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.ElementCells;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** {@link KeyedFile} beside the rows that Parquet's own writer was given. */
class KeyedFilePropertyTest {
  private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;
  private static final byte[] SOME_BYTES = {0, 1, 127, -128, -1};
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional binary text (STRING); required binary bytes;"
              + " required fixed_len_byte_array(16) id; optional int32 narrow;"
              + " required int64 wide; required int32 day (DATE); optional double v;"
              + " optional group a (LIST) { repeated group list { required int32 element; } } }");
  private static final List<KeyColumn> KEYS =
      List.of(
          new KeyColumn("text", 1, KeyType.STRING),
          new KeyColumn("bytes", 2, KeyType.BINARY),
          new KeyColumn("id", 3, KeyType.UUID),
          new KeyColumn("narrow", 4, KeyType.LONG),
          new KeyColumn("wide", 5, KeyType.LONG),
          new KeyColumn("day", 6, KeyType.DATE));
  private static final CellType.Elements DOUBLE =
      new CellType.Elements(DType.FLOAT64, Shape.of(), DataTypes.DoubleType);
  private static final CellType.Elements TRIPLE =
      new CellType.Elements(
          DType.INT32, Shape.of(3), DataTypes.createArrayType(DataTypes.IntegerType));

  private record FileRow(
      byte[] text,
      byte[] bytes,
      byte[] id,
      int narrow,
      long wide,
      int day,
      @Nullable Double v,
      int @Nullable [] a) {

    static FileRow random(Random random, int distinct) {
      int some = random.nextInt(distinct);
      return new FileRow(
          text(random, distinct),
          bytes(random, random.nextInt(12)),
          bytes(random, 16),
          random.nextInt(distinct) - distinct / 2,
          random.nextInt(9) == 0 ? random.nextLong() : some,
          random.nextInt(distinct) - distinct / 2,
          random.nextInt(4) == 0 ? null : some / 4.0,
          random.nextInt(4) == 0 ? null : new int[] {some, -some, random.nextInt(distinct)});
    }

    private static byte[] text(Random random, int distinct) {
      String zero = random.nextInt(5) == 0 ? "\0" : "";
      return (zero + "key" + zero + random.nextInt(distinct) + (random.nextBoolean() ? "é" : ""))
          .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Random random, int length) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = SOME_BYTES[random.nextInt(SOME_BYTES.length)];
      }
      return bytes;
    }

    Group group() {
      SimpleGroup group = new SimpleGroup(SCHEMA);
      group.add("text", Binary.fromConstantByteArray(text));
      group.add("bytes", Binary.fromConstantByteArray(bytes));
      group.add("id", Binary.fromConstantByteArray(id));
      group.add("narrow", narrow);
      group.add("wide", wide);
      group.add("day", day);
      if (v != null) {
        group.add("v", v);
      }
      if (a != null) {
        Group list = group.addGroup("a");
        Arrays.stream(a).forEach(each -> list.addGroup("list").append("element", each));
      }
      return group;
    }

    byte[] key(KeyCodec codec) {
      KeyList keys = new KeyList();
      for (int i = 0; i < codec.columns().size(); i++) {
        switch (codec.columns().get(i).name()) {
          case "text" -> codec.writeBytes(text, 0, text.length, i, keys);
          case "bytes" -> codec.writeBytes(bytes, 0, bytes.length, i, keys);
          case "id" -> codec.writeBytes(id, 0, id.length, i, keys);
          case "narrow" -> KeyCodec.writeLong(narrow, keys);
          case "wide" -> KeyCodec.writeLong(wide, keys);
          default -> KeyCodec.writeInt(day, keys);
        }
      }
      KeyCodec.end(keys);
      return keys.get(0);
    }
  }

  @Property(tries = 80)
  void rowsOfAnyLayout(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<KeyColumn> columns = new ArrayList<>(KEYS);
    Collections.shuffle(columns, random);
    KeyCodec codec = new KeyCodec(columns.subList(0, 1 + random.nextInt(3)));
    int distinct = List.of(1, 5, 100, 100_000).get(random.nextInt(4));
    List<FileRow> rows = new ArrayList<>();
    for (int count = random.nextInt(random.nextBoolean() ? 5 : 600); rows.size() < count; ) {
      rows.add(FileRow.random(random, distinct));
    }
    if (random.nextBoolean()) {
      rows.sort(Comparator.comparing(row -> row.key(codec), UNSIGNED));
    }
    InMemoryInputFile input = new InMemoryInputFile("any.parquet", bytes(rows, random));
    try (KeyedFile file =
        KeyedFile.open(new TableFile("lake.t", input), codec, ChecksumVerification.VERIFIED)) {
      List<byte[]> keys = rows.stream().map(row -> row.key(codec)).toList();
      checkKeys(file, keys);
      checkMatches(file, keys, random);
      checkValues(file, rows, random);
    }
  }

  private static byte[] bytes(List<FileRow> rows, Random random) throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new OutputAdapter(file))
            .withConf(new PlainParquetConfiguration())
            .withType(SCHEMA)
            .withWriterVersion(WriterVersion.values()[random.nextInt(2)])
            .withCompressionCodec(
                random.nextBoolean()
                    ? CompressionCodecName.SNAPPY
                    : CompressionCodecName.UNCOMPRESSED)
            .withDictionaryEncoding(random.nextInt(4) > 0)
            .withDictionaryPageSize(random.nextBoolean() ? 200 : 1 << 20)
            .withMinRowCountForPageSizeCheck(1)
            .withPageRowCountLimit(1 + random.nextInt(200))
            .withRowGroupRowCountLimit(random.nextBoolean() ? 100 : 1000)
            .withByteStreamSplitEncoding(random.nextInt(4) == 0)
            .build()) {
      for (FileRow row : rows) {
        writer.write(row.group());
      }
    }
    return file.toByteArray();
  }

  private static void checkKeys(KeyedFile file, List<byte[]> keys) {
    KeyRows read = file.keys(row -> false);
    assertThat(read.positions()).isEqualTo(IntStream.range(0, keys.size()).toArray());
    assertThat(IntStream.range(0, read.keys().count()).mapToObj(read.keys()::get).toList())
        .usingElementComparator(UNSIGNED)
        .isEqualTo(keys);
  }

  private static void checkMatches(KeyedFile file, List<byte[]> keys, Random random) {
    TreeSet<byte[]> wanted = new TreeSet<>(UNSIGNED);
    for (byte[] key : keys) {
      if (random.nextInt(10) == 0) {
        wanted.add(key);
        wanted.add(Arrays.copyOf(key, key.length + random.nextInt(2)));
      }
    }
    List<byte[]> sorted = new ArrayList<>(wanted);
    KeyList list = new KeyList();
    sorted.forEach(list::add);
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < keys.size(); row++) {
      int found = Collections.binarySearch(sorted, keys.get(row), UNSIGNED);
      if (found >= 0) {
        expected.add(found + " at " + row);
      }
    }
    KeyMatches matches = file.matches(list, row -> false);
    assertThat(IntStream.range(0, matches.count()))
        .extracting(i -> matches.keys()[i] + " at " + matches.positions()[i])
        .isEqualTo(expected);
  }

  private static void checkValues(KeyedFile file, List<FileRow> rows, Random random) {
    int one = 1 + random.nextInt(20);
    int[] positions =
        IntStream.range(0, rows.size()).filter(row -> random.nextInt(one) == 0).toArray();
    int[] slots = IntStream.range(0, positions.length).map(i -> positions.length - 1 - i).toArray();
    ElementCells doubles = (ElementCells) DOUBLE.allocate(positions.length);
    ElementCells triples = (ElementCells) TRIPLE.allocate(positions.length);
    List<CellColumn> cells =
        List.of(new CellColumn(7, "v", doubles), new CellColumn(8, "a", triples));
    file.values(cells, positions, slots, positions.length);
    for (int i = 0; i < positions.length; i++) {
      FileRow row = rows.get(positions[i]);
      assertThat(doubles.value(slots[i])).isEqualTo(row.v());
      ArrayData triple = (ArrayData) triples.value(slots[i]);
      assertThat(triple == null ? null : triple.toIntArray()).isEqualTo(row.a());
    }
  }
}
