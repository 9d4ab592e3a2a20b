/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.internal.tables.TableTensor;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.OperatorErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.StructType;

/**
 * The operation of {@code gather_nd}: appends to each row of the indices the slice that it names.
 *
 * @param params columns of the tensor's table
 * @param shape of the tensor
 * @param how with a fill value as the call gives it
 * @param indices ordinals of the index columns in the indices' table
 * @param values how the elements are encoded
 * @param need the slices that rows name, as far as they are known before the query runs
 */
public record GatherRows(
    SliceOrdinals params,
    DType dtype,
    Shape shape,
    Gather how,
    List<Integer> indices,
    StructType schema,
    ValueEncoding values,
    SliceNeed need)
    implements GatherOperation {

  /**
   * Checks the columns of a call.
   *
   * @param columns columns of {@code params}
   * @param batchDims number of leading index columns that are batch coordinates
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  static GatherRows of(
      TableArgument params,
      SliceOrdinals columns,
      TableArgument indices,
      TensorOptions options,
      Gather how,
      int batchDims,
      ValueEncoding values) {
    DType dtype = columns.dtype(params, options);
    Shape shape = SliceOrdinals.shape(params, options);
    columns.requireSlices(params, dtype, shape);
    List<Integer> tuple =
        ColumnResolver.ofIndices(indices, options, TensorNames.of(params, columns));
    check(values.encoded(how), batchDims, tuple.size(), dtype);
    Shape slice = Indexing.tuples().plan(shape, Shape.of(0, tuple.size())).slice();
    Attribute value = params.columns().get(columns.value());
    StructType schema = rows(indices).add(value.name(), SqlTypes.slice(dtype, slice.rank()), false);
    return new GatherRows(columns, dtype, shape, how, tuple, schema, values, SliceNeed.UNKNOWN);
  }

  /**
   * Checks the batch dimensions and the fill value.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code batchDims} is negative or exceeds the
   *     number of index columns, or if the fill value is not a value of the dtype
   */
  static void check(Gather how, int batchDims, int depth, DType dtype) {
    if (batchDims < 0 || batchDims > depth) {
      throw OperatorErrors.batchDimsOutOfRange(batchDims, depth);
    }
    if (how.indices().bad() instanceof BadIndices.Fill fill) {
      Tensor.fill(dtype, Shape.of(), fill.value(dtype));
    }
  }

  static StructType rows(TableArgument indices) {
    StructType rows = new StructType();
    for (Attribute column : indices.columns()) {
      // a stream's watermark is metadata of its column
      rows = rows.add(column.name(), column.dataType(), column.nullable(), column.metadata());
    }
    return rows;
  }

  @Override
  public int columns() {
    return schema.length() - 1;
  }

  @Override
  public List<Integer> ordinalsRead() {
    return indices;
  }

  @Override
  public GatherOperation keeping(List<Integer> kept) {
    StructType columns = GatherOperation.select(schema, kept);
    List<Integer> places = GatherOperation.places(indices, kept);
    return kept.contains(columns())
        ? new GatherRows(params, dtype, shape, how, places, columns, values, need)
        : new CheckedRows(shape, how.indices(), places, columns);
  }

  /** Returns the operation on rows of which more is known. */
  GatherRows with(SliceNeed known) {
    return new GatherRows(params, dtype, shape, how, indices, schema, values, need.and(known));
  }

  /**
   * Whether the index columns of a row are the index of its slice. They are not if indices wrap or
   * are clipped, or if one column gives two dimensions.
   */
  boolean keepsIndices() {
    return how.indices().negative() != NegativeIndices.WRAP
        && !(how.indices().bad() instanceof BadIndices.Clip)
        && indices.stream().distinct().count() == indices.size();
  }

  @Override
  public Optional<SliceOrdinals> tensorTable() {
    return Optional.of(params);
  }

  @Override
  public boolean readsIndices() {
    return need.equals(SliceNeed.UNKNOWN);
  }

  @Override
  public Map<Integer, SliceOrdinals> sliceTables() {
    return Map.of(0, params);
  }

  @Override
  public String argument(int i) {
    return i == 0 ? "params" : "indices";
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    List<String> names = indices.stream().map(SliceOrdinals::name).toList();
    TableTensor tensor = params.over(inputs, dtype, shape, values.missing());
    Gather encoded = values.encoded(how);
    if (need.limit().isPresent()) {
      return TableQuery.gather(tensor, encoded, inputs.second(), names, need.limit().getAsInt());
    }
    return need.slices()
        .filter(any -> indices.size() == params.indices().size())
        .map(few -> TableQuery.gather(tensor, few, encoded, inputs.second(), names))
        .orElseGet(() -> TableQuery.gather(tensor, encoded, inputs.second(), names));
  }

  @Override
  public double bytes(List<Double> tables) {
    StructType rows = new StructType(java.util.Arrays.copyOf(schema.fields(), schema.length() - 1));
    double slice = PlannedSizes.bytes(dtype, shape.from(Math.min(shape.rank(), indices.size())));
    double all = tables.get(1) * (1 + slice / Math.max(1, rows.defaultSize()));
    return need.limit().isPresent()
        ? Math.min(all, need.most() * (PlannedSizes.ROW_BYTES + rows.defaultSize() + slice))
        : all;
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    String[] columns = schema.fieldNames();
    return CallText.of("gather_nd")
            .with("params", values.elements(dtype) + shape)
            .with("index_columns", indices.stream().map(i -> columns[i]).toList())
            .with(how.indices())
            .toString()
        + need;
  }
}
