/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.BooleanPacking;
import io.sparknd.parquet.ByteCodec;
import io.sparknd.parquet.ElementCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;

/** Encodes PLAIN pages of fixed-width elements. */
final class FixedEncoder implements PageEncoder {
  private final LeafColumn leaf;
  private final ElementCodec codec;
  private final int rowBytes;
  private final int rowsPerPage;
  private ByteBuffer page = ByteBuffer.allocate(0);
  private int rows;

  FixedEncoder(LeafColumn leaf, ElementCodec codec, int pageBytes) {
    this.leaf = leaf;
    this.codec = codec;
    this.rowBytes = Math.multiplyExact(leaf.elements(), codec.width());
    this.rowsPerPage = Math.max(1, pageBytes / rowBytes);
  }

  @Override
  public int room() {
    return rowsPerPage - rows;
  }

  @Override
  public void append(Object source, int at, int count) {
    reserve(count * rowBytes);
    codec.write(source, at, leaf.stride(), count * leaf.elements(), page);
    rows += count;
  }

  private void reserve(int bytes) {
    if (page.remaining() < bytes) {
      long doubled = Math.min(2L * page.capacity(), (long) rowsPerPage * rowBytes);
      int capacity = (int) Math.max(doubled, page.position() + bytes);
      page = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(page.flip());
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long bytes() {
    return page.position();
  }

  @Override
  public Values finish() {
    int length = page.position();
    byte[] bytes = page.array();
    BytesInput values =
        codec instanceof ByteCodec
            ? BytesInput.from(BooleanPacking.pack(bytes, length))
            : BytesInput.from(bytes, 0, length);
    Values finished =
        new Values(values, Encoding.PLAIN, PlainStatistics.of(leaf, codec, page.flip()));
    page = ByteBuffer.allocate(0);
    rows = 0;
    return finished;
  }
}
