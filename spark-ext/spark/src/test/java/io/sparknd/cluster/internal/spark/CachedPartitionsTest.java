/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;

/** Tests what is known of persisted partitions without a job. */
class CachedPartitionsTest {
  private static final int LENGTH = 10_000;

  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

  private JavaRDD<long[]> persisted(StorageLevel level) {
    return context.parallelize(List.of(1, 2), 2).map(value -> new long[LENGTH]).persist(level);
  }

  @Test
  void bytesInMemoryAreKnownOnceAllPartitionsAreComputed() {
    JavaRDD<long[]> arrays = persisted(StorageLevel.MEMORY_AND_DISK());
    assertThat(CachedPartitions.memoryBytes(arrays)).isEmpty();
    arrays.take(1); // computes the first partition
    assertThat(CachedPartitions.memoryBytes(arrays)).isEmpty();
    PartitionTasks.run(arrays);
    assertThat(CachedPartitions.memoryBytes(arrays).orElseThrow())
        .isBetween(2L * Long.BYTES * LENGTH, 2L * Long.BYTES * LENGTH + LENGTH);
    arrays.unpersist(true);
    assertThat(CachedPartitions.memoryBytes(arrays)).isEmpty();
  }

  @Test
  void bytesInMemoryAreUnknownIfPartitionsAreOnDisk() {
    JavaRDD<long[]> arrays = persisted(StorageLevel.DISK_ONLY());
    PartitionTasks.run(arrays);
    assertThat(CachedPartitions.memoryBytes(arrays)).isEmpty();
    assertThat(CachedPartitions.isWhole(arrays.rdd())).isTrue();
    arrays.unpersist(true);
    assertThat(CachedPartitions.isWhole(arrays.rdd())).isFalse();
  }
}
