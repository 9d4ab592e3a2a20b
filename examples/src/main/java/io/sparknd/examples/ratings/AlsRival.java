/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.examples.support.TrainedRows;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Spark MLlib's alternating least squares.
 *
 * @param rank factors per user and item
 * @param decay the regularization of a row per rating, as in {@link MatrixFactors}
 * @param rounds iterations, each of which solves for both sides in turn
 */
public record AlsRival(int rank, double decay, int rounds) {
  private static final StructType TYPE =
      new StructType()
          .add("user", DataTypes.IntegerType, false)
          .add("item", DataTypes.IntegerType, false)
          .add("rating", DataTypes.FloatType, false);

  /** Trains the model on the ratings of the step function. */
  public ALSModel train(SparkSession spark, JavaRDD<Ratings> ratings) {
    return new ALS()
        .setUserCol("user")
        .setItemCol("item")
        .setRatingCol("rating")
        .setRank(rank)
        .setRegParam(decay)
        .setMaxIter(rounds)
        .setNumBlocks(spark.sparkContext().defaultParallelism())
        .setSeed(1)
        .fit(spark.createDataFrame(ratings.flatMap(AlsRival::rows), TYPE));
  }

  private static Iterator<Row> rows(Ratings batch) {
    return IntStream.range(0, batch.count())
        .mapToObj(i -> RowFactory.create(batch.users()[i], batch.items()[i], batch.values()[i]))
        .iterator();
  }

  /**
   * Returns the factors of users, then items, as rows of a table; rows without ratings are zero.
   */
  public TrainedRows rows(ALSModel model, int users, int items) {
    float[] values = new float[(users + items) * rank];
    put(model.userFactors(), 0, values);
    put(model.itemFactors(), users, values);
    return new TrainedRows(values, rank);
  }

  private void put(Dataset<Row> factors, int first, float[] values) {
    for (Row row : factors.select("id", "features").collectAsList()) {
      List<Float> features = row.getList(1);
      for (int k = 0; k < rank; k++) {
        values[(first + row.getInt(0)) * rank + k] = features.get(k);
      }
    }
  }
}
