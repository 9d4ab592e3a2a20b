/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.TaskFiles;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.CollectionAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * The task of a scatter into a feature table: folds the rows of its blocks, which arrive as {@link
 * ShuffledRows} describes.
 *
 * @param files files of the blocks at the snapshot that was read
 * @param only the blocks to process; null for all
 * @param operation operation id in the names of the commit's files
 * @param tasks number of tasks in the job
 * @param rowErrors receives errors of rows
 * @param written collects the locations of the files of successful tasks
 */
public record FeatureScatterTask(
    Broadcast<StoredFeatures> table,
    Broadcast<Map<Long, BlockFiles>> files,
    ShuffledRows.Layout layout,
    @Nullable Set<Long> only,
    String operation,
    int tasks,
    RowErrors rowErrors,
    CollectionAccumulator<String> written)
    implements Serializable {

  /** Folds the rows of {@code partition} and writes its blocks. */
  public Iterator<BlockResult> run(int partition, Iterator<InternalRow> rows) {
    long start = System.nanoTime();
    TaskFiles out = TaskFiles.of(table.value(), partition, operation);
    List<BlockResult> results = new ArrayList<>();
    long block = -1;
    List<StageRows> stages = List.of();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      if (layout.block(row) != block) {
        fold(block, stages, out, results);
        block = layout.block(row);
        stages = newStages();
      }
      add(row, stages);
    }
    fold(block, stages, out, results);
    List<BlockResult> finished = out.finish(results, tasks);
    out.record(written);
    TaskMetrics.folded(
        kernel(),
        results.stream().mapToLong(BlockResult::updates).sum(),
        System.nanoTime() - start);
    return finished.iterator();
  }

  private String kernel() {
    return layout.stages().stream()
        .flatMap(stage -> stage.targets().stream())
        .flatMap(target -> target.fold().kernelName().stream())
        .findFirst()
        .map(KernelProviders::chosenName)
        .orElse(TaskMetrics.NO_KERNEL);
  }

  private List<StageRows> newStages() {
    return layout.stages().stream()
        .map(stage -> new StageRows(table.value().format(), stage))
        .toList();
  }

  private void add(InternalRow row, List<StageRows> stages) {
    byte[] key = layout.key(row);
    StageRows stage = stages.get(layout.stage(row));
    try {
      stage.add(key, row, layout.firstInput(row), new RejectedRow(this, row, key));
    } catch (ArrayLimitException e) {
      throw FeatureBlockFold.tooLarge(table.value(), layout.block(row), e);
    }
  }

  /** Reports a row of the task. */
  private record RejectedRow(FeatureScatterTask task, InternalRow row, byte[] key)
      implements StageRows.InputProblems {
    @Override
    public void value(int column, String problem) {
      reject(FeatureErrors.updateValue(table().name(), variable(column), textOfKey(), problem));
    }

    @Override
    public void time(int column, long micros) {
      EventTimeLimit limit = task.layout().limit();
      reject(limit.exceeded(table().name(), variable(column), textOfKey(), micros));
    }

    private StoredFeatures table() {
      return task.table().value();
    }

    private String variable(int column) {
      return table().format().columns().get(column).name();
    }

    private String textOfKey() {
      KeyList keys = new KeyList();
      keys.add(key);
      return table().format().axis().codec().text(keys, 0);
    }

    private void reject(SparkNdException error) {
      task.rowErrors().reject(ShuffledRows.source(row), ShuffledRows.position(row), error);
    }
  }

  private void fold(long block, List<StageRows> stages, TaskFiles out, List<BlockResult> results) {
    boolean isWanted = only == null || only.contains(block);
    if (isWanted && stages.stream().anyMatch(stage -> stage.count() > 0)) {
      out.requireAlive();
      BlockFiles stored = files.value().getOrDefault(block, BlockFiles.none(block));
      results.add(new FeatureBlockFold(table.value(), stored).run(stages, out));
    }
  }
}
