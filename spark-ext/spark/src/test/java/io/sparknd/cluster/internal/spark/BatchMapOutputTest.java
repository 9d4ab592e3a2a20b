/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Tests the files of map tasks that Spark's readers get. */
class BatchMapOutputTest {
  private static final int TASKS = 2;
  private static final int RECORDS = 60;
  private static final int RECORD_BYTES = 10_000;
  private static final int FAILING = 40;

  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

  /** A record of some bytes; no Java record, which Kryo cannot write. */
  private static final class Sized implements KnownSize, Serializable {
    private static final long serialVersionUID = 1;

    private final int number;
    private final byte[] bytes;

    Sized(int number, byte[] bytes) {
      this.number = number;
      this.bytes = bytes;
    }

    int number() {
      return number;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public long estimatedSize() {
      return bytes.length;
    }
  }

  /** A shuffle of records by key. */
  private static final class Shuffled extends ShuffledRDD<Integer, Sized, Sized> {
    private static final long serialVersionUID = 1;

    private static final ClassTag<Integer> KEY = ClassTag$.MODULE$.apply(Integer.class);
    private static final ClassTag<Sized> VALUE = ClassTag$.MODULE$.apply(Sized.class);

    private final long most;

    Shuffled(RDD<Tuple2<Integer, Sized>> sent, int partitions, long most) {
      super(sent, new HashPartitioner(partitions), KEY, VALUE, VALUE);
      this.most = most;
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
      ShuffleDependency<Integer, Sized, Sized> shuffle =
          new ShuffleDependency<>(
              prev(),
              partitioner().get(),
              new KryoSerializer(SparkEnv.get().conf()),
              Option.empty(),
              Option.empty(),
              false,
              new BatchMapOutput(most),
              KEY,
              VALUE,
              VALUE);
      return CollectionConverters.asScala(List.<Dependency<?>>of(shuffle)).toSeq();
    }
  }

  private static byte[] bytes(int task, int record) {
    byte[] bytes = new byte[RECORD_BYTES];
    if (record % 3 != 0) { // others are zeros
      new SplittableRandom(RECORDS * task + record).nextBytes(bytes);
    }
    return bytes;
  }

  /** Returns the records of a task, of which every fourth partition gets none. */
  private static Iterator<Tuple2<Integer, Sized>> records(int task, boolean fails) {
    return IntStream.range(0, RECORDS)
        .mapToObj(
            record -> {
              if (fails && record == FAILING) {
                throw new IllegalStateException("no record " + record);
              }
              int number = RECORDS * task + record;
              return new Tuple2<>(record - record % 4 / 3, new Sized(number, bytes(task, record)));
            })
        .iterator();
  }

  private Shuffled shuffled(int partitions, long most, boolean fails) {
    JavaRDD<Tuple2<Integer, Sized>> sent =
        context
            .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
            .mapPartitions(task -> records(task.next(), fails));
    return new Shuffled(sent.rdd(), partitions, most);
  }

  private static List<Path> temporaryFiles() throws IOException {
    List<Path> found = new ArrayList<>();
    for (var directory : SparkEnv.get().blockManager().diskBlockManager().localDirs()) {
      try (Stream<Path> files = Files.walk(directory.toPath())) {
        files
            .filter(file -> file.getFileName().toString().startsWith("temp_shuffle"))
            .forEach(found::add);
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 25_000, 600_000})
  void everyRecordReachesItsPartitionInOrder(long most) throws IOException {
    List<Path> before = temporaryFiles();
    for (int partitions : new int[] {8, 201}) {
      List<List<Sized>> found = new ArrayList<>();
      shuffled(partitions, most, false)
          .toJavaRDD()
          .map(Tuple2::_2)
          .glom()
          .collect()
          .forEach(found::add);
      for (int partition = 0; partition < partitions; partition++) {
        for (int task = 0; task < TASKS; task++) {
          int from = RECORDS * task;
          assertThat(
                  found.get(partition).stream()
                      .map(Sized::number)
                      .filter(n -> n / RECORDS == from / RECORDS))
              .containsExactlyElementsOf(numbers(task, partition, partitions));
        }
        for (Sized each : found.get(partition)) {
          byte[] expected = bytes(each.number() / RECORDS, each.number() % RECORDS);
          assertThat(Arrays.equals(each.bytes(), expected)).isTrue();
        }
      }
    }
    assertThat(temporaryFiles()).isEqualTo(before);
  }

  private static List<Integer> numbers(int task, int partition, int partitions) {
    List<Integer> numbers = new ArrayList<>();
    records(task, false)
        .forEachRemaining(
            record -> {
              if (record._1() % partitions == partition) {
                numbers.add(record._2().number());
              }
            });
    return numbers;
  }

  @Test
  void aTaskThatFailsLeavesNoTemporaryFile() throws Exception {
    List<Path> before = temporaryFiles();
    Shuffled failing = shuffled(8, 25_000, true);
    assertThatThrownBy(() -> failing.toJavaRDD().count()).hasMessageContaining("no record 40");
    awaitTasks();
    assertThat(temporaryFiles()).isEqualTo(before);
  }

  /** A job ends with the first task that fails; the others end later. */
  private void awaitTasks() throws Exception {
    SparkContext spark = context.sc();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    do {
      Thread.sleep(5);
      spark.listenerBus().waitUntilEmpty();
      assertThat(System.nanoTime()).isLessThan(end);
    } while (Stream.of(spark.statusTracker().getExecutorInfos())
        .anyMatch(executor -> executor.numRunningTasks() > 0));
  }
}
