/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.table.internal.cell.UnitBytes;
import java.nio.ByteBuffer;

/** Reads PLAIN slices stored as bytes, each preceded by its length. */
final class PlainSliceDecoder implements PageDecoder {
  private final ByteBuffer page;
  private final ValueKind.Slice kind;
  private final UnitBytes units;

  PlainSliceDecoder(ByteBuffer page, ValueKind.Slice kind) {
    this.page = page;
    this.kind = kind;
    this.units = new UnitBytes(kind.storage(), page);
  }

  @Override
  public void skip(int count) {
    for (int i = 0; i < count; i++) {
      int length = page.getInt();
      page.position(page.position() + length);
    }
  }

  @Override
  public void read(int count, Object target, int at, int stride) {
    for (int i = 0; i < count; i++) {
      int length = page.getInt();
      if (length != kind.bytes()) {
        throw new InvalidElementException(i, length);
      }
      units.read(page.position(), target, at + i * stride, kind.units());
      page.position(page.position() + length);
    }
  }
}
