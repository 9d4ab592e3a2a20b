/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * What a step takes at least if the messages of a training are those of Spark's shuffle: a job of
 * two stages, whose tasks exchange as many bytes as a step has rows and gradients. It has half of
 * the shuffles of a step, computes nothing, and changes no table.
 */
final class FmExchange implements SparkPeer {
  private static final int PARTITIONS = FmTraining.PARTITIONS;

  private final JavaSparkContext context;
  private final int steps;
  private final int bytes;

  FmExchange(SparkSession spark, FmSetup setup) {
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.steps = setup.steps();
    this.bytes = Math.toIntExact(rows(setup.data()) / PARTITIONS * setup.dim() * Float.BYTES);
  }

  /** Returns the rows that a shard asks for in a step: the mean, rounded down. */
  private static long rows(FmData data) {
    long rows =
        IntStream.range(0, PARTITIONS)
            .boxed()
            .flatMap(shard -> data.part(shard, PARTITIONS).stream())
            .mapToLong(batch -> Arrays.stream(batch.features()).distinct().count())
            .sum();
    return rows / data.batches() / PARTITIONS;
  }

  @Override
  public String name() {
    return "Spark's shuffle of the same bytes";
  }

  @Override
  public Role role() {
    return Role.FLOOR;
  }

  @Override
  public void run() {
    for (int step = 0; step < steps; step++) {
      messages().partitionBy(new HashPartitioner(PARTITIONS)).foreach(message -> {});
    }
  }

  /** From each shard, to each partition: rows and gradients. */
  private JavaPairRDD<Integer, byte[]> messages() {
    int size = bytes;
    return context
        .parallelize(IntStream.range(0, PARTITIONS).boxed().toList(), PARTITIONS)
        .flatMapToPair(
            shard ->
                IntStream.range(0, PARTITIONS)
                    .boxed()
                    .flatMap(to -> List.of(message(to, size), message(to, size)).stream())
                    .iterator());
  }

  private static Tuple2<Integer, byte[]> message(int partition, int size) {
    return new Tuple2<>(partition, Payload.of(size));
  }

  @Override
  public OptionalLong answer() {
    return OptionalLong.empty();
  }

  /** Bytes that Spark cannot compress, made once per executor. */
  private static final class Payload {
    private static byte[] bytes = new byte[0];

    private Payload() {}

    static synchronized byte[] of(int size) {
      if (bytes.length != size) {
        bytes = new byte[size];
        new SplittableRandom(size).nextBytes(bytes);
      }
      return bytes;
    }
  }
}
