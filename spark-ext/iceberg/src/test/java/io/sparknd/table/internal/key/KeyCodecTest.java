/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests encoded keys against a comparison of typed values, and buckets against Iceberg's. */
class KeyCodecTest {
  private static final int ROWS = 150;

  private static KeyCodec codec(KeyType... types) {
    return new KeyCodec(
        IntStream.range(0, types.length)
            .mapToObj(i -> new KeyColumn("k" + i, i + 1, types[i]))
            .toList());
  }

  /** Returns a random value in Spark's internal form, from few ones that are nearly equal. */
  private static Object value(KeyType type, Random random) {
    return switch (type) {
      case STRING -> UTF8String.fromString(text(random));
      case BINARY -> bytes(random);
      case UUID -> UTF8String.fromString(uuid(random).toString());
      case LONG ->
          switch (random.nextInt(4)) {
            case 0 -> Long.MIN_VALUE + random.nextInt(2);
            case 1 -> Long.MAX_VALUE - random.nextInt(2);
            case 2 -> random.nextLong();
            default -> (long) random.nextInt(3) - 1;
          };
      case INT, DATE ->
          switch (random.nextInt(4)) {
            case 0 -> Integer.MIN_VALUE + random.nextInt(2);
            case 1 -> Integer.MAX_VALUE - random.nextInt(2);
            case 2 -> random.nextInt();
            default -> random.nextInt(3) - 1;
          };
    };
  }

