/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Iterator;
import java.util.Optional;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Reads persisted partitions of this executor outside of tasks. */
public final class LocalBlocks {
  private LocalBlocks() {}

  /**
   * Returns the only element of a persisted partition; empty if this executor does not have it in
   * memory or on disk.
   */
  @SuppressWarnings("unchecked")
  public static <T> Optional<T> only(int rdd, int partition) {
    Option<BlockResult> block =
        SparkEnv.get().blockManager().getLocalValues(new RDDBlockId(rdd, partition));
    if (block.isEmpty()) {
      return Optional.empty();
    }
    Iterator<T> elements = (Iterator<T>) CollectionConverters.asJava(block.get().data());
    Optional<T> first = elements.hasNext() ? Optional.of(elements.next()) : Optional.empty();
    elements.forEachRemaining(ignored -> {}); // the end releases the lock of the block
    return first;
  }
}
