/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.PositionedReadable;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int BLOCK = 4096;

  /** A file in memory, which counts the bytes of requests. */
  private static final class Requests implements PositionedReadable {
    private final byte[] content;
    private final List<Integer> made = new ArrayList<>();

    Requests(int bytes) {
      content = new byte[bytes];
      new Random(1).nextBytes(content);
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      readFully(position, buffer, offset, length);
      return length;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
      if (position + length > content.length) {
        throw new EOFException();
      }
      made.add(length);
      System.arraycopy(content, (int) position, buffer, offset, length);
    }

    @Override
    public void readFully(long position, byte[] buffer) throws IOException {
      readFully(position, buffer, 0, buffer.length);
    }
  }

  private static void requireSame(Requests file, ReadAhead read, long position, int length)
      throws IOException {
    assertThat(read.read(position, length))
        .isEqualTo(ByteBuffer.wrap(file.content, (int) position, length));
  }

  @Test
  void partsThatFollowEachOtherTakeFewRequests() throws IOException {
    Requests file = new Requests(32 << 20);
    ReadAhead read = new ReadAhead(file, file.content.length);
    for (int position = 0; position < file.content.length; position += BLOCK) {
      requireSame(file, read, position, BLOCK);
    }
    assertThat(file.made).hasSizeLessThan(20);
    assertThat(file.made.stream().mapToLong(bytes -> bytes).sum()).isEqualTo(file.content.length);
  }

  @Test
  void partsApartAreReadAlone() throws IOException {
    Requests file = new Requests(100 * BLOCK);
    ReadAhead read = new ReadAhead(file, file.content.length);
    for (int part = 0; part < 100; part += 7) {
      requireSame(file, read, (long) part * BLOCK, BLOCK);
    }
    assertThat(file.made).hasSize(15).containsOnly(BLOCK);
  }

  @Test
  void partsOfAnyOrderAndLengthAreRight() throws IOException {
    Requests file = new Requests(50_000);
    ReadAhead read = new ReadAhead(file, file.content.length);
    Random random = new Random(2);
    int position = 0;
    for (int i = 0; i < 2000; i++) {
      int length = random.nextInt(900);
      if (random.nextInt(5) == 0 || position + length > file.content.length) {
        position = random.nextInt(file.content.length - length);
      }
      requireSame(file, read, position, length);
      position += length;
    }
  }
}
