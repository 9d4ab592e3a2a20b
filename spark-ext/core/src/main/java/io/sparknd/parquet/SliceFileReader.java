/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a Parquet file's row groups as arrays of values without nulls. Not thread-safe.
 *
 * <p>If a page of the next rows has a null or a list of another length, {@link #step} returns
 * {@link Step#IRREGULAR}, and another reader has to read the remaining rows.
 */
public final class SliceFileReader implements Closeable {
  /** The dtypes whose Parquet values can be copied in bulk. */
  public static final Set<DType> DTYPES =
      Set.of(DType.INT32, DType.INT64, DType.FLOAT32, DType.FLOAT64);

  private final ParquetFileReader reader;
  private final List<Column> columns;
  private final ColumnDescriptor[] found;
  private final RepetitionPattern[] patterns;
  private final Object[] values;
  private @Nullable PageReadStore pages;
  private DenseColumnReader[] group = {};
  private int nextGroup;
  private long remainingRows;
  private int rows;

  /**
   * A column of the file.
   *
   * @param dtype one of {@link #DTYPES}
   * @param slice the shape of a row's value, one nested list per dimension; not empty
   */
  public record Column(String name, DType dtype, Shape slice) implements Serializable {}

  /** The outcome of a step. */
  public enum Step {
    /** The step read rows. */
    ROWS,
    /** No row was left. */
    END,
    /** A page of the next rows has a null or a list of another length, or cannot be decoded. */
    IRREGULAR
  }

  private SliceFileReader(
      ParquetFileReader reader, List<Column> columns, ColumnDescriptor[] found) {
    this.reader = reader;
    this.columns = columns;
    this.found = found;
    this.patterns =
        columns.stream()
            .map(column -> new RepetitionPattern(column.slice()))
            .toArray(RepetitionPattern[]::new);
    this.values = new Object[found.length];
    reader.setRequestedSchema(Arrays.asList(found));
  }

  /**
   * Opens the rows of {@code columns}.
   *
   * @param reader closed together with the result
   * @return empty if columns are missing, ambiguous or of other types, or if lists are
   *     dictionary-encoded, which this class does not read faster
   */
  public static Optional<SliceFileReader> of(ParquetFileReader reader, List<Column> columns) {
    ColumnDescriptor[] found = new ColumnDescriptor[columns.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = found(reader, columns.get(i));
      if (found[i] == null) {
        return Optional.empty();
      }
    }
    return Optional.of(new SliceFileReader(reader, columns, found));
  }

  private static @Nullable ColumnDescriptor found(ParquetFileReader reader, Column column) {
    List<ColumnDescriptor> alike = new ArrayList<>();
    for (ColumnDescriptor each : reader.getFileMetaData().getSchema().getColumns()) {
      if (each.getPath()[0].equalsIgnoreCase(column.name())) {
        alike.add(each);
      }
    }
    boolean matches =
        alike.size() == 1
            && alike.get(0).getPath()[0].equals(column.name())
            && matches(alike.get(0), column)
            && (column.slice().rank() == 0 || isPlain(reader, alike.get(0)));
    return matches ? alike.get(0) : null;
  }

  private static boolean matches(ColumnDescriptor found, Column column) {
    PrimitiveType type = found.getPrimitiveType();
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    boolean isWhole =
        annotation == null
            || (annotation instanceof IntLogicalTypeAnnotation integer
                && integer.isSigned()
                && integer.getBitWidth() == Byte.SIZE * column.dtype().bytes());
    return found.getMaxRepetitionLevel() == column.slice().rank()
        && type.getPrimitiveTypeName() == ElementCodec.of(column.dtype()).physical()
        && isWhole;
  }

  private static boolean isPlain(ParquetFileReader reader, ColumnDescriptor column) {
    ColumnPath path = ColumnPath.get(column.getPath());
    for (BlockMetaData group : reader.getRowGroups()) {
      for (ColumnChunkMetaData chunk : group.getColumns()) {
        if (chunk.getPath().equals(path) && chunk.hasDictionaryPage()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads the next rows, at most {@code most}. */
  public Step step(int most) throws IOException {
    rows = 0;
    try {
      while (remainingRows == 0) {
        if (!open()) {
          return Step.END;
        }
      }
      int next = (int) Math.min(most, remainingRows);
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i).dtype().storage().allocate(next * patterns[i].length());
        if (!group[i].read(next, values[i])) {
          return Step.IRREGULAR;
        }
      }
      rows = next;
      remainingRows -= next;
      return Step.ROWS;
    } catch (ParquetDecodingException | BufferUnderflowException | IndexOutOfBoundsException e) {
      return Step.IRREGULAR; // an unsupported encoding or a damaged page
    }
  }

  private boolean open() throws IOException {
    List<BlockMetaData> groups = reader.getRowGroups();
    while (nextGroup < groups.size() && groups.get(nextGroup).getRowCount() == 0) {
      nextGroup++;
    }
    if (nextGroup == groups.size()) {
      return false;
    }
    release();
    PageReadStore next = readGroup(nextGroup++);
    pages = next;
    remainingRows = next.getRowCount();
    group =
        IntStream.range(0, found.length)
            .mapToObj(
                i ->
                    new DenseColumnReader(
                        next, found[i], patterns[i], ElementCodec.of(columns.get(i).dtype())))
            .toArray(DenseColumnReader[]::new);
    return true;
  }

  /** Reads a row group; fails on a damaged column, as other readers may not verify checksums. */
  private PageReadStore readGroup(int number) throws IOException {
    try {
      return reader.readRowGroup(number);
    } catch (ParquetDecodingException e) {
      String column = DamagedColumnFinder.of(reader, number, Arrays.asList(found)).orElse(null);
      if (column == null) {
        throw e;
      }
      int ordinal = reader.getRowGroups().get(number).getOrdinal();
      throw ParquetErrors.damagedPages(reader.getFile(), column, ordinal, e);
    }
  }

  /** The number of rows that the last step read. */
  public int rows() {
    return rows;
  }

  /** The values of a column in the last step: a new array of the dtype's storage, row by row. */
  public Object values(int column) {
    return values[column];
  }

  /** Drops the pages of a row group: who reads the rows may hold this reader for long. */
  private void release() {
    group = new DenseColumnReader[0];
    Arrays.fill(values, null);
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }

  @Override
  public void close() throws IOException {
    release();
    reader.close();
  }
}
