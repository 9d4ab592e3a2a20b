/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BatchShuffle.Order;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * Sends the messages of a training: in local mode by reference, if they are small and every version
 * is cut off from its lineage. Then nobody reads the messages of a job once the next one has
 * completed its version. Otherwise versions may be computed again from the messages of many jobs,
 * which are in files.
 */
final class LocalMessages implements AutoCloseable {
  /** The most bytes of the messages of one stage, as a share of the heap; three are in memory. */
  private static final int SHARE = 32;

  private final boolean isLocal;
  private final List<JavaRDD<Tuple2<BatchKey, ShuffleBatch>>> inMemory = new ArrayList<>();

  /** The bytes of the last job's messages; the first ones are in files. */
  private long lastBytes = Long.MAX_VALUE;

  private LocalMessages(boolean isLocal) {
    this.isLocal = isLocal;
  }

  static LocalMessages of(SparkContext context, RetainedVersions retained) {
    return new LocalMessages(context.isLocal() && retained.isCutEveryVersion());
  }

  /** Sends every batch to its partition. */
  JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffle(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches,
      int partitions,
      Storage storage,
      Order order) {
    if (!isLocal || lastBytes > Runtime.getRuntime().maxMemory() / SHARE) {
      return BatchShuffle.shuffle(batches, partitions, storage, order);
    }
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled =
        BatchShuffle.inMemory(batches, partitions, storage, order);
    inMemory.add(shuffled);
    return shuffled;
  }

  /**
   * Releases all messages except the last ones of a job.
   *
   * @param bytes their bytes
   */
  void releaseAllBut(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> last, long bytes) {
    lastBytes = bytes;
    inMemory.stream().filter(each -> each != last).forEach(LocalMapOutputs::release);
    inMemory.removeIf(each -> each != last);
  }

  @Override
  public void close() {
    inMemory.forEach(LocalMapOutputs::release);
    inMemory.clear();
  }
}