  private static String text(Random random) {
    String[] parts = {
      "\0", "\1", "a", "\u007f", "\u00ff", "\ufffd", "\ud83d\ude00", "\udbff\udfff"
    };
    StringBuilder text = new StringBuilder(random.nextInt(8) == 0 ? "x".repeat(70) : "");
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  private static byte[] bytes(Random random) {
    byte[] parts = {0, 0, 1, 2, 127, -128, -2, -1, -1};
    byte[] bytes = new byte[random.nextInt(5)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = parts[random.nextInt(parts.length)];
    }
    return bytes;
  }

  private static UUID uuid(Random random) {
    return new UUID(
        random.nextBoolean() ? random.nextLong() : -random.nextInt(2),
        random.nextBoolean() ? random.nextLong() : -random.nextInt(2));
  }

  private static int compareValues(KeyType type, Object one, Object two) {
    return switch (type) {
      case STRING -> Arrays.compareUnsigned(utf8(one), utf8(two));
      case BINARY -> Arrays.compareUnsigned((byte[]) one, (byte[]) two);
      case UUID -> one.toString().compareTo(two.toString());
      case LONG -> Long.compare((long) one, (long) two);
      case INT, DATE -> Integer.compare((int) one, (int) two);
    };
  }

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static int compareKeys(KeyType[] types, Object[] one, Object[] two) {
    for (int i = 0; i < types.length; i++) {
      int order = compareValues(types[i], one[i], two[i]);
      if (order != 0) {
        return Integer.signum(order);
      }
    }
    return 0;
  }

  private static KeyList encoded(KeyCodec codec, List<Object[]> rows) {
    KeyList keys = new KeyList();
    int[] ordinals = IntStream.range(0, codec.columns().size()).toArray();
    rows.forEach(
        row -> assertThat(codec.append(new GenericInternalRow(row), ordinals, keys)).isEqualTo(-1));
    return keys;
  }

  private static List<Object[]> rows(KeyType[] types, Random random) {
    List<Object[]> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(Arrays.stream(types).map(type -> value(type, random)).toArray());
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void orderAndEqualityAreThoseOfTheColumns(long seed) {
    Random random = new Random(seed);
    KeyType[] types = new KeyType[1 + random.nextInt(3)];
    Arrays.setAll(types, i -> KeyType.values()[random.nextInt(KeyType.values().length)]);
    KeyCodec codec = codec(types);
    List<Object[]> rows = rows(types, random);
    KeyList keys = encoded(codec, rows);
    for (int i = 0; i < ROWS; i++) {
      assertThat(codec.values(keys, i)).isEqualTo(rows.get(i));
      for (int j = 0; j < ROWS; j++) {
        int order = compareKeys(types, rows.get(i), rows.get(j));
        assertThat(Integer.signum(keys.compare(i, keys, j)))
            .as("%s: %s and %s", List.of(types), codec.text(keys, i), codec.text(keys, j))
            .isEqualTo(order);
        assertThat(keys.isEqual(i, keys.get(j))).isEqualTo(order == 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void searchFindsKeysAndWhereOthersWouldBe(long seed) {
    Random random = new Random(seed);
    KeyType[] types = {KeyType.STRING, KeyType.BINARY};
    Comparator<Object[]> order = (one, two) -> compareKeys(types, one, two);
    List<Object[]> rows = rows(types, random);
    rows.sort(order);
    for (int i = rows.size() - 1; i > 0; i--) {
      if (order.compare(rows.get(i - 1), rows.get(i)) == 0) {
        rows.remove(i);
      }
    }
    KeyList keys = encoded(codec(types), rows);
    List<Object[]> wanted = rows(types, random);
    KeyList others = encoded(codec(types), wanted);
    for (int i = 0; i < wanted.size(); i++) {
      int expected = Collections.binarySearch(rows, wanted.get(i), order);
      assertThat(keys.search(0, others, i)).isEqualTo(expected);
    }
  }

  /** A prefix, as in truncated statistics, is not above any value that begins with it. */
  @ParameterizedTest
  @CsvSource({"STRING,1", "STRING,2", "BINARY,1", "BINARY,2"})
  void prefixesBoundTheValuesThatBeginWithThem(KeyType type, int columns) {
    Random random = new Random(columns);
    KeyType[] types = new KeyType[columns];
    Arrays.fill(types, type);
    KeyCodec codec = codec(types);
    List<Object[]> rows = rows(types, random);
    KeyList keys = encoded(codec, rows);
    for (int i = 0; i < ROWS; i++) {
      byte[] first = rows.get(i)[0] instanceof byte[] bytes ? bytes : utf8(rows.get(i)[0]);
      for (int length = 0; length <= first.length; length++) {
        KeyList prefix = new KeyList();
        codec.writePrefix(Arrays.copyOf(first, length), prefix);
        KeyCodec.end(prefix);
        assertThat(keys.compare(i, prefix, 0)).isGreaterThanOrEqualTo(0);
        assertThat(keys.comparePrefix(i, prefix, 0)).isLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void nullColumnIsReportedAndLeavesNoKey() {
    KeyCodec codec = codec(KeyType.STRING, KeyType.INT);
    KeyList keys = encoded(codec, List.<Object[]>of(new Object[] {UTF8String.fromString("a"), 1}));
    InternalRow row = new GenericInternalRow(new Object[] {UTF8String.fromString("b"), null});
    assertThat(codec.append(row, new int[] {0, 1}, keys)).isEqualTo(1);
    assertThat(codec.append(row, new int[] {1, 0}, keys)).isEqualTo(1);
    assertThat(keys.count()).isEqualTo(1);
    keys.add(new byte[] {7});
    assertThat(keys.get(1)).containsExactly(7);
    assertThat(codec.text(keys, 0)).isEqualTo("(k0 = 'a', k1 = 1)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not a uuid",
        "6f9619ff-8b86-d011-b42d-00c04fc964f",
        "6f9619ff-8b86-d011-b42d-00c04fc964ffa",
        "6f9619ff8b86-d011-b42d-00c04fc964ffabc",
        "16f9619ff-b86-d011-b42d-00c04fc964ff",
        "6f9619ff-8b86-d011-b42d-+0c04fc964ff",
        "6f9619ff-8b86-d011-b42-d00c04fc964ff",
        "6f9619fg-8b86-d011-b42d-00c04fc964ff"
      })
  void otherTextIsNoUuid(String text) {
    InternalRow row = new GenericInternalRow(new Object[] {UTF8String.fromString(text)});
    KeyCodec codec = codec(KeyType.UUID);
    assertThatThrownBy(() -> codec.append(row, new int[] {0}, new KeyList()))
        .isInstanceOf(InvalidKeyException.class)
        .hasMessageContaining("k0 = '" + text + "'");
  }

  @Test
  void uuidsInEitherCaseAreOneKey() {
    String text = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
    KeyCodec codec = codec(KeyType.UUID);
    Object[] lower = {UTF8String.fromString(text)};
    Object[] upper = {UTF8String.fromString(text.toUpperCase(java.util.Locale.ROOT))};
    KeyList keys = encoded(codec, List.of(lower, upper));
    assertThat(keys.compare(0, keys, 1)).isZero();
    assertThat(codec.values(keys, 1)).isEqualTo(lower);
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void bucketsAreThoseOfIceberg(KeyType type) {
    Random random = new Random(type.ordinal());
    Type stored =
        switch (type) {
          case STRING -> Types.StringType.get();
          case BINARY -> Types.BinaryType.get();
          case UUID -> Types.UUIDType.get();
          case LONG -> Types.LongType.get();
          case INT -> Types.IntegerType.get();
          case DATE -> Types.DateType.get();
        };
    for (int i = 0; i < ROWS; i++) {
      int buckets = 1 + random.nextInt(i % 2 == 0 ? 5 : 100_000);
      Object value = value(type, random);
      Object own =
          switch (type) {
            case STRING -> value.toString();
            case BINARY -> ByteBuffer.wrap((byte[]) value);
            case UUID -> UUID.fromString(value.toString());
            default -> value;
          };
      KeyBuckets found = new KeyBuckets(new KeyColumn("k", 1, type), buckets);
      assertThat(found.of(new GenericInternalRow(new Object[] {"", value}), 1))
          .isEqualTo(Transforms.bucket(buckets).bind(stored).apply(own));
    }
  }
}
