/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column of a Parquet file, of values or of lists, into a vector. Pages without absent
 * values are read by runs of levels, and their numbers are copied as memory.
 */
final class VectorReader {
  private final VectorColumn column;
  private final NestedVector vector;
  private @Nullable PageReader pages;
  private @Nullable Dictionary dictionary;

  /** Values and absent values of the open page that are not read yet. */
  private int left;

  private @Nullable PageValues values;

  /** Runs of repetition levels of a page without absent values; null for other pages. */
  private @Nullable LevelRuns runs;

  private int runLeft;
  private byte[] repetitions = {};
  private byte[] definitions = {};
  private int at;

  /**
   * @param type the column's type in Spark
   * @param rows the most rows of a read
   */
  VectorReader(VectorColumn column, DataType type, int rows) {
    this.column = column;
    this.vector = new NestedVector(type, column.depth(), rows);
  }

  ColumnDescriptor descriptor() {
    return column.descriptor();
  }

  WritableColumnVector vector() {
    return vector.rows();
  }

  /** Returns whether all values have as many bytes. */
  boolean isFixedWidth() {
    return vector.isFixedWidth();
  }

  /** Returns the bytes of values of the last read that have no fixed width. */
  long variableBytes() {
    return vector.variableBytes();
  }

  /** Starts with the first row of a row group. */
  void start(PageReadStore group) {
    pages = group.getPageReader(column.descriptor());
    dictionary = PageBytes.dictionary(pages, column.descriptor());
    left = 0;
  }

  /** Reads the next {@code rows} rows in place of those of the last read. */
  void read(int rows) {
    vector.clear();
    boolean isWhole = false;
    while (!isWhole && (left > 0 || open())) {
      isWhole = runs != null ? readRuns(runs, rows) : readSingly(rows);
      // a list may go on in the next page
      isWhole |= column.depth() == 0 && vector.rowCount() == rows;
    }
    vector.close(0);
    if (vector.rowCount() < rows) {
      throw new ParquetDecodingException("the column has too few values");
    }
  }

  private boolean open() {
    DataPage raw = Objects.requireNonNull(pages).readPage();
    while (raw != null && raw.getValueCount() == 0) {
      raw = pages.readPage();
    }
    if (raw == null) {
      return false;
    }
    PageParts page = PageParts.of(raw, column.descriptor());
    left = page.count();
    values = PageValues.of(page, column.descriptor(), column.element(), dictionary);
    runs = null;
    if (page.absent(column.descriptor()) == null) {
      runs = new LevelRuns(page.repetitions(), column.depth(), left);
      runLeft = 0;
    } else {
      repetitions = levels(page.repetitions(), column.depth(), left);
      definitions = levels(page.definitions(), column.present(), left);
      at = 0;
    }
    return true;
  }

  private static byte[] levels(ByteBuffer bytes, int most, int count) {
    byte[] levels = new byte[count];
    if (most > 0) {
      LevelRuns runs = new LevelRuns(bytes, most, count);
      while (runs.next()) {
        Arrays.fill(levels, runs.start(), runs.start() + runs.length(), (byte) runs.value());
      }
    }
    return levels;
  }

  /** Reads from a page without absent values; returns whether another row begins after the last. */
  private boolean readRuns(LevelRuns levels, int rows) {
    int first = vector.valueCount();
    boolean isWhole = false;
    if (column.depth() == 0) {
      int step = Math.min(left, rows - first);
      vector.extend(step);
      left -= step;
    } else {
      isWhole = readLists(levels, rows);
    }
    int count = vector.valueCount() - first;
    Objects.requireNonNull(values).read(count, vector.values(first + count), first);
    return isWhole;
  }

  private boolean readLists(LevelRuns levels, int rows) {
    while (left > 0) {
      if (runLeft == 0) {
        levels.next();
        runLeft = levels.length();
      }
      int level = levels.value();
      if (level == 0 && vector.rowCount() == rows) {
        return true;
      }
      requireRow(level);
      int step = 1;
      if (level == column.depth()) {
        step = runLeft;
        vector.extend(step);
      } else {
        vector.begin(level);
      }
      runLeft -= step;
      left -= step;
    }
    return false;
  }

  private void requireRow(int level) {
    if (level > 0 && vector.rowCount() == 0) {
      throw new ParquetDecodingException("a page begins within a row");
    }
  }

  /** Reads from a page with absent values; returns whether another row begins after the last. */
  private boolean readSingly(int rows) {
    int first = vector.valueCount();
    boolean isWhole = false;
    while (left > 0 && !isWhole) {
      int level = repetitions[at];
      isWhole = level == 0 && vector.rowCount() == rows;
      if (!isWhole) {
        requireRow(level);
        first = add(level, definitions[at], first);
        at++;
        left--;
      }
    }
    flush(first);
    return isWhole;
  }

  /**
   * Adds what one pair of levels says.
   *
   * @param first the first value that the vector lacks, though it has its entry
   * @return the same after this entry
   */
  private int add(int repetition, int definition, int first) {
    vector.close(repetition);
    for (int level = repetition; level < column.depth(); level++) {
      int defined = column.defined(level);
      if (definition < defined) {
        vector.addNull(level);
        return first;
      }
      if (definition == defined) {
        vector.addEmpty(level);
        return first;
      }
      vector.beginList(level);
    }
    if (definition == column.present()) {
      vector.extend(1);
      return first;
    }
    flush(first);
    vector.addNull(column.depth());
    return vector.valueCount();
  }

  /** Reads the values of entries from {@code first} on. */
  private void flush(int first) {
    int count = vector.valueCount() - first;
    if (count > 0) {
      Objects.requireNonNull(values).read(count, vector.values(first + count), first);
    }
  }
}
