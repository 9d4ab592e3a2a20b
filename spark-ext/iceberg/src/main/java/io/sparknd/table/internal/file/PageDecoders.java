/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.DictionaryIds;
import io.sparknd.parquet.ElementCodec;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import java.nio.ByteBuffer;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageReader;
import org.jspecify.annotations.Nullable;

/** Chooses how the pages of one column of one row group are decoded. */
final class PageDecoders {
  private final LeafColumn leaf;
  private final @Nullable Dictionary dictionary;

  /** The dictionary in PLAIN encoding; null until a page needs it. */
  private @Nullable ByteBuffer plain;

  /**
   * Reads the dictionary, if there is one.
   *
   * @param pages no page has been read yet
   */
  PageDecoders(LeafColumn leaf, PageReader pages) {
    this.leaf = leaf;
    this.dictionary = PageBytes.dictionary(pages, leaf.column());
  }

  /** Returns a decoder of the values of a page. */
  PageDecoder of(PageParts page) {
    if (leaf.kind() instanceof ValueKind.Fixed fixed) {
      return fixed(page, fixed.codec());
    }
    if (leaf.kind() instanceof ValueKind.Slice slice) {
      return page.encoding() == Encoding.PLAIN
          ? new PlainSliceDecoder(page.values(), slice)
          : new SliceDecoder(PageBytes.reader(page, leaf.column(), dictionary), slice);
    }
    return new StringDecoder(PageBytes.reader(page, leaf.column(), dictionary));
  }

  private PageDecoder fixed(PageParts page, ElementCodec codec) {
    if (page.encoding().usesDictionary() && dictionary != null) {
      plain = plain == null ? PageBytes.of(dictionary, codec) : plain;
      return new DictionaryDecoder(new DictionaryIds(page.values()), plain, codec);
    }
    return new FixedDecoder(PageBytes.of(page, leaf.column(), codec, dictionary), codec);
  }
}
