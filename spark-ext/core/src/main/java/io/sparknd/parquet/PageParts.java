/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/**
 * The three parts of a data page: repetition levels, definition levels and values.
 *
 * @param firstRow the page's first row in the row group, or -1 if the file does not say
 */
public record PageParts(
    int count,
    long firstRow,
    ByteBuffer repetitions,
    ByteBuffer definitions,
    Encoding encoding,
    ByteBuffer values) {

  public static PageParts of(DataPage page, ColumnDescriptor column) {
    return page.accept(
        new DataPage.Visitor<PageParts>() {
          @Override
          public PageParts visit(DataPageV1 v1) {
            return of(v1, column);
          }

          @Override
          public PageParts visit(DataPageV2 v2) {
            return of(v2);
          }
        });
  }

  private static PageParts of(DataPageV1 page, ColumnDescriptor column) {
    ByteBuffer bytes = buffer(page.getBytes());
    ByteBuffer repetitions =
        levels(bytes, page.getRlEncoding(), column.getMaxRepetitionLevel(), column);
    ByteBuffer definitions =
        levels(bytes, page.getDlEncoding(), column.getMaxDefinitionLevel(), column);
    return new PageParts(
        page.getValueCount(),
        page.getFirstRowIndex().orElse(-1L),
        repetitions,
        definitions,
        page.getValueEncoding(),
        bytes);
  }

  private static ByteBuffer levels(
      ByteBuffer bytes, Encoding encoding, int most, ColumnDescriptor column) {
    if (most == 0) {
      return ByteBuffer.allocate(0);
    }
    if (encoding != Encoding.RLE) {
      throw new ParquetDecodingException("levels of " + column + " are encoded as " + encoding);
    }
    int length = bytes.getInt();
    ByteBuffer levels = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return levels;
  }

  private static PageParts of(DataPageV2 page) {
    return new PageParts(
        page.getValueCount(),
        page.getFirstRowIndex().orElse(-1L),
        buffer(page.getRepetitionLevels()),
        buffer(page.getDefinitionLevels()),
        page.getDataEncoding(),
        buffer(page.getData()));
  }

  @SuppressWarnings("deprecation") // its replacement copies the bytes
  private static ByteBuffer buffer(BytesInput bytes) {
    try {
      return bytes.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the first run of absent values, or null if there is none. */
  public @Nullable LevelRuns absent(ColumnDescriptor column) {
    int present = column.getMaxDefinitionLevel();
    if (present == 0) {
      return null;
    }
    LevelRuns runs = new LevelRuns(definitions, present, count);
    while (runs.next()) {
      if (runs.value() != present) {
        return runs;
      }
    }
    return null;
  }
}
