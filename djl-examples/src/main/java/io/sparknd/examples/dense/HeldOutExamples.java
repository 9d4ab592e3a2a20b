/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Examples that no training sees.
 *
 * @param positive whether each example is positive
 * @param truth scores of the planted model
 */
record HeldOutExamples<B>(B examples, boolean[] positive, float[] truth) {
  private static final StructType COLUMNS =
      new StructType().add("label", DataTypes.BooleanType).add("score", DataTypes.FloatType);

  /** Returns the examples' labels with scores. */
  Dataset<Row> predictions(SparkSession spark, float[] scores) {
    List<Row> rows =
        IntStream.range(0, scores.length)
            .mapToObj(i -> RowFactory.create(positive[i], scores[i]))
            .toList();
    return spark.createDataFrame(rows, COLUMNS);
  }
}
