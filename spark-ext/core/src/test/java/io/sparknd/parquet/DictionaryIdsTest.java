/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.io.ParquetDecodingException;
import org.junit.jupiter.api.Test;

/** {@link DictionaryIds} beside Parquet's own encoder. */
class DictionaryIdsTest {
  @Property(tries = 300)
  void someIdsOfAPage(
      @ForAll @IntRange(max = 32) int width,
      @ForAll @IntRange(min = 1, max = 700) int count,
      @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    int[] ids = ids(width, count, random);
    DictionaryIds read = new DictionaryIds(ByteBuffer.wrap(page(width, ids)));
    for (int i = 0; i < count; i++) {
      if (random.nextInt(4) == 0) {
        assertThat(read.id(i)).as("id %s", i).isEqualTo(Integer.toUnsignedLong(ids[i]));
      }
    }
  }

  /** Runs of equal ids and of different ones. */
  private static int[] ids(int width, int count, Random random) {
    int[] ids = new int[count];
    int most = (int) ((1L << width) - 1);
    for (int i = 0; i < count; ) {
      int run = 1 + random.nextInt(random.nextBoolean() ? 3 : 60);
      int id = random.nextInt() & most;
      for (int end = Math.min(count, i + run); i < end; i++) {
        ids[i] = id;
      }
    }
    return ids;
  }

  private static byte[] page(int width, int... ids) throws IOException {
    try (RunLengthBitPackingHybridEncoder encoder =
        new RunLengthBitPackingHybridEncoder(width, 64, 1024, new HeapByteBufferAllocator())) {
      for (int id : ids) {
        encoder.writeInt(id);
      }
      byte[] runs = encoder.toBytes().toByteArray();
      return ByteBuffer.allocate(1 + runs.length).put((byte) width).put(runs).array();
    }
  }

  @Test
  void lastGroupMayLackBytes() {
    // one group of 8 ids of 4 bits has 4 bytes; the writer left out the last two
    byte[] page = {4, 3, 0x21, 0x43};
    DictionaryIds read = new DictionaryIds(ByteBuffer.wrap(page));
    assertThat(read.id(1)).isEqualTo(2);
    assertThat(read.id(3)).isEqualTo(4);
    assertThatThrownBy(() -> read.id(4))
        .isInstanceOf(ParquetDecodingException.class)
        .hasMessage("a page has too few dictionary ids");
  }

  @Test
  void damagedPages() {
    assertThatThrownBy(() -> new DictionaryIds(ByteBuffer.wrap(new byte[] {33})))
        .isInstanceOf(ParquetDecodingException.class)
        .hasMessage("dictionary ids of 33 bits");
    assertThatThrownBy(() -> new DictionaryIds(ByteBuffer.wrap(new byte[] {4, 0, 1})).id(0))
        .isInstanceOf(ParquetDecodingException.class)
        .hasMessage("an empty run of dictionary ids");
    assertThatThrownBy(() -> new DictionaryIds(ByteBuffer.wrap(new byte[] {4, 4, 1})).id(2))
        .isInstanceOf(BufferUnderflowException.class);
    byte[] endless = {4, -1, -1, -1, -1, -1, -1};
    assertThatThrownBy(() -> new DictionaryIds(ByteBuffer.wrap(endless)).id(0))
        .isInstanceOf(ParquetDecodingException.class)
        .hasMessage("a run of dictionary ids has no length");
  }
}
