/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.TaskFiles;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.store.BlockFiles;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;

/**
 * The task of a compaction of a feature table: writes the live rows of each block to one file for
 * each bucket.
 *
 * @param operation operation id in the names of the commit's files
 * @param written collects the locations of the files of successful tasks
 */
public record FeatureCompactTask(
    Broadcast<StoredFeatures> table, String operation, CollectionAccumulator<String> written)
    implements Serializable {

  public Iterator<BlockResult> run(int partition, Iterator<BlockFiles> blocks) {
    TaskFiles out = TaskFiles.of(table.value(), partition, operation);
    List<BlockResult> results = new ArrayList<>();
    blocks.forEachRemaining(
        block -> {
          out.requireAlive();
          results.add(new FeatureBlockFold(table.value(), block).compact(out));
        });
    out.record(written);
    return results.iterator();
  }
}
