/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.ForwardingStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.junit.jupiter.api.Test;

/** {@link InputAdapter} beside the bytes of its file. */
class InputAdapterTest {
  @Property(tries = 200)
  void smallAndLargeReads(@ForAll @IntRange(min = 1, max = 40_000) int size, @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    InputAdapter file = new InputAdapter(new InMemoryInputFile(bytes));
    try (SeekableInputStream stream = file.newStream()) {
      int position = 0;
      for (int step = 0; step < 60; step++) {
        int kind = random.nextInt(10);
        if (kind == 0) {
          file.release();
        } else if (kind < 3) {
          position = random.nextInt(size + 1);
          stream.seek(position);
        } else if (kind < 5) {
          assertThat(stream.read()).isEqualTo(position < size ? bytes[position] & 0xff : -1);
          position += position < size ? 1 : 0;
        } else {
          position += checkedRead(stream, bytes, position, random.nextInt(kind < 9 ? 50 : 20_000));
        }
        assertThat(stream.getPos()).isEqualTo(position);
      }
    }
  }

  private static int checkedRead(SeekableInputStream stream, byte[] bytes, int position, int length)
      throws IOException {
    byte[] target = new byte[length + 2];
    int count = stream.read(target, 1, length);
    if (length > 0 && position == bytes.length) {
      assertThat(count).isEqualTo(-1);
      return 0;
    }
    assertThat(count).isBetween(Math.min(1, length), length);
    assertThat(Arrays.copyOfRange(target, 1, 1 + count))
        .isEqualTo(Arrays.copyOfRange(bytes, position, position + count));
    return count;
  }

  @Test
  void sequentialReadsDoNotSeek() throws IOException {
    InputFile file = new WithoutSeeks(new byte[100_000]);
    try (SeekableInputStream stream = new InputAdapter(file).newStream()) {
      for (int length : new int[] {10, 20_000, 8191, 8192, 1, 9000, 30_000}) {
        stream.readFully(new byte[length]);
      }
      assertThat(stream.getPos()).isEqualTo(75_394);
    }
  }

  /** A file whose streams do not seek. */
  private static final class WithoutSeeks extends InMemoryInputFile {
    WithoutSeeks(byte[] bytes) {
      super(bytes);
    }

    @Override
    public org.apache.iceberg.io.SeekableInputStream newStream() {
      return new ForwardingStream(super.newStream()) {
        @Override
        public void seek(long position) {
          throw new AssertionError("seek to " + position);
        }
      };
    }
  }
}
