/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class ClusterCoresTest {
  private static SparkConf dynamic(int most) {
    return new SparkConf(false)
        .set("spark.dynamicAllocation.enabled", "true")
        .set("spark.dynamicAllocation.maxExecutors", Integer.toString(most))
        .set("spark.executor.cores", "4");
  }

  @Test
  void executorsThatMayComeCount() {
    assertThat(ClusterCores.most(dynamic(10))).isEqualTo(40);
    assertThat(ClusterCores.most(dynamic(10).set("spark.task.cpus", "2"))).isEqualTo(20);
    assertThat(ClusterCores.most(dynamic(1_000_000_000))).isEqualTo(200);
    assertThat(ClusterCores.most(dynamic(100).set("spark.sql.shuffle.partitions", "300")))
        .isEqualTo(300);
  }

  @Test
  void settingsOfParallelismCount() {
    assertThat(ClusterCores.most(dynamic(10).set("spark.default.parallelism", "8"))).isZero();
    assertThat(ClusterCores.most(dynamic(10).set("spark.dynamicAllocation.enabled", "false")))
        .isZero();
    assertThat(ClusterCores.most(dynamic(10).remove("spark.dynamicAllocation.maxExecutors")))
        .isZero();
    assertThat(ClusterCores.of(LocalSpark.session())).isEqualTo(2);
  }
}
