/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * An exact search: every query is compared with every written row. The table is not moved; blocks
 * of queries are.
 *
 * @param k neighbors of a query, at least 1
 */
public record NearestSearch(
    SparkSession spark,
    RowLayout layout,
    RowDirectory directory,
    JavaRDD<EmbeddingPartition> rdd,
    int k,
    VectorMetric metric) {
  private static final StructType SCHEMA =
      new StructType()
          .add("query_id", DataTypes.LongType, false)
          .add("rank", DataTypes.IntegerType, false)
          .add("id", DataTypes.LongType, false)
          .add("score", DataTypes.DoubleType, false);

  /** Maximum queries in a block, unless the following limits give fewer. */
  private static final int BLOCK_QUERIES = 256;

  /** Maximum bytes of the vectors of a block. */
  private static final int BLOCK_BYTES = 4 << 20;

  /** Maximum neighbors of a block. */
  private static final int BLOCK_NEIGHBORS = 1 << 20;

  public NearestSearch {
    if (k < 1) {
      throw TrainingErrors.badTraining("k", k);
    }
  }

  /**
   * Returns the neighbors. Runs a job that checks all queries.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@code EmbeddingTable.nearest}
   */
  public Dataset<Row> run(Dataset<Row> queries) {
    QueryColumns columns = QueryColumns.of(queries);
    try {
      JavaRDD<QueryBlock> blocks = blocks(InternalRows.of(queries), columns);
      VectorMetric how = metric;
      JavaRDD<InternalRow> rows =
          blocks.getNumPartitions() == 0
              ? blocks.map(block -> InternalRows.row())
              : merged(blocks).flatMap(block -> rows(block, how));
      return InternalRows.toDataset(spark, rows, SCHEMA);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private int blockQueries() {
    int bytes = BLOCK_BYTES / Float.BYTES / layout.dim();
    return Math.max(1, Math.min(BLOCK_QUERIES, Math.min(bytes, BLOCK_NEIGHBORS / k)));
  }

  /**
   * Returns the queries, persisted: a block that is computed again, in another order, would be
   * merged with neighbors of other queries.
   */
  private JavaRDD<QueryBlock> blocks(JavaRDD<InternalRow> queries, QueryColumns columns) {
    RowErrors rowErrors = RowErrors.registered(spark, Shape.of());
    int dim = layout.dim();
    int most = blockQueries();
    JavaRDD<QueryBlock> blocks =
        queries.mapPartitionsWithIndex(
            (partition, rows) -> new QueryReader(rows, columns, partition, dim, most, rowErrors),
            false);
    if (blocks.getNumPartitions() == 0) {
      return blocks;
    }
    VersionLineage.truncate(blocks);
    try {
      PartitionTasks.run(blocks);
      rowErrors.throwFirst();
    } catch (Exception e) {
      InterruptedCleanup.run(() -> blocks.unpersist(false));
      throw e;
    }
    return blocks;
  }

  private JavaRDD<NeighborBlock> merged(JavaRDD<QueryBlock> blocks) {
    int neighbors = k;
    VectorMetric how = metric;
    RowLayout rows = layout;
    RowDirectory ids = directory;
    JavaRDD<Tuple2<Long, NeighborBlock>> found =
        rdd.zipPartitions(
            sent(blocks),
            (partitions, sent) -> {
              EmbeddingPartition partition = EmbeddingPartition.only(partitions);
              PartitionSearch search = new PartitionSearch(partition, rows, ids, neighbors, how);
              return stream(sent)
                  .map(block -> new Tuple2<>(block.key(), search.of(block)))
                  .iterator();
            });
    return JavaPairRDD.fromJavaRDD(found)
        .reduceByKey(
            new HashPartitioner(blocks.getNumPartitions()),
            (one, other) -> NeighborBlock.merged(one, other, neighbors))
        .values();
  }

  /** Returns every block in every partition of the table. */
  private JavaRDD<QueryBlock> sent(JavaRDD<QueryBlock> blocks) {
    int partitions = directory.partitions();
    return blocks
        .flatMapToPair(
            block ->
                IntStream.range(0, partitions)
                    .mapToObj(partition -> new Tuple2<>(partition, block))
                    .iterator())
        .partitionBy(new HashPartitioner(partitions))
        .values();
  }

  private static Iterator<InternalRow> rows(NeighborBlock block, VectorMetric metric) {
    boolean isDistance = metric == VectorMetric.EUCLIDEAN;
    return IntStream.range(0, block.queries().length)
        .boxed()
        .flatMap(
            i ->
                IntStream.range(block.start(i), block.end(i))
                    .mapToObj(
                        at ->
                            InternalRows.row(
                                block.queries()[i],
                                at - block.start(i) + 1,
                                block.id(at),
                                isDistance ? 0 - block.score(at) : block.score(at))))
        .iterator();
  }

  private static <T> Stream<T> stream(Iterator<T> elements) {
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(elements, 0), false);
  }
}
