/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BatchShuffle.Order;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tests that batches pass from task to task in the memory of one JVM. */
class LocalMapOutputsTest {
  private static final int MAPS = 3;
  private static final String DONE = "computed again";
  private static final int PARTITIONS = 4;
  private static final AtomicInteger runs = new AtomicInteger();

  /** Batches that were made, by key and the number of their map task. */
  private static final ConcurrentHashMap<List<Integer>, ShuffleBatch> made =
      new ConcurrentHashMap<>();

  /** Batches to partitions 0 to 2, in descending order of keys. */
  private static Iterator<Tuple2<BatchKey, ShuffleBatch>> batches() {
    runs.incrementAndGet();
    int map = TaskContext.getPartitionId();
    List<Tuple2<BatchKey, ShuffleBatch>> batches = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      BatchKey key = new BatchKey(i % 3, 10 - i, map);
      float[] values = {map, i};
      ShuffleBatch batch = new ShuffleBatch(Storage.FLOAT, 1, new long[] {i}, null, values, 2);
      made.put(List.of(key.partition(), key.source(), map), batch);
      batches.add(new Tuple2<>(key, batch));
    }
    return batches.iterator();
  }

  private static JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled(Order order) {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> sent =
        spark.parallelize(List.of(0, 1, 2), MAPS).mapPartitions(numbers -> batches());
    return BatchShuffle.inMemory(sent, PARTITIONS, Storage.FLOAT, order);
  }

  /** Returns the keys of each partition. */
  private static List<List<BatchKey>> keys(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled) {
    return shuffled.map(Tuple2::_1).glom().collect();
  }

  /** Checks that batches are the ones that were sent, not copies. */
  private static void assertByReference(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled) {
    shuffled.foreach(
        batch -> {
          BatchKey key = batch._1();
          List<Integer> name = List.of(key.partition(), key.source(), key.sequence());
          assertThat(batch._2()).isSameAs(made.get(name));
        });
  }

  @Test
  void everyPartitionReceivesItsBatchesInOrder() {
    runs.set(0);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.AS_SENT);
    assertThat(MapStage.run(shuffled)).isPositive();
    for (int attempt = 0; attempt < 2; attempt++) {
      List<List<BatchKey>> keys = keys(shuffled);
      assertThat(keys).hasSize(PARTITIONS);
      assertThat(keys.get(3)).isEmpty();
      for (int partition = 0; partition < 3; partition++) {
        int number = partition;
        assertThat(keys.get(partition)).hasSize(2 * MAPS).isSorted();
        assertThat(keys.get(partition)).allMatch(key -> key.partition() == number);
      }
    }
    assertByReference(shuffled);
    assertThat(runs).hasValue(MAPS);
    LocalMapOutputs.release(shuffled);
  }

  @Test
  void theOrderOfArrivalIsThatOfMapTasks() {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.ANY);
    assertThat(keys(shuffled).get(1)).hasSize(2 * MAPS);
    LocalMapOutputs.release(shuffled);
  }

  private static volatile CountDownLatch started = new CountDownLatch(1);
  private static volatile CountDownLatch goOn = new CountDownLatch(0);

  private static Iterator<Tuple2<BatchKey, ShuffleBatch>> lateBatches() throws Exception {
    started.countDown();
    goOn.await();
    return batches();
  }

  /** As of a job that failed or was cancelled, whose other tasks still run. */
  @Test
  void tasksThatEndAfterTheReleaseWriteFiles() {
    int before = LocalMapOutputs.shuffles();
    started = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled =
        BatchShuffle.inMemory(
            spark.parallelize(List.of(0, 1, 2), MAPS).mapPartitions(numbers -> lateBatches()),
            PARTITIONS,
            Storage.FLOAT,
            Order.AS_SENT);
    MapStage.runDuring(
        shuffled,
        () -> {
          releaseDuringTasks(shuffled);
          return shuffled;
        });
    assertThat(LocalMapOutputs.shuffles()).isEqualTo(before);
    assertThat(shuffled.count()).isEqualTo(6 * MAPS);
  }

  private static void releaseDuringTasks(JavaRDD<?> shuffled) {
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    LocalMapOutputs.release(shuffled);
    goOn.countDown();
  }

  /**
   * To Spark they are lost files, and with a lost file it forgets the blocks of this JVM. In local
   * mode they cannot be registered again, so this runs in another JVM.
   */
  @Test
  @Tag("slow")
  void outputsThatWereReleasedAreComputedAgain() throws Exception {
    ForkedJvm run =
        ForkedJvm.runForSpark(
            List.of("-cp", System.getProperty("java.class.path"), Released.class.getName()));
    assertThat(run.output()).contains(DONE);
    assertThat(run.exit()).isZero();
  }

  /** The program of the other JVM. */
  static final class Released {
    private Released() {}

    public static void main(String[] arguments) {
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.AS_SENT);
      List<List<BatchKey>> keys = keys(shuffled);
      assertThat(LocalMapOutputs.shuffles()).isEqualTo(1);
      LocalMapOutputs.release(shuffled);
      assertThat(LocalMapOutputs.shuffles()).isZero();
      runs.set(0);
      assertThat(keys(shuffled)).isEqualTo(keys);
      assertThat(runs).hasValueGreaterThanOrEqualTo(MAPS);
      System.out.println(DONE);
      LocalSpark.session().stop();
    }
  }
}
