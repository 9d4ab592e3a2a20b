/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.tensor.SparkNdException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

/** Tests files of feature tables that are damaged, or that few writers write. */
class KeyedFileTest {
  private static final String TEXTS = "message m { optional binary id (STRING); }";
  private static final KeyCodec TEXT = codec(KeyType.STRING);

  private static KeyCodec codec(KeyType type) {
    return new KeyCodec(List.of(new KeyColumn("id", 1, type)));
  }

  private static byte[] file(String schema, String... ids) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    InMemoryOutputFile file = new InMemoryOutputFile();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new OutputAdapter(file))
            .withConf(new PlainParquetConfiguration())
            .withType(type)
            .withPageRowCountLimit(2)
            .withMinRowCountForPageSizeCheck(1)
            .build()) {
      for (String id : ids) {
        SimpleGroup group = new SimpleGroup(type);
        writer.write(id.isEmpty() ? group : group.append("id", id));
      }
    }
    return file.toByteArray();
  }

  private static KeyedFile open(byte[] bytes, KeyCodec codec) {
    return KeyedFile.open(
        new TableFile("lake.t", new InMemoryInputFile("keys.parquet", bytes)),
        codec,
        ChecksumVerification.UNVERIFIED);
  }

  private static KeyList keys(String... ids) {
    KeyList keys = new KeyList();
    for (String id : ids) {
      keys.add(id.getBytes(StandardCharsets.UTF_8));
    }
    return keys;
  }

  @Test
  void errorOfADamagedDictionaryNamesTheColumn() throws IOException {
    byte[] bytes = file(TEXTS, "abc", "abc", "abc", "abd");
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\3\0\0\0abc");
    bytes[at + 3] = 0x7f; // the length of the dictionary's first value
    try (KeyedFile file = open(bytes, TEXT)) {
      assertThatThrownBy(() -> file.matches(keys("abc"), row -> false))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("keys.parquet: column id of row group 0 cannot be read");
      assertThatThrownBy(() -> file.keys(row -> false))
          .hasMessageContaining("column id of row group 0");
    }
  }

  @Test
  void nullKeyOnALaterPageIsAnError() throws IOException {
    try (KeyedFile file = open(file(TEXTS, "a", "b", "c", ""), TEXT)) {
      assertThatThrownBy(() -> file.matches(keys("a"), row -> false))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("keys.parquet: row with a NULL key of column id");
    }
  }

  @Test
  void uuidOfOtherLengthIsRefused() throws IOException {
    byte[] bytes = file("message m { required fixed_len_byte_array(8) id; }", "01234567");
    try (KeyedFile file = open(bytes, codec(KeyType.UUID))) {
      assertThatThrownBy(() -> file.keys(row -> false))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("fixed_len_byte_array(8) id");
    }
  }

  /** Keys from 2^31 and 2^63 on would be negative ones. */
  @Test
  void unsignedKeysAreRefusedIfTheyMayNotFit() throws IOException {
    for (String type : List.of("int32 id (UINT_32)", "int64 id (UINT_64)")) {
      byte[] bytes = file("message m { required " + type + "; }");
      KeyType key = type.startsWith("int32") ? KeyType.INT : KeyType.LONG;
      try (KeyedFile file = open(bytes, codec(key))) {
        assertThatThrownBy(() -> file.keys(row -> false))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("keys.parquet has column id of type required int")
            .hasMessageContaining(",false))");
      }
    }
    byte[] narrow = file("message m { required int32 id (UINT_16); }");
    try (KeyedFile file = open(narrow, codec(KeyType.INT))) {
      assertThat(file.keys(row -> false).positions()).isEmpty();
    }
  }

  @Test
  void rowGroupsWithoutRows() throws IOException {
    byte[] bytes = withEmptyRowGroups(file(TEXTS, "a", "b", "a"));
    try (KeyedFile file = open(bytes, TEXT)) {
      assertThat(file.keys(row -> false).positions()).containsExactly(0, 1, 2);
      KeyMatches matches = file.matches(keys("a"), row -> false);
      assertThat(matches.keys()).containsExactly(0, 0);
      assertThat(matches.positions()).containsExactly(0, 2);
    }
  }

  /** Returns a file with a row group without rows before and after the row groups of another. */
  private static byte[] withEmptyRowGroups(byte[] file) throws IOException {
    try (ParquetFileReader reader =
        ParquetReaders.open(
            new InputAdapter(new InMemoryInputFile(file)), ChecksumVerification.UNVERIFIED)) {
      ParquetMetadata footer = reader.getFooter();
      BlockMetaData empty = new BlockMetaData();
      footer.getBlocks().get(0).getColumns().forEach(empty::addColumn);
      footer.getBlocks().add(0, empty);
      footer.getBlocks().add(empty);
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      Util.writeFileMetaData(new ParquetMetadataConverter().toParquetMetadata(1, footer), written);
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.write(file, 0, file.length - 8);
      written.writeTo(whole);
      whole.write(
          ByteBuffer.allocate(Integer.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(written.size())
              .array());
      whole.write("PAR1".getBytes(StandardCharsets.US_ASCII));
      return whole.toByteArray();
    }
  }
}
