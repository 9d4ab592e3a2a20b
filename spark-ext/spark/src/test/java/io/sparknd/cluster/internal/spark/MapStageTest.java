/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;

/** Tests which jobs run the map side of a shuffle. */
class MapStageTest {
  private static final String GROUP = "map stages of MapStageTest";
  private static final String LAST = "the last job";

  /** A job whose tasks are all done makes Spark log an error. */
  @Test
  void aShuffleThatIsWrittenGetsNoJob() throws Exception {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    JavaRDD<Integer> rows = spark.parallelize(List.of(1, 2, 3), 3).repartition(2).map(i -> i + 1);
    Jobs jobs = new Jobs();
    spark.sc().addSparkListener(jobs);
    try {
      spark.setJobGroup(GROUP, "map stages");
      MapStage.runBefore(rows);
      MapStage.runBefore(rows);
      assertThat(rows.collect()).containsExactlyInAnyOrder(2, 3, 4);
      MapStage.runBefore(rows);
      spark.setJobGroup(GROUP, LAST);
      rows.count();
      assertThat(jobs.ended.await(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      spark.clearJobGroup();
      spark.sc().removeSparkListener(jobs);
    }
    assertThat(jobs.started).as("the map side, collect, count").hasSize(3);
  }

  @Test
  void aShuffleOfNothingGetsNoJob() {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    JavaRDD<Integer> none = spark.<Integer>emptyRDD().repartition(2);
    MapStage.runBefore(none);
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
