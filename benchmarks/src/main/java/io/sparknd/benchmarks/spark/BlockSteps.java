/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Steps on an RDD with one array of rows a partition, to which every task adds broadcast updates.
 *
 * @param step the updates
 */
record BlockSteps(JavaSparkContext spark, StepRows step) implements StepForm<JavaRDD<float[][]>> {
  @Override
  public String name() {
    return "RDD of arrays of rows, broadcast updates";
  }

  /** Row {@code r} is in partition {@code r % OWNERS}, where its place is {@code r / OWNERS}. */
  @Override
  public JavaRDD<float[][]> first() {
    int rows = step.rows();
    int owners = EmptyShuffle.OWNERS;
    return kept(
        spark
            .parallelize(IntStream.range(0, owners).boxed().toList(), owners)
            .map(
                owner ->
                    IntStream.iterate(owner, row -> row < rows, row -> row + owners)
                        .mapToObj(row -> StepRows.ones())
                        .toArray(float[][]::new)));
  }

  @Override
  public JavaRDD<float[][]> next(JavaRDD<float[][]> table) {
    Broadcast<Map<Long, float[]>> totals = spark.broadcast(step.totals());
    return kept(
        table.mapPartitionsWithIndex(
            (owner, blocks) ->
                List.<float[][]>of(added(blocks.next(), owner, totals.value())).iterator(),
            true));
  }

  /** Shares the rows without updates. */
  private static float[][] added(float[][] block, int owner, Map<Long, float[]> totals) {
    float[][] result = block.clone();
    totals.forEach(
        (row, total) -> {
          if (row % EmptyShuffle.OWNERS == owner) {
            int place = Math.toIntExact(row / EmptyShuffle.OWNERS);
            result[place] = StepRows.added(block[place], total);
          }
        });
    return result;
  }

  private static JavaRDD<float[][]> kept(JavaRDD<float[][]> blocks) {
    JavaRDD<float[][]> cached = blocks.cache();
    cached.count();
    return cached;
  }

  @Override
  public double sum(JavaRDD<float[][]> table) {
    return table
        .mapToDouble(
            block -> {
              double sum = 0;
              for (float[] row : block) {
                sum += StepRows.sumOf(row);
              }
              return sum;
            })
        .sum();
  }

  @Override
  public void free(JavaRDD<float[][]> table) {
    table.unpersist(true);
  }
}
