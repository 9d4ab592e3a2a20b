/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.stream.IntStream;
import org.apache.spark.Partition;

/** A partition that has only an index. */
record IndexedPartition(int index) implements Partition {
  static Partition[] upTo(int count) {
    return IntStream.range(0, count).mapToObj(IndexedPartition::new).toArray(Partition[]::new);
  }
}
