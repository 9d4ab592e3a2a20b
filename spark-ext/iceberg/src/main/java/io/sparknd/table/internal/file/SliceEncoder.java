/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;

/** Encodes PLAIN pages of slices stored as bytes. */
final class SliceEncoder implements PageEncoder {
  private final ValueKind.Slice kind;
  private final int rowBytes;
  private final int rowsPerPage;
  private ByteBuffer page = ByteBuffer.allocate(0);
  private int rows;

  SliceEncoder(ValueKind.Slice kind, int pageBytes) {
    this.kind = kind;
    this.rowBytes = Math.addExact(Integer.BYTES, kind.bytes());
    this.rowsPerPage = Math.max(1, pageBytes / rowBytes);
  }

  @Override
  public int room() {
    return rowsPerPage - rows;
  }

  @Override
  public void append(Object source, int at, int count) {
    reserve(count * rowBytes);
    UnitBytes units = new UnitBytes(kind.storage(), page);
    for (int i = 0; i < count; i++) {
      page.putInt(kind.bytes());
      units.write(source, at + i * kind.units(), kind.units(), page.position());
      page.position(page.position() + kind.bytes());
    }
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
    BytesInput bytes = BytesInput.from(page.array(), 0, page.position());
    page = ByteBuffer.allocate(0);
    rows = 0;
    return new Values(bytes, Encoding.PLAIN, null);
  }
}
