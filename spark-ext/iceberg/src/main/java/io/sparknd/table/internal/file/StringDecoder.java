/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import org.apache.parquet.column.values.ValuesReader;

/** Reads strings. */
record StringDecoder(ValuesReader reader) implements PageDecoder {
  @Override
  public void skip(int count) {
    reader.skip(count);
  }

  @Override
  public void read(int count, Object target, int at, int stride) {
    String[] strings = (String[]) target;
    for (int i = 0; i < count; i++) {
      strings[at + i * stride] = reader.readBytes().toStringUsingUTF8();
    }
  }
}
