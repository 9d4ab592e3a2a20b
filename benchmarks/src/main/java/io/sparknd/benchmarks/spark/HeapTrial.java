/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.stream.LongStream;
import org.apache.spark.ml.feature.Word2Vec;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Trains every row of a table of 64 weights once, to test whether the heap of this JVM suffices.
 * The exit status is 0 on success.
 */
public final class HeapTrial {
  private static final int WIDTH = 64;
  private static final int SHARDS = 2;
  private static final int ROWS_OF_A_SHARD = 1 << 16;
  private static final int ROWS_OF_A_PARTITION = 1 << 15;
  private static final int WORDS_OF_A_SENTENCE = 100;

  private HeapTrial() {}

  /**
   * @param args {@code sparknd} or {@code mllib}, and the number of rows
   */
  public static void main(String[] args) {
    try {
      train(args[0].equals("sparknd"), Integer.parseInt(args[1]));
      Runtime.getRuntime().halt(0); // Spark's shutdown may hang after an OutOfMemoryError
    } catch (Throwable e) {
      System.err.println(e);
      Runtime.getRuntime().halt(1);
    }
  }

  private static void train(boolean ours, int rows) {
    SparkSession spark = SparkSuite.session();
    spark.sparkContext().setLogLevel("OFF");
    if (ours) {
      sparkNd(spark, rows);
    } else {
      word2Vec(spark, rows);
    }
  }

  /** In each step, each shard trains every second row of the next range. */
  private record EveryRow(int rows) implements StepFunction<long[]> {
    long[] batch(long step, int shard) {
      long first = step * SHARDS * ROWS_OF_A_SHARD + shard;
      return LongStream.range(0, ROWS_OF_A_SHARD)
          .map(i -> (first + i * SHARDS) % rows)
          .distinct()
          .toArray();
    }

    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows got) {
      for (int i = 0; i < got.count() * got.dim(); i++) {
        got.gradients()[i] = got.values()[i] - 1;
      }
      return new Loss(0, batch.length);
    }
  }

  private static void sparkNd(SparkSession spark, int rows) {
    EveryRow every = new EveryRow(rows);
    EmbeddingSpec spec =
        EmbeddingSpec.of(rows, WIDTH, Optimizer.sgd(0.025))
            .withInitializer(Initializer.uniform(-0.01, 0.01, 1))
            .withPartitions(Math.max(8, rows / ROWS_OF_A_PARTITION));
    EmbeddingTable trained =
        EmbeddingTable.create(spark, spec)
            .train(Batches.generated(SHARDS, every::batch), every)
            .steps(-Math.floorDiv(-rows, SHARDS * ROWS_OF_A_SHARD))
            .run()
            .table();
    if (trained.writtenRows() < rows) {
      throw new IllegalStateException(trained.writtenRows() + " rows");
    }
  }

  /** Trains Word2Vec on sentences in which every word occurs once. */
  private static void word2Vec(SparkSession spark, int rows) {
    Dataset<Row> sentences =
        spark
            .range(0, rows / WORDS_OF_A_SENTENCE, 1, SHARDS)
            .selectExpr("transform(sequence(0, 99), i -> string(id * 100 + i)) AS words");
    new Word2Vec()
        .setInputCol("words")
        .setVectorSize(WIDTH)
        .setMinCount(0)
        .setMaxIter(1)
        .setNumPartitions(SHARDS)
        .fit(sentences);
  }
}
