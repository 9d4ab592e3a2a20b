/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.FeatureScatterTask;
import io.sparknd.table.internal.keyed.ShuffledRows;
import io.sparknd.table.internal.store.BlockFiles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The Spark job that folds rows into blocks of a feature table. It runs once, and again for blocks
 * that another commit changed.
 */
final class FeatureScatterJob implements BlockRewrite {
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final StoredFeatures table;
  private final ShuffledRows rows;
  private final String operation;
  private final CommitFiles commitFiles;

  /**
   * Prepares the job.
   *
   * @param operation operation id in the names of the commit's files
   */
  FeatureScatterJob(SparkSession spark, StoredFeatures table, ShuffledRows rows, String operation) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.table = table;
    this.rows = rows;
    this.operation = operation;
    this.commitFiles = new CommitFiles(spark, table, operation);
  }

  @Override
  public List<BlockResult> run(
      @Nullable Long base, Map<Long, BlockFiles> files, @Nullable Set<Long> only) {
    Broadcast<StoredFeatures> tableToTasks = context.broadcast(table.forTasks(spark));
    Broadcast<Map<Long, BlockFiles>> filesToTasks = context.broadcast(files);
    try {
      int tasks = rows.rows().getNumPartitions();
      FeatureScatterTask task =
          new FeatureScatterTask(
              tableToTasks,
              filesToTasks,
              rows.layout(),
              only,
              operation,
              tasks,
              rows.rowErrors(),
              commitFiles.ofTasks());
      List<BlockResult> done =
          PartitionTasks.collected(rows.rows().mapPartitionsWithIndex(task::run, false));
      rows.rowErrors().throwFirst();
      return commitFiles.withVectors(done, tasks);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(tableToTasks, filesToTasks);
    }
  }

  @Override
  public void requireUnchanged(
      Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    // run() folds the same updates into the blocks again
  }

  @Override
  public List<String> written() {
    return commitFiles.written();
  }
}
