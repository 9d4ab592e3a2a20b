/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.ShuffleBlockId;
import scala.jdk.javaapi.CollectionConverters;

/** The map outputs that Spark knows of. */
final class RegisteredOutputs {
  private RegisteredOutputs() {}

  /** Returns the attempts of map tasks that have records for a partition. For tasks. */
  static List<Long> of(int shuffle, int partition) {
    return of(shuffle, 0, Integer.MAX_VALUE, partition);
  }

  /**
   * Returns the attempts of the map tasks from {@code from} to before {@code to} that have records
   * for a partition. For tasks.
   */
  static List<Long> of(int shuffle, int from, int to, int partition) {
    List<Long> maps = new ArrayList<>();
    CollectionConverters.asJava(
            SparkEnv.get()
                .mapOutputTracker()
                .getMapSizesByExecutorId(shuffle, from, to, partition, partition + 1))
        .forEachRemaining(
            executor ->
                CollectionConverters.asJava(executor._2())
                    .forEach(block -> maps.add(((ShuffleBlockId) block._1()).mapId())));
    return maps;
  }
}
