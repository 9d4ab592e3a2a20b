/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.BooleanPacking;
import io.sparknd.parquet.ByteCodec;
import io.sparknd.parquet.ElementCodec;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;

/** Encodes PLAIN pages of fixed-width elements. */
final class FixedEncoder implements PageEncoder {
  private final LeafColumn leaf;
  private final ElementCodec codec;
  private final PageBuffer page;

  FixedEncoder(LeafColumn leaf, ElementCodec codec, int pageBytes) {
    this.leaf = leaf;
    this.codec = codec;
    this.page = new PageBuffer(Math.multiplyExact(leaf.elements(), codec.width()), pageBytes);
  }

  @Override
  public int room() {
    return page.room();
  }

  @Override
  public void append(Object source, int at, int count) {
    codec.write(source, at, leaf.stride(), count * leaf.elements(), page.add(count));
  }

  @Override
  public int rows() {
    return page.rows();
  }

  @Override
  public long bytes() {
    return page.bytes();
  }

  @Override
  public Values finish() {
    ByteBuffer taken = page.take();
    int length = taken.limit();
    byte[] bytes = taken.array();
    BytesInput values =
        codec instanceof ByteCodec
            ? BytesInput.from(BooleanPacking.pack(bytes, length))
            : BytesInput.from(bytes, 0, length);
    return new Values(values, Encoding.PLAIN, PlainStatistics.of(leaf, codec, taken));
  }
}
