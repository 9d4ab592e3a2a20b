/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.TrainedRows;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.feature.Word2Vec;
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
 * with a tree of words (hierarchical softmax) instead of noise.
 */
public final class Word2VecRival {
  private Word2VecRival() {}

  /**
   * Trains it.
   *
   * @param rounds of walks, one from each node
   * @param partitions that learn side by side, and are averaged at the end of a round
   * @return a row for each node
   */
  public static TrainedRows train(
      SparkSession spark, SkipGrams skipGrams, int rounds, int dim, int partitions) {
    Word2Vec word2Vec =
        new Word2Vec()
            .setInputCol("walk")
            .setVectorSize(dim)
            .setWindowSize(skipGrams.window())
            .setMinCount(0)
            .setNumPartitions(partitions)
            .setSeed(skipGrams.walks().seed());
    Dataset<Row> walks = walks(spark, skipGrams, rounds);
    return vectors(word2Vec.fit(walks).getVectors(), skipGrams.walksPerRound(), dim);
  }

  /** The walks that {@link SkipGrams} makes pairs of, one a row. */
  static Dataset<Row> walks(SparkSession spark, SkipGrams skipGrams, int rounds) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    var shared = context.broadcast(skipGrams.walks());
    int nodes = skipGrams.walksPerRound();
    StructType type =
        new StructType().add("walk", new ArrayType(DataTypes.StringType, false), false);
    return spark.createDataFrame(
        spark
            .range((long) rounds * nodes)
            .as(Encoders.LONG())
            .javaRDD()
            .map(i -> sentence(shared.value().walk(i / nodes, (int) (i % nodes)))),
        type);
  }

  private static Row sentence(int[] walk) {
    return RowFactory.create((Object) Arrays.stream(walk).mapToObj(Integer::toString).toArray());
  }

  private static TrainedRows vectors(Dataset<Row> words, int nodes, int dim) {
    float[] values = new float[nodes * dim];
    List<Row> rows = words.collectAsList();
    for (Row row : rows) {
      int node = Integer.parseInt(row.getString(0));
      double[] vector = ((Vector) row.get(1)).toArray();
      for (int d = 0; d < dim; d++) {
        values[node * dim + d] = (float) vector[d];
      }
    }
    return new TrainedRows(values, dim);
  }
}
