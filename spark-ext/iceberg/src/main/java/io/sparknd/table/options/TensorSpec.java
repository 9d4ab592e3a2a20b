/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Specification of a tensor and of the table that stores it.
 *
 * @param dtype dtype of the elements
 * @param shape shape of the tensor; the table is partitioned by the first dimension
 * @param indexColumns names of k columns, outermost dimension first, {@code 1 <= k <= rank}: a row
 *     of the table is a slice {@code shape[k:]}
 * @param layout layout of the slices
 * @param valueColumns one name; for {@link ValueLayout#COLUMNS} as many as a slice has elements
 * @param fill value of rows that were never written, as for {@link io.sparknd.tensor.Tensor#fill};
 *     empty for zero, false or ""
 * @param featureFills fill values of single features, by column; other features have {@code fill}
 * @param rowsPerBlock entries of the first dimension in a partition of the table; empty for about
 *     64 blocks of 4 to 64 MiB
 * @param expectedRows expected number of rows, from which the default of {@code rowsPerBlock} is
 *     computed; empty for all rows of the tensor
 * @param properties additional properties of the table
 */
public record TensorSpec(
    DType dtype,
    Shape shape,
    List<String> indexColumns,
    ValueLayout layout,
    List<String> valueColumns,
    Optional<Object> fill,
    Map<String, Object> featureFills,
    Optional<Long> rowsPerBlock,
    Optional<Long> expectedRows,
    Map<String, String> properties) {

  /** Name of the value column when slices of feature columns are read. */
  private static final List<String> VALUE = List.of("value");

  private static final List<String> NONE = List.of();

  public TensorSpec {
    indexColumns = List.copyOf(indexColumns);
    valueColumns = List.copyOf(valueColumns);
    featureFills = Map.copyOf(featureFills);
    properties = Map.copyOf(properties);
    Objects.requireNonNull(dtype, "dtype");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(layout, "layout");
    check(dtype, shape, indexColumns, layout, valueColumns);
    checkFills(layout, valueColumns, featureFills);
    rowsPerBlock.ifPresent(rows -> requirePositive("rowsPerBlock", rows));
    expectedRows.ifPresent(rows -> requirePositive("expectedRows", rows));
  }

  /**
   * Returns the specification of a table with columns {@code i0} and {@code value}, one row for
   * each {@code shape[1:]}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the shape is that of a scalar
   */
  public static TensorSpec of(DType dtype, Shape shape) {
    return new TensorSpec(
        dtype,
        shape,
        List.of("i0"),
        ValueLayout.ARRAY,
        List.of("value"),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** Sets {@code depth} index columns named {@code i0, i1, ...}. */
  public TensorSpec withIndexDepth(int depth) {
    return withIndexColumns(
        IntStream.range(0, depth).mapToObj(d -> "i" + d).toArray(String[]::new));
  }

  public TensorSpec withIndexColumns(String... columns) {
    return new TensorSpec(
        dtype,
        shape,
        List.of(columns),
        layout,
        valueColumns,
        fill,
        featureFills,
        rowsPerBlock,
        expectedRows,
        properties);
  }

  public TensorSpec withValueColumn(String column) {
    return withValues(layout, List.of(column));
  }

  /** Stores slices as {@code binary} values instead of arrays: {@link ValueLayout#BINARY}. */
  public TensorSpec withBinaryValues() {
    return withValues(ValueLayout.BINARY, valueColumns);
  }

  /** Stores one column for each element of a row: {@link ValueLayout#COLUMNS}. */
  public TensorSpec withFeatures(String... columns) {
    return withValues(ValueLayout.COLUMNS, List.of(columns));
  }

  private TensorSpec withValues(ValueLayout as, List<String> columns) {
    return new TensorSpec(
        dtype,
        shape,
        indexColumns,
        as,
        columns,
        fill,
        featureFills,
        rowsPerBlock,
        expectedRows,
        properties);
  }

  public TensorSpec withFill(Object value) {
    return new TensorSpec(
        dtype,
        shape,
        indexColumns,
        layout,
        valueColumns,
        Optional.of(value),
        featureFills,
        rowsPerBlock,
        expectedRows,
        properties);
  }

  /**
   * Sets the fill value of one feature, for example infinity for a feature reduced by {@code min}.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@link #withFeatures} does not name it
   */
  public TensorSpec withFeatureFill(String feature, Object value) {
    Map<String, Object> more = new HashMap<>(featureFills);
    more.put(feature, value);
    return new TensorSpec(
        dtype,
        shape,
        indexColumns,
        layout,
        valueColumns,
        fill,
        more,
        rowsPerBlock,
        expectedRows,
        properties);
  }

  public TensorSpec withRowsPerBlock(long rows) {
    return withBlocks(Optional.of(rows), expectedRows);
  }

  public TensorSpec withExpectedRows(long rows) {
    return withBlocks(rowsPerBlock, Optional.of(rows));
  }

  private TensorSpec withBlocks(Optional<Long> perBlock, Optional<Long> expected) {
    return new TensorSpec(
        dtype,
        shape,
        indexColumns,
        layout,
        valueColumns,
        fill,
        featureFills,
        perBlock,
        expected,
        properties);
  }

  /** Sets a property of the Iceberg table, such as {@code write.parquet.compression-codec}. */
  public TensorSpec withProperty(String key, String value) {
    Map<String, String> more = new HashMap<>(properties);
    more.put(key, value);
    return new TensorSpec(
        dtype,
        shape,
        indexColumns,
        layout,
        valueColumns,
        fill,
        featureFills,
        rowsPerBlock,
        expectedRows,
        more);
  }

  private static void check(
      DType dtype,
      Shape shape,
      List<String> indexColumns,
      ValueLayout layout,
      List<String> valueColumns) {
    int depth = indexColumns.size();
    if (depth < 1 || depth > shape.rank()) {
      throw TableErrors.tableDepth(shape, depth);
    }
    if (shape.elements() == 0) {
      throw TableErrors.emptyTable(shape);
    }
    long columns = layout == ValueLayout.COLUMNS ? shape.from(depth).elements() : 1;
    boolean rightRank = layout != ValueLayout.COLUMNS || shape.rank() == depth + 1;
    if (valueColumns.size() != columns || !rightRank) {
      throw TableErrors.tableColumns(layout.toString(), valueColumns, shape.from(depth));
    }
    if (layout == ValueLayout.BINARY && dtype == DType.STRING) {
      throw TableErrors.binaryStrings();
    }
    checkNames(
        Stream.of(indexColumns, valueColumns, layout == ValueLayout.COLUMNS ? VALUE : NONE)
            .flatMap(List::stream)
            .toList());
  }

  /** Checks the names; they must differ in more than case, as SQL is case-insensitive. */
  private static void checkNames(List<String> columns) {
    for (String column : columns) {
      if (column.isBlank() || column.contains(",")) {
        throw TableErrors.badTableColumn(column);
      }
    }
    long names = columns.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().count();
    if (names < columns.size()) {
      throw TableErrors.duplicateColumn(columns);
    }
  }

  private static void checkFills(
      ValueLayout layout, List<String> valueColumns, Map<String, Object> fills) {
    for (String feature : fills.keySet()) {
      if (layout != ValueLayout.COLUMNS || !valueColumns.contains(feature)) {
        throw TableErrors.noSuchFeature(
            feature, layout == ValueLayout.COLUMNS ? valueColumns : List.of());
      }
    }
  }

  private static void requirePositive(String what, long rows) {
    if (rows < 1) {
      throw TableErrors.notPositive(what, rows);
    }
  }
}
