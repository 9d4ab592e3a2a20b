/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.TrainedRows;
import java.util.Arrays;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Word2Vec;
import org.apache.spark.ml.feature.Word2VecModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Spark MLlib's Word2Vec, told that walks are sentences and nodes are words. It is skip-gram, too,
 * with a tree of words (hierarchical softmax) instead of noise. All vectors are on the driver, go
 * to every task and come back.
 *
 * @param skipGrams whose walks and window it has
 * @param rounds of walks, one from each node
 * @param dim of vectors
 * @param partitions that learn side by side and are then averaged
 */
record Word2VecRival(SkipGrams skipGrams, int rounds, int dim, int partitions) {
  private static final StructType TYPE =
      new StructType().add("walk", new ArrayType(DataTypes.StringType, false), false);

  /** Trains it. */
  Word2VecModel train(SparkSession spark) {
    return new Word2Vec()
        .setInputCol("walk")
        .setVectorSize(dim)
        .setWindowSize(skipGrams.window())
        .setMinCount(0)
        .setNumPartitions(partitions)
        .setSeed(skipGrams.walks().seed())
        .fit(walks(spark));
  }

  /** The walks that {@link SkipGrams} makes pairs of, one a row. */
  private Dataset<Row> walks(SparkSession spark) {
    Broadcast<RandomWalks> walks =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(skipGrams.walks());
    int nodes = skipGrams.walksPerRound();
    return spark.createDataFrame(
        spark
            .range((long) rounds * nodes)
            .as(Encoders.LONG())
            .javaRDD()
            .map(number -> sentence(walks.value().walk(number / nodes, (int) (number % nodes)))),
        TYPE);
  }

  private static Row sentence(int[] walk) {
    return RowFactory.create((Object) Arrays.stream(walk).mapToObj(Integer::toString).toArray());
  }

  /** The vectors as rows of a table; zeros for nodes that are on no walk. */
  TrainedRows rows(Word2VecModel model) {
    float[] values = new float[skipGrams.walksPerRound() * dim];
    for (Row word : model.getVectors().collectAsList()) {
      int first = Integer.parseInt(word.getString(0)) * dim;
      double[] vector = ((Vector) word.get(1)).toArray();
      for (int d = 0; d < dim; d++) {
        values[first + d] = (float) vector[d];
      }
    }
    return new TrainedRows(values, dim);
  }
}
