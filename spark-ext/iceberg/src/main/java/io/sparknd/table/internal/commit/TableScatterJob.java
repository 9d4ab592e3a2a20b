/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.ShuffledUpdates;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.InterruptedJobs;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.ChangedRowsTask;
import io.sparknd.table.internal.block.ScatterStage;
import io.sparknd.table.internal.block.TableScatterTask;
import io.sparknd.table.internal.block.TaggedBatch;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.options.IfChanged;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The Spark job that folds updates into blocks. It runs once, and again for blocks that another
 * commit changed.
 */
final class TableScatterJob implements BlockRewrite {
  /** Maximum number of changed rows that an error lists. */
  private static final int SHOWN = 5;

  private final SparkSession spark;
  private final JavaSparkContext context;
  private final StoredTensor tensor;
  private final List<ScatterStage> parts;
  private final List<RowErrors> rowErrors;
  private final JavaRDD<TaggedBatch> updates;
  private final String operation;
  private final String kernel;
  private final IfChanged ifChanged;
  private final CommitFiles commitFiles;

  /**
   * Prepares the job.
   *
   * @param operation operation id in the names of the commit's files
   * @param ifChanged what happens if another commit changed rows that updates name
   */
  TableScatterJob(
      SparkSession spark,
      StoredTensor tensor,
      List<ShuffledUpdates> sent,
      List<ScatterStage> parts,
      String operation,
      String kernel,
      IfChanged ifChanged) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.tensor = tensor;
    this.parts = parts;
    this.rowErrors = sent.stream().map(ShuffledUpdates::rowErrors).toList();
    this.updates = inOrder(sent);
    this.operation = operation;
    this.kernel = kernel;
    this.ifChanged = ifChanged;
    this.commitFiles = new CommitFiles(spark, tensor, operation);
  }

  /** Returns the batches of all scatters, in the order of the scatters. */
  private static JavaRDD<TaggedBatch> inOrder(List<ShuffledUpdates> sent) {
    return PartitionTasks.concatenated(
        IntStream.range(0, sent.size()).mapToObj(part -> numbered(sent.get(part), part)).toList());
  }

  private static JavaRDD<TaggedBatch> numbered(ShuffledUpdates updates, int part) {
    return updates.batches().map(batch -> new TaggedBatch(part, batch._2()));
  }

  @Override
  public List<BlockResult> run(
      @Nullable Long base, Map<Long, BlockFiles> files, @Nullable Set<Long> only) {
    Broadcast<StoredTensor> tensorToTasks = context.broadcast(tensor.forTasks(spark));
    Broadcast<Map<Long, BlockFiles>> filesToTasks = context.broadcast(files);
    try {
      TableScatterTask task =
          new TableScatterTask(
              tensorToTasks,
              filesToTasks,
              parts,
              only,
              operation,
              kernel,
              rowErrors,
              commitFiles.ofTasks());
      JavaRDD<BlockResult> results = updates.mapPartitionsWithIndex(task::run, false);
      List<BlockResult> done =
          only == null ? PartitionTasks.collected(results) : collect(results, only);
      rowErrors.forEach(RowErrors::throwFirst);
      return commitFiles.withVectors(done, parts.get(0).pieces().partitions());
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(tensorToTasks, filesToTasks);
    }
  }

  /** Collects the results of the partitions that own {@code blocks}. */
  private <T> List<T> collect(JavaRDD<T> results, Set<Long> blocks) {
    ScatterStage part = parts.get(0);
    long perBlock = tensor.format().perBlock() * part.perRow();
    int[] owners =
        blocks.stream()
            .mapToInt(block -> part.pieces().owner(block * perBlock))
            .distinct()
            .sorted()
            .toArray();
    List<T>[] found = InterruptedJobs.run(context.sc(), () -> results.collectPartitions(owners));
    return Arrays.stream(found).flatMap(List::stream).toList();
  }

  @Override
  public void requireUnchanged(
      Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    if (ifChanged == IfChanged.REDO) {
      return;
    }
    List<Long> rows = changed(blocks, before, now);
    if (!rows.isEmpty()) {
      Shape outer = tensor.format().rows().outer();
      List<String> shown =
          rows.stream()
              .sorted()
              .limit(SHOWN)
              .map(row -> Arrays.toString(outer.coordinates(row)))
              .toList();
      throw TableErrors.slicesChanged(tensor.name(), shown, rows.size() - shown.size());
    }
  }

  private List<Long> changed(
      Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    Broadcast<StoredTensor> tensorToTasks = context.broadcast(tensor.forTasks(spark));
    Broadcast<Map<Long, BlockFiles>> beforeToTasks = context.broadcast(before);
    Broadcast<Map<Long, BlockFiles>> nowToTasks = context.broadcast(now);
    try {
      ChangedRowsTask task =
          new ChangedRowsTask(tensorToTasks, beforeToTasks, nowToTasks, parts, blocks);
      return collect(updates.mapPartitionsWithIndex(task::run, false), blocks);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(tensorToTasks, beforeToTasks, nowToTasks);
    }
  }

  @Override
  public List<String> written() {
    return commitFiles.written();
  }
}
