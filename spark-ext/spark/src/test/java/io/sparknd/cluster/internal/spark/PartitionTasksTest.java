/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests tasks that know their numbers, and tasks that take cached partitions. */
class PartitionTasksTest {
  private static CountDownLatch reading = new CountDownLatch(1);
  private static CountDownLatch goOn = new CountDownLatch(1);
  private static CountDownLatch taken = new CountDownLatch(1);

  private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

  @BeforeEach
  void reset() {
    reading = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    taken = new CountDownLatch(1);
  }

  /** Returns a cached partition of an array, which tasks in local mode share. */
  private JavaRDD<int[]> cached(StorageLevel level) {
    JavaRDD<int[]> arrays =
        context.parallelize(List.of(3), 1).map(value -> new int[] {value}).persist(level);
    PartitionTasks.run(arrays);
    return arrays;
  }

  private static boolean isCached(int rdd) {
    return SparkEnv.get()
        .blockManager()
        .getStatus(new RDDBlockId(rdd, TaskContext.getPartitionId()))
        .isDefined();
  }

  /** The number of the task is another one behind a union. */
  @Test
  void partitionsHaveTheirOwnNumbers() {
    JavaRDD<String> numbered =
        PartitionTasks.numbered(
            context.parallelize(List.of("a", "b"), 2),
            (number, rows) -> List.of(number + rows.next()).iterator());
    assertThat(context.parallelize(List.of("c"), 1).union(numbered).collect())
        .containsExactly("c", "0a", "1b");
  }

  private JavaRDD<String> recorded(String name) {
    return context
        .parallelize(List.of(name + 1, name + 2), 1)
        .map(
            element -> {
              EVENTS.add("make " + element);
              return element;
            });
  }

  /** So a task need not hold the elements of all. */
  @Test
  void concatenatedRddsAreReadOneAfterTheOther() {
    EVENTS.clear();
    JavaRDD<String> both = PartitionTasks.concatenated(List.of(recorded("a"), recorded("b")));
    JavaRDD<String> taken =
        PartitionTasks.of(
            both,
            elements -> {
              elements.forEachRemaining(element -> EVENTS.add("take " + element));
              return List.of("end").iterator();
            });
    assertThat(taken.collect()).containsExactly("end");
    assertThat(EVENTS)
        .containsExactly(
            "make a1", "take a1", "make a2", "take a2", "make b1", "take b1", "make b2", "take b2");
  }

  /** Spark serializes lineage by recursion. */
  @Test
  void manyRddsAreConcatenated() {
    List<JavaRDD<Integer>> rdds =
        IntStream.range(0, 2_000).mapToObj(i -> context.parallelize(List.of(i), 1)).toList();
    assertThat(PartitionTasks.concatenated(rdds).collect())
        .isEqualTo(IntStream.range(0, 2_000).boxed().toList());
  }

  @Test
  void aTakenPartitionIsNotCachedWhenTheFunctionGetsIt() {
    for (StorageLevel level : List.of(StorageLevel.MEMORY_AND_DISK(), StorageLevel.DISK_ONLY())) {
      JavaRDD<int[]> arrays = cached(level);
      int rdd = arrays.id();
      JavaRDD<Boolean> cachedWithin =
          PartitionTasks.taking(
              arrays,
              context.parallelize(List.of(1), 1),
              (one, other) -> List.of(isCached(rdd)).iterator());
      assertThat(cachedWithin.collect()).as("%s", level).containsExactly(false);
    }
  }

  @Test
  void aReaderThatHasNotEndedHoldsATakerOff() throws Exception {
    JavaRDD<int[]> arrays = cached(StorageLevel.MEMORY_AND_DISK());
    CompletableFuture<List<Integer>> read =
        CompletableFuture.supplyAsync(
            () -> PartitionTasks.of(arrays, PartitionTasksTest::readSlowly).collect());
    assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
    JavaRDD<Integer> other = context.parallelize(List.of(1), 1);
    CompletableFuture<List<Integer>> written =
        CompletableFuture.supplyAsync(
            () -> PartitionTasks.taking(arrays, other, (one, two) -> written(one)).collect());
    assertThat(taken.await(300, TimeUnit.MILLISECONDS)).isFalse();
    goOn.countDown();
    assertThat(read.get(10, TimeUnit.SECONDS)).containsExactly(3);
    assertThat(written.get(10, TimeUnit.SECONDS)).containsExactly(4);
  }

  private static Iterator<Integer> readSlowly(Iterator<int[]> arrays) throws InterruptedException {
    int[] array = arrays.next();
    reading.countDown();
    goOn.await();
    int value = array[0];
    assertThat(arrays.hasNext()).isFalse();
    return List.of(value).iterator();
  }

  private static Iterator<Integer> written(Iterator<int[]> arrays) {
    taken.countDown();
    int[] array = arrays.next();
    return List.of(++array[0]).iterator();
  }

  /** The array is made again; else the second try would count its element twice. */
  @Test
  void aPartitionThatATaskTookAndSpoiledIsComputedAgain() {
    JavaRDD<int[]> arrays = cached(StorageLevel.MEMORY_AND_DISK());
    JavaRDD<Integer> other = context.parallelize(List.of(1), 1);
    JavaRDD<Integer> spoiled =
        PartitionTasks.taking(
            arrays,
            other,
            (one, two) -> {
              written(one);
              throw new IllegalStateException("spoiled");
            });
    assertThatThrownBy(spoiled::collect).hasMessageContaining("spoiled");
    assertThat(PartitionTasks.taking(arrays, other, (one, two) -> written(one)).collect())
        .containsExactly(4);
  }
}
