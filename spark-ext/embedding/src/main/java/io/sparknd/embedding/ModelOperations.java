/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** What a training does with versions of a model. */
final class ModelOperations implements VersionOperations<EmbeddingModel> {
  @Override
  public SparkSession spark(EmbeddingModel model) {
    return model.spark();
  }

  @Override
  public List<TrainedTable> tables(EmbeddingModel model) {
    List<TrainedTable> tables = new ArrayList<>();
    for (String name : model.spec().tables().keySet()) {
      tables.add(model.table(name).trained("table '" + name + "'", null));
    }
    if (tables.size() < model.tables().size()) {
      EmbeddingTable dense = model.tables().get(tables.size());
      tables.add(dense.trained("the dense parameters", DenseLayout.of(model.spec().dense())));
    }
    return tables;
  }

  @Override
  public JavaRDD<EmbeddingPartition> rdd(EmbeddingModel model) {
    return model.rdd();
  }

  @Override
  public void detach(EmbeddingModel model) {
    model.detach();
  }

  @Override
  public long steps(EmbeddingModel model) {
    return model.steps();
  }

  @Override
  public JobDescription described(EmbeddingModel model, String call) {
    return model.described(call);
  }

  @Override
  public int versions(EmbeddingModel model) {
    return model.versions();
  }

  @Override
  public EmbeddingModel next(
      EmbeddingModel model, JavaRDD<EmbeddingPartition> rdd, long steps, int versions) {
    return model.next(rdd, steps, versions);
  }

  @Override
  public void close(EmbeddingModel model) {
    model.close();
  }

  @Override
  public Object definition(EmbeddingModel model) {
    return model.spec().inPartitions(0);
  }

  @Override
  public void save(EmbeddingModel model, String path) {
    SavedModel.save(model, path);
  }

  @Override
  public EmbeddingModel load(String path, EmbeddingModel like) {
    return SavedModel.load(like.spark(), path, like.spec());
  }

  @Override
  public EmbeddingModel cut(EmbeddingModel loaded, EmbeddingModel like) {
    EmbeddingModel model =
        loaded.partitions() == like.partitions() ? loaded : loaded.repartition(like.partitions());
    EmbeddingModel cut = model.next(model.rdd(), model.steps(), 0);
    VersionLineage.checkpoint(cut.rdd());
    cut.detach();
    // their partitions were persisted, too
    loaded.tables().forEach(EmbeddingTable::close);
    model.tables().forEach(EmbeddingTable::close);
    return cut;
  }

  @Override
  public void delete(SparkSession spark, String path) throws IOException {
    SavedModel.delete(spark, path);
  }
}
