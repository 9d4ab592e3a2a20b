/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BatchShuffle.Order;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Tuple2;

/** Tests that output of map tasks outlives an executor that is decommissioned. */
@Tag("slow")
class ShuffleMigrationTest {
  private static final int MAPS = 6;
  private static final int PARTITIONS = 5;

  /** Floats of a batch; the first and second task send more than is kept in memory. */
  private static int floats(int map) {
    return map < 2 ? 2_000_000 : 1000;
  }

  private static Tuple2<BatchKey, ShuffleBatch> batch(int map, int number) {
    SplittableRandom random = new SplittableRandom(100 * map + number);
    float[] values = new float[floats(map)];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 2 == 0 ? 0 : (float) random.nextDouble();
    }
    return new Tuple2<>(
        new BatchKey(number % (PARTITIONS - 1), map, number),
        new ShuffleBatch(Storage.FLOAT, 1, new long[] {number}, null, values, values.length));
  }

  private static Iterator<Tuple2<BatchKey, ShuffleBatch>> batches(int map, LongAccumulator runs) {
    runs.add(1);
    return IntStream.range(0, 9).mapToObj(number -> batch(map, number)).iterator();
  }

  private static boolean isSent(Tuple2<BatchKey, ShuffleBatch> received) {
    BatchKey key = received._1();
    Tuple2<BatchKey, ShuffleBatch> sent = batch(key.source(), key.sequence());
    return key.equals(sent._1())
        && Arrays.equals((float[]) received._2().payload(), (float[]) sent._2().payload());
  }

  @Test
  void outputsOfADecommissionedExecutorAreReadWhereTheyWereMoved() throws Exception {
    Map<String, String> settings =
        Map.of(
            "spark.decommission.enabled", "true",
            "spark.storage.decommission.enabled", "true",
            "spark.storage.decommission.shuffleBlocks.enabled", "true",
            "spark.storage.decommission.replicationReattemptInterval", "1s");
    try (LocalCluster cluster = LocalCluster.start(settings)) {
      String first = cluster.processes().keySet().iterator().next();
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(cluster.session().sparkContext());
      LongAccumulator runs = spark.sc().longAccumulator();
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled =
          BatchShuffle.shuffle(
              spark
                  .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
                  .mapPartitions(map -> batches(map.next(), runs)),
              PARTITIONS,
              Storage.FLOAT,
              Order.AS_SENT);
      MapStage.run(shuffled);
      decommission(cluster, first);
      assertThat(shuffled.map(ShuffleMigrationTest::isSent).collect())
          .hasSize(9 * MAPS)
          .containsOnly(true);
      assertThat(runs.value()).isEqualTo(MAPS);
    }
  }

  private static void decommission(LocalCluster cluster, String executor)
      throws InterruptedException {
    CountDownLatch removed = new CountDownLatch(1);
    cluster
        .session()
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
                if (event.executorId().equals(executor)) {
                  removed.countDown();
                }
              }
            });
    CoarseGrainedSchedulerBackend backend =
        (CoarseGrainedSchedulerBackend) cluster.session().sparkContext().schedulerBackend();
    backend.decommissionExecutor(
        executor, new ExecutorDecommissionInfo("a test", Option.empty()), false, false);
    assertThat(removed.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
