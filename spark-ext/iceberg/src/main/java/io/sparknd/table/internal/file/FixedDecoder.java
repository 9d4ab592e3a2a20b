/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.ElementCodec;
import java.nio.ByteBuffer;

/** Reads consecutive fixed-width values. */
record FixedDecoder(ByteBuffer page, ElementCodec codec) implements PageDecoder {
  @Override
  public void skip(int count) {
    page.position(page.position() + count * codec.width());
  }

  @Override
  public void read(int count, Object target, int at, int stride) {
    codec.read(page, count, target, at, stride);
  }
}
