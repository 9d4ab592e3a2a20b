/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.procedure;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.exists;
import static org.apache.spark.sql.functions.first;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;
import static org.apache.spark.sql.functions.when;

import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** {@code check}: the rows of a table that keep it from being a tensor, a row each kind. */
final class CheckProcedure extends TableProcedure {
  CheckProcedure() {
    super("check", StructType.fromDDL("problem string, rows bigint, example string"));
  }

  @Override
  List<Row> run(TensorView table) {
    List<Row> found = new ArrayList<>();
    Dataset<Row> rows = table.rows();
    Column index = index(table);
    addIfAny(found, "null index", rows.where(anyNull(table)), index);
    addIfAny(
        found,
        "index out of bounds",
        rows.where(not(anyNull(table)).and(not(inBounds(table)))),
        index);
    Column value = named(table.valueColumn());
    Column whole =
        isWhole(value, rows.schema().apply(table.valueColumn()).dataType(), table.slice(), 0);
    addIfAny(found, "null or length of value", rows.where(not(whole)), index);
    Column[] columns =
        table.indexColumns().stream().map(CheckProcedure::named).toArray(Column[]::new);
    Dataset<Row> repeated = rows.groupBy(columns).agg(count(lit(1)).as("n")).where(col("n").gt(1));
    addIfAny(found, "slice named more than once", repeated, index);
    return found;
  }

  private static Column named(String column) {
    return col("`" + column.replace("`", "``") + "`");
  }

  private static Column index(TensorView table) {
    return to_json(
        struct(table.indexColumns().stream().map(CheckProcedure::named).toArray(Column[]::new)));
  }

  private static void addIfAny(List<Row> found, String problem, Dataset<Row> rows, Column index) {
    Row counted = rows.agg(count(lit(1)), first(index)).head();
    if (counted.getLong(0) > 0) {
      found.add(RowFactory.create(problem, counted.getLong(0), counted.getString(1)));
    }
  }

  private static Column anyNull(TensorView table) {
    return table.indexColumns().stream()
        .map(column -> named(column).isNull())
        .reduce(lit(false), Column::or);
  }

  private static Column inBounds(TensorView table) {
    Column all = lit(true);
    for (int d = 0; d < table.indexColumns().size(); d++) {
      Column column = named(table.indexColumns().get(d));
      all = all.and(column.geq(0)).and(column.lt(table.outer().dim(d)));
    }
    return all;
  }

  /** Whether a value has all elements of dimensions {@code [axis, rank)}, none of them null. */
  private static Column isWhole(Column value, DataType type, Shape slice, int axis) {
    if (!(type instanceof ArrayType array)) {
      return value.isNotNull();
    }
    boolean flat = !(array.elementType() instanceof ArrayType);
    long length = flat ? slice.from(axis).elements() : slice.dim(axis);
    Column inner =
        not(exists(value, element -> not(isWhole(element, array.elementType(), slice, axis + 1))));
    return when(value.isNull(), lit(false)).otherwise(size(value).equalTo(length).and(inner));
  }
}
