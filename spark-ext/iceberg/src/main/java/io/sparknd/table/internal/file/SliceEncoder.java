/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.cell.UnitBytes;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;

/** Encodes PLAIN pages of slices stored as bytes. */
final class SliceEncoder implements PageEncoder {
  private final ValueKind.Slice kind;
  private final PageBuffer pages;

  SliceEncoder(ValueKind.Slice kind, int pageBytes) {
    this.kind = kind;
    this.pages = new PageBuffer(Math.addExact(Integer.BYTES, kind.bytes()), pageBytes);
  }

  @Override
  public int room() {
    return pages.room();
  }

  @Override
  public void append(Object source, int at, int count) {
    ByteBuffer page = pages.add(count);
    UnitBytes units = new UnitBytes(kind.storage(), page);
    for (int i = 0; i < count; i++) {
      page.putInt(kind.bytes());
      units.write(source, at + i * kind.units(), kind.units(), page.position());
      page.position(page.position() + kind.bytes());
    }
  }

  @Override
  public int rows() {
    return pages.rows();
  }

  @Override
  public long bytes() {
    return pages.bytes();
  }

  @Override
  public Values finish() {
    ByteBuffer taken = pages.take();
    BytesInput bytes = BytesInput.from(taken.array(), 0, taken.limit());
    return new Values(bytes, Encoding.PLAIN, null);
  }
}
