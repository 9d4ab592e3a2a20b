/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.examples.support.TrainedRows;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Spark MLlib's factorisation machine. All weights and gradients are one dense vector, which is
 * sent from the driver to every task and back in each step.
 *
 * @param features the number of features of all fields
 * @param factors factors per feature
 * @param steps training steps
 * @param share the share of examples per step
 */
public record FmRival(int features, int factors, int steps, double share) {
  private static final double RATE = 0.1;

  private static final StructType TYPE =
      new StructType()
          .add("label", DataTypes.DoubleType, false)
          .add("features", SQLDataTypes.VectorType(), false);

  /** Trains the model on the examples of the step function. */
  public FMClassificationModel train(SparkSession spark, JavaRDD<Clicks> clicks) {
    int size = features;
    JavaRDD<Row> rows = clicks.flatMap(batch -> rows(batch, size));
    return new FMClassifier()
        .setFactorSize(factors)
        .setMaxIter(steps)
        .setMiniBatchFraction(share)
        .setStepSize(RATE)
        .setSeed(1)
        .fit(spark.createDataFrame(rows, TYPE));
  }

  private static Iterator<Row> rows(Clicks batch, int features) {
    double[] ones = new double[batch.fields()];
    Arrays.fill(ones, 1);
    return IntStream.range(0, batch.count())
        .mapToObj(
            i ->
                RowFactory.create(
                    batch.clicked()[i] ? 1.0 : 0.0,
                    Vectors.sparse(features, featuresOf(batch, i), ones)))
        .iterator();
  }

  private static int[] featuresOf(Clicks batch, int example) {
    int first = example * batch.fields();
    return Arrays.copyOfRange(batch.features(), first, first + batch.fields());
  }

  /** Converts the model to rows of the table of {@link FactorizationMachine}. */
  public TrainedRows rows(FMClassificationModel model) {
    int dim = 1 + factors;
    float[] values = new float[(features + 1) * dim];
    for (int feature = 0; feature < features; feature++) {
      values[feature * dim] = (float) model.linear().apply(feature);
      for (int k = 0; k < factors; k++) {
        values[feature * dim + 1 + k] = (float) model.factors().apply(feature, k);
      }
    }
    values[features * dim] = (float) model.intercept();
    return new TrainedRows(values, dim);
  }
}
