/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** Tests that chunked writes give the bytes of a single write. */
class ArrowTensorWriterPropertyTest {
  @Property(tries = 80)
  void chunkBoundariesDoNotChangeTheStream(
      @ForAll DType dtype,
      @ForAll @IntRange(min = 1, max = 40_000) int rows,
      @ForAll @IntRange(min = 1, max = 9) int width,
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 0, max = 50_000) Integer> chunks)
      throws IOException {
    Tensor tensor = Streams.random(dtype, Shape.of(rows, width));
    try (RootAllocator root = new RootAllocator()) {
      assertThat(inChunks(tensor, chunks)).isEqualTo(Streams.bytes(tensor, root));
    }
  }

  private static byte[] inChunks(Tensor tensor, List<Integer> chunks) throws IOException {
    Storage storage = tensor.dtype().storage();
    int units = storage.length(tensor.array());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (var writer = new ArrowTensorWriter(out, tensor.dtype(), tensor.shape())) {
      int from = 0;
      for (int chunk : chunks) {
        int to = Math.min(units, from + chunk);
        writer.append(tensor.array(), from, to);
        from = to;
      }
      writer.append(tensor.array(), from, units);
    }
    return out.toByteArray();
  }

  @Test
  void tensorLargerThanAnArrayIsWritten() throws IOException {
    long rows = (1L << 31) / 64 + 1;
    Counter counter = new Counter();
    byte[] chunk = new byte[64 << 20];
    try (var writer = new ArrowTensorWriter(counter, DType.UINT8, Shape.of(rows, 64))) {
      for (long left = 64 * rows; left > 0; left -= chunk.length) {
        writer.append(chunk, 0, (int) Math.min(chunk.length, left));
      }
    }
    assertThat(counter.bytes).isBetween(64 * rows, 64 * rows + (4 << 20));
  }

  private static final class Counter extends OutputStream {
    private long bytes;

    @Override
    public void write(int value) {
      bytes++;
    }

    @Override
    public void write(byte[] values, int from, int length) {
      bytes += length;
    }
  }
}
