/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests that string keys equal SQL's {@code xxhash64}. */
class EmbeddingKeysTest {
  @Test
  void keysEqualXxhash64OfSql() {
    List<String> strings =
        Stream.concat(
                Stream.of("", " ", "a", "user-17", "\u0000", "日本語", "\ud83d\ude00", "\ud83d", "ß"),
                IntStream.range(0, 300).mapToObj(EmbeddingKeysTest::random))
            .toList();
    List<Row> rows =
        LocalSpark.session()
            .createDataset(strings, Encoders.STRING())
            .selectExpr("value", "xxhash64(value)")
            .collectAsList();
    assertThat(rows).hasSize(strings.size());
    for (int i = 0; i < strings.size(); i++) {
      assertThat(EmbeddingKeys.of(strings.get(i)))
          .as(strings.get(i))
          .isEqualTo(rows.get(i).getLong(1));
    }
  }

  /** Returns up to a hundred characters of one to three bytes. */
  private static String random(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random
        .ints(seed % 100, 1, 0x3000)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** Saved tables contain these keys, so they must not change. */
  @Test
  void keysDoNotChangeBetweenVersions() {
    assertThat(EmbeddingKeys.of("")).isEqualTo(-7444071767201028348L);
    assertThat(EmbeddingKeys.of("Spark")).isEqualTo(-4294468057691064905L);
  }
}
