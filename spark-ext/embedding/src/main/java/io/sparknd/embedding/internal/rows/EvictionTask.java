/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * The task of one partition in an eviction.
 *
 * @param threshold of rows
 * @param candidates threshold of keys that have no row yet
 * @param checkpoint id of the table's last checkpoint; empty if there is none
 * @param steps steps of the table
 */
public record EvictionTask(
    RankThreshold threshold,
    RankThreshold candidates,
    RowRemoval removal,
    String checkpoint,
    long steps)
    implements FlatMapFunction<Iterator<EmbeddingPartition>, EmbeddingPartition> {

  @Override
  public Iterator<EmbeddingPartition> call(Iterator<EmbeddingPartition> before) {
    EmbeddingPartition partition = EmbeddingPartition.only(before);
    EmbeddingPartition rest = removal.evicted(partition, threshold, candidates, checkpoint);
    return List.of(rest.withoutIdleCounts(candidates.rank(), steps)).iterator();
  }
}
