/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.reflect.ClassTag;

/** Tests which jobs run the map side of a shuffle. */
class MapStageTest {
  private static final String GROUP = "map stages of MapStageTest";
  private static final String LAST = "the last job";

  /** A job whose tasks are all done makes Spark log an error. */
  @Test
  void aShuffleThatIsWrittenGetsNoJob() throws Exception {
    JavaRDD<Integer> rows = context().parallelize(List.of(1, 2, 3), 3).repartition(2).map(i -> i);
    assertThat(jobs(() -> collectTwice(rows))).as("the map side, collect, count").hasSize(3);
  }

  private static void collectTwice(JavaRDD<Integer> rows) {
    MapStage.runBefore(rows);
    MapStage.runBefore(rows);
    assertThat(rows.collect()).containsExactlyInAnyOrder(1, 2, 3);
    MapStage.runBefore(rows);
  }

  @Test
  void aShuffleThatIsWrittenGetsNoJobBesideWork() throws Exception {
    JavaPairRDD<Integer, Integer> pairs =
        context().parallelize(List.of(1, 2, 3), 3).mapToPair(i -> new Tuple2<>(i, i));
    JavaRDD<Tuple2<Integer, Integer>> rows = shuffled(pairs);
    List<Integer> started =
        jobs(
            () -> {
              assertThat(MapStage.runDuring(rows, () -> 1)).isEqualTo(1);
              assertThat(MapStage.runDuring(rows, () -> 2)).isEqualTo(2);
              assertThat(MapStage.run(rows)).isPositive();
            });
    assertThat(started).as("the map side, count").hasSize(2);
    assertThat(rows.count()).isEqualTo(3);
  }

  private static JavaRDD<Tuple2<Integer, Integer>> shuffled(JavaPairRDD<Integer, Integer> pairs) {
    return JavaRDD.fromRDD(
        pairs.partitionBy(new HashPartitioner(2)).rdd(), ClassTag.apply(Tuple2.class));
  }

  /** Returns the jobs of work, and one more. */
  private static List<Integer> jobs(Runnable work) throws Exception {
    Jobs jobs = new Jobs();
    JavaSparkContext spark = context();
    spark.sc().addSparkListener(jobs);
    try {
      spark.setJobGroup(GROUP, "map stages");
      work.run();
      spark.setJobGroup(GROUP, LAST);
      spark.parallelize(List.of(1)).count();
      assertThat(jobs.ended.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      spark.clearJobGroup();
      spark.sc().removeSparkListener(jobs);
    }
    return jobs.started;
  }

  private static JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
  }

  @Test
  void aShuffleOfNothingGetsNoJob() {
    JavaRDD<Integer> none = context().<Integer>emptyRDD().repartition(2);
    MapStage.runBefore(none);
    JavaPairRDD<Integer, Integer> pairs =
        context().<Integer>emptyRDD().mapToPair(i -> new Tuple2<>(i, i));
    assertThat(MapStage.run(shuffled(pairs))).isZero();
    assertThat(none.collect()).isEmpty();
  }

  /** Counts the jobs of the test's group; others may run beside it. */
  private static final class Jobs extends SparkListener {
    final List<Integer> started = new CopyOnWriteArrayList<>();
    final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onJobStart(SparkListenerJobStart job) {
      if (GROUP.equals(job.properties().getProperty("spark.jobGroup.id"))) {
        started.add(job.jobId());
        if (LAST.equals(job.properties().getProperty("spark.job.description"))) {
          ended.countDown();
        }
      }
    }
  }
}
