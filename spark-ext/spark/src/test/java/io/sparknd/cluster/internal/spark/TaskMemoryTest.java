/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Tests that tasks which run at the same time share memory that Spark does not manage. */
class TaskMemoryTest {
  @Test
  void memoryIsSharedByTheTasksOfAnExecutor() {
    SparkConf cluster = new SparkConf(false).set("spark.executor.cores", "12");
    assertThat(TaskMemory.tasks(cluster)).isEqualTo(12);
    assertThat(TaskMemory.tasks(cluster.set("spark.task.cpus", "5"))).isEqualTo(2);
    assertThat(TaskMemory.tasks(cluster.set("spark.task.cpus", "24"))).isEqualTo(1);
    assertThat(TaskMemory.tasks(new SparkConf(false))).isEqualTo(1);
    for (String master : List.of("local[32]", "local[32,4]", "local[32, 4]")) {
      assertThat(TaskMemory.tasks(new SparkConf(false).setMaster(master))).isEqualTo(32);
    }
    for (String master : List.of("local", "local[*]", "local-cluster[2,3,1024]")) {
      assertThat(TaskMemory.tasks(new SparkConf(false).setMaster(master))).isEqualTo(1);
    }
  }

  @Test
  void userMemoryIsTheHeapWithoutTheFractionOfSpark() {
    SparkConf conf = new SparkConf(false).set("spark.executor.cores", "1000");
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(TaskMemory.user(conf)).isBetween(heap * 399 / 1_000_000, heap * 401 / 1_000_000);
    assertThat(TaskMemory.user(conf.set("spark.memory.fraction", "0.9")))
        .isBetween(heap * 99 / 1_000_000, heap * 101 / 1_000_000);
  }
}
