/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RankThreshold;
import io.sparknd.embedding.internal.rows.RowRemoval;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/** The task of one partition in an eviction. */
record EvictionTask(RankThreshold threshold, RowRemoval removal)
    implements FlatMapFunction<Iterator<EmbeddingPartition>, EmbeddingPartition> {

  @Override
  public Iterator<EmbeddingPartition> call(Iterator<EmbeddingPartition> before) {
    EmbeddingPartition partition = EmbeddingPartition.only(before);
    long[] ids = threshold.ids(partition, removal.layout(), removal.directory());
    return List.of(removal.without(partition, ids)).iterator();
  }
}
