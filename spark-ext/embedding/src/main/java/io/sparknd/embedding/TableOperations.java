/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** What a training does with versions of one table. */
final class TableOperations implements VersionOperations<EmbeddingTable> {
  @Override
  public SparkSession spark(EmbeddingTable table) {
    return table.spark();
  }

  @Override
  public List<TrainedTable> tables(EmbeddingTable table) {
    return List.of(table.trained("", null));
  }

  @Override
  public JavaRDD<EmbeddingPartition> rdd(EmbeddingTable table) {
    return table.rdd();
  }

  @Override
  public void detach(EmbeddingTable table) {
    table.detach();
  }

  @Override
  public long steps(EmbeddingTable table) {
    return table.steps();
  }

  @Override
  public JobDescription described(EmbeddingTable table, String call) {
    return table.described(call);
  }

  @Override
  public int versions(EmbeddingTable table) {
    return table.versions();
  }

  @Override
  public EmbeddingTable next(
      EmbeddingTable table, JavaRDD<EmbeddingPartition> rdd, long steps, int versions) {
    return table.next(rdd, steps, versions);
  }

  @Override
  public void close(EmbeddingTable table) {
    table.close();
  }

  @Override
  public Object definition(EmbeddingTable table) {
    return table.spec().withPartitions(0);
  }

  @Override
  public void save(EmbeddingTable table, String path) {
    // not table.save: deltas go to directories of the caller
    SavedEmbedding.save(table, path);
  }

  @Override
  public EmbeddingTable load(String path, EmbeddingTable like) {
    return EmbeddingTable.load(like.spark(), path, like.optimizer());
  }

  @Override
  public EmbeddingTable cut(EmbeddingTable loaded, EmbeddingTable like) {
    if (loaded.partitions() == like.partitions()) {
      VersionLineage.checkpoint(loaded.rdd());
      return loaded.withoutCheckpoint();
    }
    EmbeddingTable moved = loaded.repartition(like.partitions());
    VersionLineage.checkpoint(moved.rdd());
    loaded.close();
    return moved.withoutCheckpoint();
  }

  @Override
  public void delete(SparkSession spark, String path) throws IOException {
    SavedEmbedding.delete(spark, path);
  }
}
