/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.file.ValueColumns.ArrayColumn;
import io.sparknd.table.internal.file.ValueColumns.BinaryColumn;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.SparkNdException.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests files without valid slices. Every error names the file, the row and the column. */
class BadFilesTest {
  private static final RowFormat ARRAY =
      new RowFormat(DType.FLOAT32, Shape.of(10, 4), List.of("i0"), new ArrayColumn("value"));
  private static final RowFormat NESTED =
      new RowFormat(DType.FLOAT32, Shape.of(10, 2, 2), List.of("i0"), new ArrayColumn("value"));
  private static final RowFormat SCALAR =
      new RowFormat(DType.UINT8, Shape.of(10), List.of("i0"), new ArrayColumn("value"));
  private static final RowFormat BINARY =
      new RowFormat(DType.FLOAT32, Shape.of(10, 4), List.of("i0"), new BinaryColumn("value"));
  private static final String LISTS =
      "message m { optional int64 i0; optional group value (LIST) {"
          + " repeated group list { optional float element; } } }";
  private static final String LISTS_OF_LISTS =
      "message m { required int64 i0; required group value (LIST) { repeated group list {"
          + " required group element (LIST) { repeated group list {"
          + " required float element; } } } } }";

  @ParameterizedTest
  @CsvSource({
    "4 4 3 4,2,3",
    "4 4 4 3,3,3",
    "4 5 4 4,1,5",
    "4 4 4 9,3,9",
    "0 4 4 4,0,0",
    "4 4 0,2,0",
    "4 4n 4,1,5"
  })
  void rowsOfTheWrongLengthAreNamedByTheirIndex(String lengths, int row, int found)
      throws Exception {
    for (WriterVersion version : WriterVersion.values()) {
      InputFile file = lists(version, lengths);
      String message =
          file.location()
              + ": row ["
              + (row + 3)
              + "] of column value has "
              + found
              + " elements; the tensor's slices [4] need 4: correct the row";
      assertAll(file, ARRAY, message, Kind.SHAPE);
      assertRow(file, row, message);
    }
  }

  @Test
  void nullsAreNamed() throws Exception {
    for (WriterVersion version : WriterVersion.values()) {
      assertAll(
          lists(version, "4 - 4"),
          ARRAY,
          "row [4] of column value is or contains null",
          Kind.DTYPE);
      assertAll(
          lists(version, "4 4 3n"),
          ARRAY,
          "row [5] of column value is or contains null",
          Kind.DTYPE);
    }
  }

  @Test
  void raggedRowIsNamed() throws Exception {
    InputFile file =
        file(
            LISTS_OF_LISTS,
            WriterVersion.PARQUET_1_0,
            group -> nested(group, 0, 2, 2),
            group -> nested(group, 1, 3, 1));
    assertAll(file, NESTED, "row [1] of column value is not nested as", Kind.SHAPE);
  }

  @Test
  void bytesOfTheWrongLengthAreNamed() throws Exception {
    InputFile file =
        file(
            "message m { required int64 i0; required binary value; }",
            WriterVersion.PARQUET_1_0,
            group -> group.append("i0", 7L).append("value", "0123456789abcde"));
    assertAll(file, BINARY, "row [7] of column value has 15 bytes; ", Kind.SHAPE);
  }

  @Test
  void elementsThatTheDTypeLacksAreNamed() throws Exception {
    InputFile file =
        file(
            "message m { required int64 i0; required int32 value; }",
            WriterVersion.PARQUET_2_0,
            group -> group.append("i0", 7L).append("value", 255),
            group -> group.append("i0", 8L).append("value", 256));
    assertAll(file, SCALAR, "row [8] of column value holds 256, which is not a uint8", Kind.DTYPE);
  }

  @Test
  void badIndicesAreNamed() throws Exception {
    String schema = "message m { optional int64 i0; required int32 value; }";
    InputFile out =
        file(
            schema,
            WriterVersion.PARQUET_1_0,
            group -> group.append("i0", 9L).append("value", 1),
            group -> group.append("i0", 10L).append("value", 1));
    assertThatThrownBy(() -> open(out, SCALAR).offsets())
        .hasMessageContaining("i0 = 10 in row 1 is out of bounds for shape [10]")
        .hasMessageContaining(out.location());
    InputFile missing = file(schema, WriterVersion.PARQUET_1_0, group -> group.append("value", 1));
    assertThatThrownBy(() -> open(missing, SCALAR).offsets())
        .hasMessageContaining("row 0 of the file of column i0 is or contains null");
  }

  @Test
  void columnsOfAnotherTypeAreRefused() throws Exception {
    InputFile file =
        file(
            "message m { required int64 i0; required int32 value; }",
            WriterVersion.PARQUET_1_0,
            group -> group.append("i0", 7L).append("value", 255));
    assertAll(file, ARRAY, "has column value of type required int32 value", Kind.DTYPE);
    RowFormat other =
        new RowFormat(DType.UINT8, Shape.of(10), List.of("i0"), new ArrayColumn("price"));
    assertAll(file, other, "has no column price; its columns are [i0, value]", Kind.FILE);
  }

