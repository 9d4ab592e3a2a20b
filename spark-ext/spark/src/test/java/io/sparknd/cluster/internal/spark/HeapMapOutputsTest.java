/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BatchShuffle.Order;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tests map outputs that stay in the heap while there is room. */
class HeapMapOutputsTest {
  private static final int MAPS = 3;
  private static final int PARTITIONS = 4;
  private static final AtomicInteger runs = new AtomicInteger();

  /** Batches that were made. */
  private static final Set<ShuffleBatch> made = ConcurrentHashMap.newKeySet();

  private final JavaSparkContext spark =
      JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

  @BeforeEach
  void setUp() throws InterruptedException {
    runs.set(0);
    made.clear();
    awaitNoOutputs();
  }

  @AfterEach
  void outputsEndWithTheirShuffle() throws InterruptedException {
    awaitNoOutputs();
  }

  /** Outputs are removed once their shuffle is garbage, shortly after a collection. */
  private static void awaitNoOutputs() throws InterruptedException {
    for (int attempt = 0; HeapMapOutputs.bytes() > 0 && attempt < 100; attempt++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(HeapMapOutputs.bytes()).isZero();
  }

  /** Sends two batches to each of the partitions 0 to 2, in descending order of keys. */
  private static Iterator<Tuple2<BatchKey, ShuffleBatch>> batches(int map, float[] room) {
    runs.incrementAndGet();
    List<Tuple2<BatchKey, ShuffleBatch>> batches = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      BatchKey key = new BatchKey(i % 3, 10 - i, map);
      float[] values = room.length == 0 ? new float[] {map, i} : room;
      ShuffleBatch batch = new ShuffleBatch(Storage.FLOAT, 1, new long[] {i}, null, values, 2);
      made.add(batch);
      batches.add(new Tuple2<>(key, batch));
    }
    return batches.iterator();
  }

  /**
   * Returns a shuffle whose batches have a few bytes, in arrays that take more of the heap.
   *
   * @param floats for each map task, how long its arrays are; 0 for arrays of their own
   */
  private JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled(Order order, int... floats) {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> sent =
        spark
            .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
            .mapPartitions(
                numbers -> {
                  int map = TaskContext.getPartitionId();
                  return batches(map, new float[floats[map]]);
                });
    return BatchShuffle.byReference(sent, PARTITIONS, Storage.FLOAT, order);
  }

  /** Returns the keys of each partition. */
  private static List<List<BatchKey>> keys(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled) {
    return shuffled.map(Tuple2::_1).glom().collect();
  }

  private static void check(List<List<BatchKey>> keys) {
    assertThat(keys).hasSize(PARTITIONS);
    assertThat(keys.get(3)).isEmpty();
    for (int partition = 0; partition < 3; partition++) {
      int number = partition;
      assertThat(keys.get(partition)).hasSize(2 * MAPS).isSorted();
      assertThat(keys.get(partition)).allMatch(key -> key.partition() == number);
    }
  }

  /** Floats of which six arrays take {@code part} of the heap's room for one map task. */
  private static int floats(double part) {
    return (int) (part * HeapMapOutputs.most() / MAPS / 6 / Float.BYTES);
  }

  private static boolean isByReference(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled) {
    return shuffled.map(batch -> made.contains(batch._2())).reduce(Boolean::logicalAnd);
  }

  @Test
  void smallOutputsPassByReferenceInOrder() {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.AS_SENT, 0, 0, 0);
    assertThat(MapStage.run(shuffled)).isPositive();
    check(keys(shuffled));
    check(keys(shuffled));
    assertThat(isByReference(shuffled)).isTrue();
    assertThat(HeapMapOutputs.bytes()).isPositive();
    assertThat(runs).hasValue(MAPS);
  }

  @Test
  void theOrderOfArrivalIsThatOfMapTasks() {
    List<List<BatchKey>> keys = keys(shuffled(Order.ANY, 0, 0, 0));
    assertThat(keys.get(1).stream().map(BatchKey::sequence)).containsExactly(0, 0, 1, 1, 2, 2);
  }

  @Test
  void outputsOfPartOfThePartitionsAreRead() {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.AS_SENT, 0, 0, 0);
    List<List<BatchKey>> byMap =
        MapOutputs.of(shuffled, new int[] {2, 0}).map(Tuple2::_1).glom().collect();
    assertThat(byMap).hasSize(MAPS);
    for (int map = 0; map < MAPS; map++) {
      int number = map;
      assertThat(byMap.get(map)).allMatch(key -> key.sequence() == number);
      assertThat(byMap.get(map).stream().map(BatchKey::partition)).containsExactly(2, 2, 0, 0);
    }
  }

  /** The second task has too many bytes; the outputs of the others follow it, or are moved. */
  @Test
  void ifOneOutputIsLargeAllAreInFiles() {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled = shuffled(Order.AS_SENT, 8, floats(1.2), 8);
    check(keys(shuffled));
    assertThat(isByReference(shuffled)).isFalse();
    assertThat(HeapMapOutputs.bytes()).isZero();
    assertThat(runs).hasValue(MAPS);
  }

  @Test
  void outputsThatWereReadGiveWayAndAreMadeAgain() {
    JavaRDD<Integer> cached = spark.parallelize(List.of(1, 2, 3), MAPS).cache();
    assertThat(cached.count()).isEqualTo(MAPS);
    int length = floats(0.6);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> first = shuffled(Order.AS_SENT, length, length, length);
    check(keys(first));
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> second =
        shuffled(Order.AS_SENT, length, length, length);
    check(keys(second));
    assertThat(isByReference(second)).isTrue();
    assertThat(HeapMapOutputs.bytes()).isBetween(1L, HeapMapOutputs.most());
    assertThat(runs).hasValue(2 * MAPS);
    check(keys(first));
    assertThat(runs).hasValue(3 * MAPS);
    // Spark forgets blocks of a JVM whose files are lost
    assertThat(LocalSpark.session().sparkContext().getRDDStorageInfo())
        .anyMatch(rdd -> rdd.id() == cached.id() && rdd.numCachedPartitions() == MAPS);
    cached.unpersist();
  }

  @Test
  void outputsThatNobodyReadStay() {
    int length = floats(0.6);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> first = shuffled(Order.AS_SENT, length, length, length);
    MapStage.run(first);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> second =
        shuffled(Order.AS_SENT, length, length, length);
    check(keys(second));
    assertThat(isByReference(second)).isFalse();
    check(keys(first));
    assertThat(isByReference(first)).isTrue();
    assertThat(runs).hasValue(2 * MAPS);
  }
}
