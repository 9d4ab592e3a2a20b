/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

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
 * What to create: a tensor and the table that is to hold it.
 *
 * @param dtype of the elements
 * @param shape of the tensor; its first dimension is what the table is partitioned by
 * @param indexColumns names of k columns, outermost dimension first, {@code 1 <= k <= rank}: a row
 *     of the table is a slice {@code shape[k:]}
 * @param layout of the slices
 * @param valueColumns one name; for {@link ValueLayout#COLUMNS} as many as a slice has elements
 * @param fill what rows that were never written hold, as for {@link io.sparknd.tensor.Tensor#fill};
 *     empty for zero, false or ""
 * @param featureFills what features hold in such rows, by column; those not named hold {@code fill}
 * @param rowsPerBlock entries of the first dimension that a partition of the table spans; empty for
 *     blocks of 4 to 64 MiB, about 64 of them
 * @param expectedRows rows that the table will hold, which that reckons with; empty for all
 * @param properties of the table beside those that it needs
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

  /** What slices of feature columns are called when they are read. */
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
   * A tensor in a table of columns {@code i0} and {@code value}: a row {@code shape[1:]} each.
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

  /** With index columns {@code i0, i1, ...}, {@code depth} of them. */
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

  /** With values of {@code bytes} in place of arrays: {@link ValueLayout#BINARY}. */
  public TensorSpec withBinaryValues() {
    return withValues(ValueLayout.BINARY, valueColumns);
  }

  /** With a column for each element of a row: {@link ValueLayout#COLUMNS}. */
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
   * With a fill value of its own for one of the features: infinity for what is kept by {@code min}.
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

  /** With a property of the Iceberg table, such as {@code write.parquet.compression-codec}. */
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

  /** SQL does not tell upper from lower case. */
  private static void checkNames(List<String> columns) {
    for (String column : columns) {
      if (column.isBlank() || column.contains(",")) {
        throw TableErrors.badTableColumn(column);
      }
    }
    long names = columns.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().count();
    if (names < columns.size()) {
      throw TableErrors.columnTwice(columns);
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
