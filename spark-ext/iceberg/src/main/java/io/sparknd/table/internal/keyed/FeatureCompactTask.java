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
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.TaskFailureListener;

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
    TaskContext task = TaskContext.get();
    TaskFiles out = new TaskFiles(table.value(), partition, task.taskAttemptId(), operation);
    task.addTaskFailureListener((TaskFailureListener) (context, error) -> out.discard());
    List<BlockResult> results = new ArrayList<>();
    blocks.forEachRemaining(
        block -> results.add(new FeatureBlockFold(table.value(), block).compact(out)));
    out.locations().forEach(written::add);
    return results.iterator();
  }
}
