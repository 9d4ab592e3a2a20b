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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import scala.Tuple2;

/**
 * The task of an eviction: deletes rows of its blocks, whose positions {@link EvictedPositions}
 * found.
 *
 * @param files files of the blocks at the snapshot that was read
 * @param operation operation id in the names of the commit's files
 * @param tasks number of tasks in the job
 * @param written collects the locations of the files of successful tasks
 */
public record FeatureEvictTask(
    Broadcast<StoredFeatures> table,
    Broadcast<Map<Long, BlockFiles>> files,
    String operation,
    int tasks,
    CollectionAccumulator<String> written)
    implements Serializable {

  /** Deletes the rows of a partition: positions by block. */
  public Iterator<BlockResult> run(int partition, Iterator<Tuple2<Long, Serializable>> rows) {
    TaskFiles out = TaskFiles.of(table.value(), partition, operation);
    Map<Long, Map<String, FilePositions>> evicted = new TreeMap<>();
    while (rows.hasNext()) {
      Tuple2<Long, Serializable> next = rows.next();
      FilePositions some = (FilePositions) next._2();
      evicted
          .computeIfAbsent(next._1(), block -> new TreeMap<>())
          .merge(some.file(), some, FilePositions::and);
    }
    List<BlockResult> results = new ArrayList<>();
    evicted.forEach(
        (block, positions) -> {
          out.requireAlive();
          BlockFiles stored = Objects.requireNonNull(files.value().get(block));
          results.add(new FeatureBlockFold(table.value(), stored).evict(positions, out));
        });
    List<BlockResult> finished = out.finish(results, tasks);
    out.record(written);
    return finished.iterator();
  }
}
