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
 * Spark MLlib's Word2Vec with walks as sentences and nodes as words: skip-gram with hierarchical
 * softmax instead of negative sampling. The driver holds all vectors, sends them to every task and
 * collects them again.
 *
 * @param skipGrams provides the walks and the window
 * @param rounds rounds of walks, one from each node per round
 * @param dim the length of vectors
 * @param partitions partitions that train in parallel and are then averaged
 */
record Word2VecBaseline(SkipGrams skipGrams, int rounds, int dim, int partitions) {
  private static final StructType TYPE =
      new StructType().add("walk", new ArrayType(DataTypes.StringType, false), false);

  /** Trains the model. */
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

  /** Returns the walks that {@link SkipGrams} generates pairs from, one per row. */
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

  /** Returns the vectors as rows of a table; nodes on no walk have zeros. */
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