  /** The bits of numbers from 2^31 and 2^63 on would be negative numbers. */
  @Test
  void unsignedColumnsAreReadOnlyIfTheyFit() throws Exception {
    RowFormat wide =
        new RowFormat(DType.INT32, Shape.of(10), List.of("i0"), new ArrayColumn("value"));
    String schema = "message m { required int64 i0%s; required int32 value%s; }";
    for (List<String> types : List.of(List.of("", " (UINT_32)"), List.of(" (UINT_64)", ""))) {
      InputFile file =
          file(
              schema.formatted(types.toArray()),
              WriterVersion.PARQUET_1_0,
              group -> group.append("i0", 7L).append("value", 255));
      String column = types.get(0).isEmpty() ? "value" : "i0";
      assertThatThrownBy(
              () -> {
                try (RowFileReader rows = open(file, wide)) {
                  rows.offsets();
                  rows.values(new int[rows.rows()], 0);
                }
              })
          .hasMessageContaining("has column " + column)
          .hasMessageContaining("the tensor needs")
          .hasMessageContaining(file.location());
    }
    InputFile narrow =
        file(
            schema.formatted("", " (UINT_16)"),
            WriterVersion.PARQUET_1_0,
            group -> group.append("i0", 7L).append("value", 65_535));
    try (RowFileReader rows = open(narrow, wide)) {
      int[] values = new int[1];
      rows.values(values, 0);
      assertThat(values).containsExactly(65_535);
    }
  }

  @Test
  void damagedFilesAreRefused() throws Exception {
    byte[] whole = bytes(LISTS, WriterVersion.PARQUET_1_0, List.of(group -> list(group, 1, 4)));
    for (int length = 0; length < whole.length; length += 7) {
      InputFile file = new InMemoryInputFile("cut.parquet", Arrays.copyOf(whole, length));
      assertAll(file, ARRAY, "cut.parquet cannot be read as Parquet", Kind.FILE);
    }
  }

  @Test
  void unknownSettingsAreRefused() {
    for (Map<String, String> bad :
        List.of(
            Map.of("write.parquet.compression-codec", "best"),
            Map.of("write.parquet.page-size-bytes", "0"),
            Map.of("write.parquet.row-group-size-bytes", "1m"))) {
      assertThatThrownBy(() -> RowFileWriter.create(new InMemoryOutputFile(), ARRAY, bad))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(bad.keySet().iterator().next())
          .hasMessageContaining(bad.values().iterator().next());
    }
  }

  private static void assertAll(InputFile file, RowFormat format, String message, Kind kind) {
    assertThatThrownBy(
            () -> {
              try (RowFileReader rows = open(file, format)) {
                Object target = format.dtype().storage().allocate(rows.rows() * format.units());
                rows.values(target, 0);
              }
            })
        .hasMessageContaining(message)
        .hasMessageContaining(file.location())
        .isInstanceOfSatisfying(SparkNdException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private static void assertRow(InputFile file, int row, String message) {
    try (RowFileReader rows = open(file, ARRAY)) {
      assertThatThrownBy(
              () -> rows.values(new int[] {row}, new int[] {0}, 1, new float[ARRAY.units()]))
          .hasMessageContaining(message);
    }
  }

  private static RowFileReader open(InputFile file, RowFormat format) {
    return RowFileReader.open(new TableFile("lake.t", file), format);
  }

  /**
   * Writes rows with indices from 3 on and lists of the given lengths; - is a null list, n a list
   * with a null.
   */
  private static InputFile lists(WriterVersion version, String lengths) throws Exception {
    String[] each = lengths.split(" ");
    Fill[] rows = new Fill[each.length];
    for (int i = 0; i < each.length; i++) {
      String length = each[i];
      long index = 3L + i;
      rows[i] =
          group -> {
            if (length.equals("-")) {
              group.append("i0", index);
            } else {
              list(group, index, Integer.parseInt(length.replace("n", "")));
            }
            if (length.endsWith("n")) {
              group.getGroup("value", 0).addGroup("list");
            }
          };
    }
    return file(LISTS, version, rows);
  }

  private static void list(SimpleGroup group, long index, int length) {
    group.append("i0", index);
    var list = group.addGroup("value");
    for (int i = 0; i < length; i++) {
      list.addGroup("list").append("element", (float) i);
    }
  }

  private static void nested(SimpleGroup group, long index, int... lengths) {
    group.append("i0", index);
    var outer = group.addGroup("value");
    for (int length : lengths) {
      var inner = outer.addGroup("list").addGroup("element");
      for (int i = 0; i < length; i++) {
        inner.addGroup("list").append("element", (float) i);
      }
    }
  }

  private interface Fill {
    void accept(SimpleGroup group);
  }

  private static InputFile file(String schema, WriterVersion version, Fill... rows)
      throws Exception {
    return new InMemoryInputFile(
        "file-" + version + ".parquet", bytes(schema, version, List.of(rows)));
  }

  private static byte[] bytes(String schema, WriterVersion version, List<Fill> rows)
      throws Exception {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    InMemoryOutputFile file = new InMemoryOutputFile();
    OutputFile output = new OutputAdapter(file);
    try (ParquetWriter<org.apache.parquet.example.data.Group> writer =
        ExampleParquetWriter.builder(output)
            .withConf(new PlainParquetConfiguration())
            .withType(type)
            .withWriterVersion(version)
            .build()) {
      for (Fill row : rows) {
        SimpleGroup group = new SimpleGroup(type);
        row.accept(group);
        writer.write(group);
      }
    }
    return file.toByteArray();
  }
}
