/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Steps on an RDD of rows: a join with updates that are partitioned as the rows are.
 *
 * @param step the updates
 */
record PairSteps(JavaSparkContext spark, StepRows step)
    implements StepForm<JavaPairRDD<Long, float[]>> {
  private static final HashPartitioner OWNERS = new HashPartitioner(EmptyShuffle.OWNERS);

  @Override
  public String name() {
    return "RDD of rows, leftOuterJoin";
  }

  @Override
  public JavaPairRDD<Long, float[]> first() {
    int rows = step.rows();
    int owners = EmptyShuffle.OWNERS;
    return kept(
        spark
            .parallelize(IntStream.range(0, owners).boxed().toList(), owners)
            .flatMapToPair(
                owner ->
                    IntStream.iterate(owner, row -> row < rows, row -> row + owners)
                        .mapToObj(row -> new Tuple2<>((long) row, StepRows.ones()))
                        .iterator())
            .partitionBy(OWNERS));
  }

  @Override
  public JavaPairRDD<Long, float[]> next(JavaPairRDD<Long, float[]> table) {
    Map<Long, float[]> totals = step.totals();
    JavaPairRDD<Long, float[]> updates =
        spark
            .parallelizePairs(
                totals.entrySet().stream()
                    .map(e -> new Tuple2<>(e.getKey(), e.getValue()))
                    .toList(),
                EmptyShuffle.SOURCES)
            .partitionBy(OWNERS);
    return kept(
        table
            .leftOuterJoin(updates)
            .mapValues(
                both ->
                    both._2().isPresent()
                        ? StepRows.added(both._1(), both._2().get())
                        : both._1()));
  }

  private static JavaPairRDD<Long, float[]> kept(JavaPairRDD<Long, float[]> rows) {
    JavaPairRDD<Long, float[]> cached = rows.cache();
    cached.count();
    return cached;
  }

  @Override
  public double sum(JavaPairRDD<Long, float[]> table) {
    return table.values().mapToDouble(StepRows::sumOf).sum();
  }

  @Override
  public void free(JavaPairRDD<Long, float[]> table) {
    table.unpersist(true);
  }
}
