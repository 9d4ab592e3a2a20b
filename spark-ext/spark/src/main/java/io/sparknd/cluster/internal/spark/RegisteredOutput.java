/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.ShuffleBlockId;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A map output that Spark knows of.
 *
 * @param map the id of the attempt
 * @param index the number of the map task
 */
record RegisteredOutput(long map, int index) {
  /** Returns the outputs that have records for a partition. For tasks. */
  static List<RegisteredOutput> all(int shuffle, int partition) {
    return all(shuffle, 0, Integer.MAX_VALUE, partition);
  }

  /**
   * Returns the outputs of the map tasks from {@code from} to before {@code to} that have records
   * for a partition. For tasks.
   */
  static List<RegisteredOutput> all(int shuffle, int from, int to, int partition) {
    List<RegisteredOutput> outputs = new ArrayList<>();
    CollectionConverters.asJava(
            SparkEnv.get()
                .mapOutputTracker()
                .getMapSizesByExecutorId(shuffle, from, to, partition, partition + 1))
        .forEachRemaining(
            executor ->
                CollectionConverters.asJava(executor._2())
                    .forEach(
                        block ->
                            outputs.add(
                                new RegisteredOutput(
                                    ((ShuffleBlockId) block._1()).mapId(), (Integer) block._3()))));
    return outputs;
  }

  @Override
  public String toString() {
    return "the output of map task " + index + " (attempt " + map + ")";
  }
}
