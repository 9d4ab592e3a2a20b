/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import java.nio.ByteBuffer;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.jspecify.annotations.Nullable;

/** Reads the values of a page in order. */
interface PageDecoder {

  void skip(int count);

  /**
   * Reads {@code count} values to every {@code stride}th unit of {@code target}, starting at {@code
   * at}.
   *
   * @throws InvalidElementException if a value is not valid for the dtype
   */
  void read(int count, Object target, int at, int stride);

  /**
   * Returns a reader for the values of a page.
   *
   * @param dictionary null if the column has none
   */
  static PageDecoder of(PageParts page, LeafColumn leaf, @Nullable Dictionary dictionary) {
    if (leaf.kind() instanceof ValueKind.Fixed fixed) {
      ByteBuffer bytes = PageBytes.of(page, leaf.column(), fixed.codec(), dictionary);
      return new FixedDecoder(bytes, fixed.codec());
    }
    if (leaf.kind() instanceof ValueKind.Slice slice) {
      return page.encoding() == Encoding.PLAIN
          ? new PlainSliceDecoder(page.values(), slice)
          : new SliceDecoder(PageBytes.reader(page, leaf.column(), dictionary), slice);
    }
    return new StringDecoder(PageBytes.reader(page, leaf.column(), dictionary));
  }
}
