/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.SparkErrors;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Mini-batches from the rows of a Dataset, persisted on executors. The driver stores a checksum of
 * each partition as first computed, because Spark may recompute a lost partition from a shuffle,
 * whose rows arrive in any order.
 */
final class RowBatches implements Batches.Source<List<Row>> {
  private final JavaRDD<RowShard> shards;
  private long @Nullable [] checksums;

  private RowBatches(Dataset<Row> rows, int size, StorageLevel level) {
    this.shards =
        rows.javaRDD()
            .mapPartitions(all -> List.of(RowShard.of(all, size)).iterator())
            .persist(level);
  }

  /**
   * Returns mini-batches in the existing row order. On a cluster, a second copy makes recomputation
   * unlikely.
   */
  static RowBatches inRowOrder(Dataset<Row> rows, int size) {
    boolean isOnOneMachine = rows.sparkSession().sparkContext().isLocal();
    return new RowBatches(
        rows,
        size,
        isOnOneMachine ? StorageLevel.MEMORY_AND_DISK() : StorageLevel.MEMORY_AND_DISK_2());
  }

  /** Returns mini-batches sorted by {@code columns}, then by the other sortable columns. */
  static RowBatches ordered(Dataset<Row> rows, int size, List<String> columns) {
    if (columns.isEmpty()) {
      throw EmbeddingErrors.noBatchOrder();
    }
    List<String> names = Arrays.asList(rows.columns());
    Set<String> order = new LinkedHashSet<>();
    for (String column : columns) {
      if (!names.contains(column)) {
        throw SparkErrors.noSuchColumn(column, String.join(", ", names));
      }
      order.add(column);
    }
    for (StructField field : rows.schema().fields()) {
      if (hasOrder(field.dataType())) {
        order.add(field.name());
      }
    }
    Column[] keys =
        order.stream()
            .map(name -> rows.col('`' + name.replace("`", "``") + '`'))
            .toArray(Column[]::new);
    return new RowBatches(rows.sortWithinPartitions(keys), size, StorageLevel.MEMORY_AND_DISK());
  }

  /** Returns whether rows are sorted by values of {@code type}. */
  private static boolean hasOrder(DataType type) {
    if (type instanceof ArrayType array) {
      return hasOrder(array.elementType());
    }
    return type instanceof NumericType
        || type instanceof StringType
        || type instanceof BinaryType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  /** Returns the shards. The first call runs a job, which computes every partition. */
  @Override
  public JavaRDD<Batches.Shard<List<Row>>> shards(JavaSparkContext context) {
    long[] expected = checksums();
    return shards.mapPartitionsWithIndex(
        (partition, shards) ->
            List.<Batches.Shard<List<Row>>>of(
                    shards.next().verified(partition, expected[partition]))
                .iterator(),
        true);
  }

  private synchronized long[] checksums() {
    if (checksums == null) {
      try {
        checksums =
            shards.map(RowShard::checksum).collect().stream().mapToLong(sum -> sum).toArray();
      } catch (Exception e) {
        throw TaskErrors.unwrapped(e);
      }
    }
    return checksums;
  }
}
