/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/** The columns of predictions, and the bounds of their values. */
final class PredictionColumns {
  static final String LABEL = "label";
  static final String SCORE = "score";
  static final String QUERY = "query";
  private static final Set<DataType> QUERY_TYPES =
      Set.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.StringType);

  private PredictionColumns() {}

  /**
   * Returns column {@code name} as float64.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is missing or neither numeric nor boolean
   */
  static Column number(Dataset<Row> predictions, String name) {
    DataType type = type(predictions, name);
    if (!(type instanceof NumericType) && !(type instanceof BooleanType)) {
      throw TrainingErrors.predictionType(name, type.simpleString(), "numbers or booleans");
    }
    return column(predictions, name).cast(DataTypes.DoubleType).as(name);
  }

  /**
   * Returns the column of queries.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is missing or has neither integers nor strings
   */
  static Column query(Dataset<Row> predictions) {
    DataType type = type(predictions, QUERY);
    if (!QUERY_TYPES.contains(type)) {
      throw TrainingErrors.predictionType(QUERY, type.simpleString(), "integers or strings");
    }
    return column(predictions, QUERY).as(QUERY);
  }

  private static DataType type(Dataset<Row> predictions, String name) {
    return predictions.schema().apply(ordinal(predictions, name)).dataType();
  }

  private static Column column(Dataset<Row> predictions, String name) {
    return SqlNames.column(predictions.columns()[ordinal(predictions, name)]);
  }

  private static int ordinal(Dataset<Row> predictions, String name) {
    return ColumnNameMatcher.in(predictions).ordinal(predictions.columns(), name);
  }

  /**
   * Returns whether the label at {@code label} is 1; its score at {@code score} must have an order.
   */
  static boolean isPositive(Row row, int label, int score) {
    boolean isOrdered = !row.isNullAt(score) && !Double.isNaN(row.getDouble(score));
    if (!isOrdered || !isBinary(row, label)) {
      throw TrainingErrors.badPrediction(
          String.valueOf(row.get(label)),
          String.valueOf(row.get(score)),
          "labels must be 0 or 1, and scores neither null nor NaN");
    }
    return row.getDouble(label) == 1;
  }

  static boolean isBinary(Row row, int label) {
    return !row.isNullAt(label) && (row.getDouble(label) == 0 || row.getDouble(label) == 1);
  }
}
