/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.FoldListener;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The operation of {@code scatter_nd} and {@code tensor_scatter_nd_*}: returns the slices of a
 * tensor after updates.
 *
 * @param tensor columns of the tensor's table; null for zeros
 * @param shape of the tensor
 * @param updates columns of the updates' table
 * @param updateNames names of all columns of the updates' table
 * @param values how the elements are encoded
 * @param range the slices that are returned
 * @param only the slices that are returned, if they are few; null for all of the range
 */
public record ScatterRows(
    @Nullable SliceOrdinals tensor,
    DType dtype,
    Shape shape,
    Scatter how,
    SliceOrdinals updates,
    List<String> updateNames,
    StructType schema,
    ValueEncoding values,
    SliceRange range,
    @Nullable SliceSet only)
    implements ScatterOperation {

  /**
   * Checks the columns of a scatter into a tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  static ScatterRows into(
      TableArgument tensor,
      SliceOrdinals columns,
      TableArgument updates,
      SliceOrdinals changes,
      TensorOptions options,
      Scatter how,
      ValueEncoding values) {
    DType dtype = columns.dtype(tensor, options);
    ScatterCall.check(how, dtype);
    Shape whole = SliceOrdinals.shape(tensor, options);
    columns.requireSlices(tensor, dtype, whole);
    columns.requireRange(tensor, whole);
    Shape shape = columns.shapeAsStored(tensor, whole);
    int depth = columns.indices().size();
    if (!shape.equals(whole) && changes.indices().size() > depth) {
      throw SqlErrors.partsOfFlatSlices(tensor.name(), whole.from(depth), updates.names());
    }
    changes.requireValues(updates, dtype, shape);
    StructType schema = new StructType();
    for (int ordinal : columns.indices()) {
      Attribute column = tensor.columns().get(ordinal);
      schema = schema.add(column.name(), column.dataType(), false);
    }
    schema =
        schema.add(
            tensor.columns().get(columns.value()).name(),
            SqlTypes.slice(dtype, shape.rank() - columns.indices().size()),
            false);
    List<String> names = updates.columnNames();
    return new ScatterRows(
        columns, dtype, shape, how, changes, names, schema, values, SliceRange.ALL, null);
  }

  /**
   * Checks the columns of a scatter into zeros.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table and options are inconsistent
   */
  static ScatterRows intoZeros(
      TableArgument updates,
      SliceOrdinals changes,
      TensorOptions options,
      Scatter how,
      ValueEncoding values) {
    DType dtype = changes.dtype(updates, options);
    ScatterCall.check(how, dtype);
    Shape shape = SliceOrdinals.shape(updates, options);
    changes.requireSlices(updates, dtype, shape);
    StructType schema = new StructType();
    for (int ordinal : changes.indices()) {
      schema = schema.add(updates.columns().get(ordinal).name(), DataTypes.LongType, false);
    }
    schema =
        schema.add(
            updates.columns().get(changes.value()).name(),
            SqlTypes.slice(dtype, shape.rank() - changes.indices().size()),
            false);
    List<String> names = updates.columnNames();
    return new ScatterRows(
        null, dtype, shape, how, changes, names, schema, values, SliceRange.ALL, null);
  }

  @Override
  public Optional<SliceOrdinals> tensorTable() {
    return Optional.ofNullable(tensor);
  }

  @Override
  public Map<Integer, SliceOrdinals> sliceTables() {
    return tensor == null ? Map.of(0, updates) : Map.of(0, tensor, 1, updates);
  }

  @Override
  public Optional<SliceSet> few() {
    return Optional.ofNullable(only);
  }

  @Override
  public ScatterRows within(SliceRange slices, Optional<SliceSet> few) {
    return new ScatterRows(
        tensor, dtype, shape, how, updates, updateNames, schema, values, slices, few.orElse(null));
  }

  /**
   * Returns the operation that returns only slices of {@code others}; empty if these are none of
   * those that it returns.
   */
  Optional<ScatterRows> and(SliceSet others) {
    SliceSet both =
        others.where(
            slice -> range.meets(slice, slice + 1) && (only == null || only.place(slice) >= 0));
    return both.count() == 0 ? Optional.empty() : Optional.of(within(range, Optional.of(both)));
  }

  @Override
  public String argument(int i) {
    return tensor != null && i == 0 ? "tensor" : "updates";
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    return few()
        .flatMap(slices -> run(inputs, slices, metrics.folds()))
        .orElseGet(() -> all(inputs, metrics.folds()));
  }

  @Override
  public void requireExact(ScatterMetrics sent) {
    values.requireExact(how.reduction(), sent.updates());
  }

  private Optional<TableQuery> run(OperationInputs inputs, SliceSet slices, FoldListener listener) {
    TensorColumns columns = updates.columns();
    if (updates.indices().size() != depth()) {
      return Optional.empty();
    }
    return tensor == null
        ? TableQuery.scatterIntoFilled(
            dtype, shape, values.missing(), how, inputs.first(), columns, slices, listener)
        : TableQuery.scatter(
            tensor.over(inputs.withoutIndices(), dtype, shape, values.missing()),
            how,
            inputs.second(),
            columns,
            slices,
            listener);
  }

  private TableQuery all(OperationInputs inputs, FoldListener listener) {
    TensorColumns columns = updates.columns();
    if (updates.isValueUnused() && how.duplicates() != Duplicates.ERROR) {
      return TableQuery.unused(dtype, shape, how.indices(), inputs.first(), columns, range);
    }
    return tensor == null
        ? TableQuery.scatterIntoFilled(
            dtype, shape, values.missing(), how, inputs.first(), columns, range, listener)
        : TableQuery.scatter(
            tensor.over(inputs, dtype, shape, values.missing()),
            how,
            inputs.second(),
            columns,
            range,
            listener);
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    String whole = values.elements(dtype) + shape;
    CallText text =
        tensor == null
            ? CallText.of("scatter_nd").with("shape", whole).with("reduction", how.reduction())
            : CallText.ofTensorScatter(how).with("tensor", whole);
    return text.withColumns(updates, updateNames).with(how) + CallText.of(range, few());
  }
}
