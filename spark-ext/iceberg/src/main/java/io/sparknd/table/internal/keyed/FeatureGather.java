/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Adds the values of variables to rows that name keys. */
public record FeatureGather(SparkSession spark, StoredFeatures table, OptionalLong snapshot) {

  /**
   * Returns the rows, in any order, with a column for each variable. A key that was never written
   * has fill values.
   *
   * @param keyColumns columns of {@code rows} with the columns of the key, in their order
   * @param columns ordinals of the variables
   * @param badKeys what happens to rows whose key is NULL or out of bounds: an error, or fill
   *     values
   * @throws io.sparknd.tensor.SparkNdException if such a key is an error
   */
  public Dataset<Row> run(
      Dataset<Row> rows,
      List<String> keyColumns,
      List<Integer> columns,
      StagedFeatures.KeyPolicy badKeys) {
    RowErrors rowErrors = RowErrors.registered(spark, Shape.of());
    StageColumns keyed = StageColumns.ofLookup(table, rows, keyColumns);
    Dataset<Row> located =
        new KeyedRows(table, 0, badKeys)
            .of(spark, keyed, rowErrors, spark.sparkContext().longAccumulator());
    Map<Long, BlockFiles> files = table.files(snapshot.isEmpty() ? null : snapshot.getAsLong());
    int tasks = tasks(files);
    Dataset<Row> shuffled =
        located
            .repartitionById(tasks, expr("CAST(pmod(block, " + tasks + ") AS INT)"))
            .sortWithinPartitions("block", "key");
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    FeatureLookupTask task =
        new FeatureLookupTask(
            context.broadcast(table.forTasks(spark)), context.broadcast(files), columns);
    Dataset<Row> found =
        InternalRows.toDataset(
            spark,
            checked(shuffled, badKeys, rowErrors).mapPartitions(task::run),
            schema(shuffled.schema(), columns));
    return found.select(selected(rows, shuffled.schema().length(), found, columns));
  }

  /** Returns the shuffled rows; if bad keys are errors, runs the map side first. */
  private static JavaRDD<InternalRow> checked(
      Dataset<Row> shuffled, StagedFeatures.KeyPolicy badKeys, RowErrors rowErrors) {
    try {
      JavaRDD<InternalRow> rows = InternalRows.of(shuffled);
      if (badKeys == StagedFeatures.KeyPolicy.ERROR) {
        MapStage.runBefore(rows); // adaptive execution has run it already
        rowErrors.throwFirst();
      }
      return rows;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private int tasks(Map<Long, BlockFiles> files) {
    long cores = spark.sparkContext().defaultParallelism();
    return (int) Math.max(1, Math.max(cores, Math.min(files.size(), 4 * cores)));
  }

  private StructType schema(StructType rows, List<Integer> columns) {
    StructType schema = new StructType();
    StructField[] fields = rows.fields();
    for (int i = 0; i < fields.length; i++) {
      schema = schema.add("c" + i, fields[i].dataType(), fields[i].nullable());
    }
    for (int column : columns) {
      FeatureColumn variable = table.format().columns().get(column);
      schema = schema.add("c" + schema.length(), variable.type().sql(), true);
    }
    return schema;
  }

  /** Returns the rows' own columns by their names, and the variables with their fill values. */
  private Column[] selected(
      Dataset<Row> rows, int width, Dataset<Row> found, List<Integer> columns) {
    String[] names = rows.columns();
    int first = width - names.length;
    List<Column> all = new ArrayList<>();
    IntStream.range(0, names.length).forEach(i -> all.add(col("c" + (first + i)).as(names[i])));
    for (int c = 0; c < columns.size(); c++) {
      FeatureColumn variable = table.format().columns().get(columns.get(c));
      Column value = col(found.columns()[width + c]);
      all.add(
          variable
              .fill()
              .map(fill -> coalesce(value, filled(variable, fill)))
              .orElse(value)
              .as(variable.name()));
    }
    return all.toArray(Column[]::new);
  }

  private static Column filled(FeatureColumn variable, String fill) {
    CellType type = variable.type();
    if (type instanceof CellType.Elements binary && binary.isBinary()) {
      Cells cell = type.allocate(1);
      cell.fill(0, Objects.requireNonNull(variable.fillValue()));
      return lit(cell.value(0));
    }
    if (!(type instanceof CellType.Elements elements) || elements.shape().rank() == 0) {
      return lit(fill).cast(type.sql());
    }
    DataType element = type.sql();
    while (element instanceof ArrayType array) {
      element = array.elementType();
    }
    Column value = lit(fill).cast(element);
    Shape shape = elements.shape();
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      value = functions.array_repeat(value, (int) shape.dim(axis));
    }
    return value;
  }
}
