/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The arguments of procedures that say what a tensor table is. */
final class TensorArguments {
  private TensorArguments() {}

  private static final DataType TEXTS =
      DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType);

  /**
   * Returns the parameters of a procedure that makes a tensor table.
   *
   * @param sizes parameters for the size of blocks
   */
  static TensorProcedureParameter[] of(
      TensorProcedureParameter table, TensorProcedureParameter... sizes) {
    List<TensorProcedureParameter> all = new ArrayList<>();
    all.add(table);
    all.addAll(
        List.of(
            TensorProcedureParameter.required(
                "dtype", DataTypes.StringType, "dtype of the elements, such as 'float32'"),
            TensorProcedureParameter.shape(
                TensorProcedureParameter.Need.REQUIRED, "shape of the tensor"),
            TensorProcedureParameter.string(
                "layout",
                "storage of a slice: 'array' (default), 'binary', or 'columns' (one column for "
                    + "each element)"),
            TensorProcedureParameter.columns(
                "index_columns", "column names, outermost dimension first; default i0"),
            TensorProcedureParameter.columns(
                "value_columns", "column name, or several with layout 'columns'; default value"),
            TensorProcedureParameter.integer(
                "index_depth", "number of index columns i0, i1, ...; default 1"),
            TensorProcedureParameter.element(
                "fill", "value of rows never written; default 0, false or ''")));
    all.addAll(List.of(sizes));
    all.add(TensorProcedureParameter.optional("properties", TEXTS, "further table properties"));
    all.add(
        TensorProcedureParameter.optional(
            "feature_fills",
            TEXTS,
            "with layout 'columns': fill values of single value columns, by name"));
    return all.toArray(TensorProcedureParameter[]::new);
  }

  /**
   * Returns the specification of a call, without the size of blocks.
   *
   * @throws io.sparknd.tensor.SparkNdException if arguments are missing or contradict each other
   */
  static TensorSpec spec(ProcedureCall call) {
    DType dtype = DType.named(call.required("dtype"));
    Shape shape =
        call.shape().orElseThrow(() -> SqlErrors.argumentMissing(call.procedure(), "shape"));
    ValueLayout layout = call.string("layout").map(ValueLayout::named).orElse(ValueLayout.ARRAY);
    return new TensorSpec(
        dtype,
        shape,
        indexColumns(call, shape),
        layout,
        call.columns("value_columns").orElse(List.of("value")),
        call.element("fill", dtype),
        call.elements("feature_fills", dtype),
        Optional.empty(),
        Optional.empty(),
        call.texts("properties"));
  }

  private static List<String> indexColumns(ProcedureCall call, Shape shape) {
    Optional<List<String>> named = call.columns("index_columns");
    Optional<Long> depth = call.integer("index_depth");
    if (named.isPresent()) {
      if (depth.isPresent() && depth.get() != named.get().size()) {
        throw TableErrors.indexColumnsAndDepth(named.get(), depth.get());
      }
      return named.get();
    }
    long columns = depth.orElse(1L);
    if (columns < 1 || columns > shape.rank()) {
      throw TableErrors.tableDepth(shape, columns);
    }
    return IntStream.range(0, (int) columns).mapToObj(d -> "i" + d).toList();
  }
}
