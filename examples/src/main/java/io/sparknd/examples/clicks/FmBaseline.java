/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.apache.spark.ml.functions.vector_to_array;
import static org.apache.spark.sql.functions.col;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Spark MLlib's factorisation machine. All weights and gradients are one dense vector, which is
 * sent from the driver to every task and back in each step. Keys are therefore hashed to buckets.
 *
 * @param buckets the length of a vector of features
 * @param factors factors per feature
 * @param steps training steps
 * @param share the share of examples per step
 */
public record FmBaseline(int buckets, int factors, int steps, double share) {
  private static final double RATE = 0.1;

  private static final StructType TYPE =
      new StructType()
          .add("label", DataTypes.IntegerType, false)
          .add("features", SQLDataTypes.VectorType(), false);

  /**
   * Trains the model.
   *
   * @param clicks {@code label} and {@code features}, which are keys
   */
  public FMClassificationModel train(Dataset<Row> clicks) {
    return new FMClassifier()
        .setFactorSize(factors)
        .setMaxIter(steps)
        .setMiniBatchFraction(share)
        .setStepSize(RATE)
        .setSeed(1)
        .fit(vectors(clicks));
  }

  /** Returns {@code label} and {@code score}, the probability of a click. */
  public Dataset<Row> predictions(FMClassificationModel model, Dataset<Row> clicks) {
    return model
        .transform(vectors(clicks))
        .select(
            col("label"), vector_to_array(col("probability"), "float64").getItem(1).as("score"));
  }

  private Dataset<Row> vectors(Dataset<Row> clicks) {
    int size = buckets;
    return clicks
        .sparkSession()
        .createDataFrame(
            clicks
                .select("label", "features")
                .javaRDD()
                .map(row -> RowFactory.create(row.getInt(0), vector(row.getList(1), size))),
            TYPE);
  }

  private static Vector vector(List<Long> keys, int size) {
    int[] buckets =
        keys.stream()
            .mapToInt(key -> (int) Math.floorMod(key, (long) size))
            .sorted()
            .distinct()
            .toArray();
    double[] ones = new double[buckets.length];
    Arrays.fill(ones, 1);
    return Vectors.sparse(size, buckets, ones);
  }
}
