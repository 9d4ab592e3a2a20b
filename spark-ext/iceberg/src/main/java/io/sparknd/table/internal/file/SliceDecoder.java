/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.table.internal.cell.UnitBytes;
import java.nio.ByteBuffer;
import org.apache.parquet.column.values.ValuesReader;

/** Reads slices stored as bytes, in any encoding. */
record SliceDecoder(ValuesReader reader, ValueKind.Slice kind) implements PageDecoder {
  @Override
  public void skip(int count) {
    reader.skip(count);
  }

  @Override
  public void read(int count, Object target, int at, int stride) {
    for (int i = 0; i < count; i++) {
      ByteBuffer bytes = reader.readBytes().toByteBuffer();
      if (bytes.remaining() != kind.bytes()) {
        throw new InvalidElementException(i, bytes.remaining());
      }
      new UnitBytes(kind.storage(), bytes)
          .read(bytes.position(), target, at + i * stride, kind.units());
    }
  }
}
