/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.procedure;

import io.sparknd.sql.plan.DatasetQueries;
import io.sparknd.sql.plan.TableShape;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table of the session's catalogs as a tensor, its columns found by convention. */
record TensorView(
    Dataset<Row> rows,
    String elements,
    Shape shape,
    List<String> indexColumns,
    String valueColumn) {

  /**
   * @param table a name, of any number of parts
   * @throws io.sparknd.tensor.SparkNdException if its columns and shape do not go together
   */
  static TensorView of(SparkSession spark, String table, Optional<Shape> shape) {
    Dataset<Row> rows = spark.table(table);
    TableShape found = DatasetQueries.tensor(table, rows, shape);
    return new TensorView(
        rows, found.elements(), found.shape(), found.indexColumns(), found.valueColumn());
  }

  /** The shape that the index columns index into. */
  Shape outer() {
    return shape.first(indexColumns.size());
  }

  Shape slice() {
    return shape.from(indexColumns.size());
  }
}
