/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.first;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code check}: reports the rows that make a table invalid as a tensor, one result
 * row per problem.
 */
final class CheckProcedure extends TensorProcedure {
  /** Internal column name, reserved by a prefix. */
  private static final String COUNT = "__sparknd_count";

  private static final StructType SCHEMA =
      StructType.fromDDL("problem string, rows bigint, example string");

  CheckProcedure() {
    super(
        "check",
        "finds rows that are invalid for a tensor: nulls, bad indices, wrong lengths, "
            + "duplicates",
        TensorProcedureParameter.TABLE,
        ProcedureTable.SHAPE);
  }

  @Override
  Output run(SparkSession spark, ProcedureCall call) {
    ProcedureTable table = ProcedureTable.of(spark, call);
    List<Row> found = new ArrayList<>();
    Dataset<Row> rows = table.rows();
    Column index = index(table);
    addIfAny(found, "null index", rows.where(anyNull(table)), index);
    addIfAny(
        found,
        "index out of bounds",
        rows.where(not(anyNull(table)).and(not(inBounds(table)))),
        index);
    addIfAny(found, "null or length of value", rows.where(not(table.isWhole())), index);
    Column[] columns =
        table.indexColumns().stream().map(ProcedureTable::named).toArray(Column[]::new);
    Dataset<Row> repeated =
        rows.groupBy(columns).agg(count(lit(1)).as(COUNT)).where(col(COUNT).gt(1));
    addIfAny(found, "slice named more than once", repeated, index);
    return new Output(SCHEMA, found);
  }

  private static Column index(ProcedureTable table) {
    return to_json(
        struct(table.indexColumns().stream().map(ProcedureTable::named).toArray(Column[]::new)));
  }

  private static void addIfAny(List<Row> found, String problem, Dataset<Row> rows, Column index) {
    Row counted = rows.agg(count(lit(1)), first(index)).head();
    if (counted.getLong(0) > 0) {
      found.add(RowFactory.create(problem, counted.getLong(0), counted.getString(1)));
    }
  }

  private static Column anyNull(ProcedureTable table) {
    return table.indexColumns().stream()
        .map(column -> ProcedureTable.named(column).isNull())
        .reduce(lit(false), Column::or);
  }

  private static Column inBounds(ProcedureTable table) {
    Column all = lit(true);
    for (int d = 0; d < table.indexColumns().size(); d++) {
      Column column = ProcedureTable.named(table.indexColumns().get(d));
      all = all.and(column.geq(0)).and(column.lt(table.outer().dim(d)));
    }
    return all;
  }
}
