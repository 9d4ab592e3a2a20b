/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * The RDD of a model: the elements of a Spark partition are the partitions with its number of each
 * table, in table order. A table that is trained alone is a model of one table.
 */
public final class ModelPartitions {
  private ModelPartitions() {}

  /** Returns the partitions of the table with the given number. */
  public static JavaRDD<EmbeddingPartition> table(
      JavaRDD<EmbeddingPartition> model, int number, int tables) {
    return PartitionTasks.of(model, new OneTable(number, tables));
  }

  /**
   * Returns all elements of a task. Reads to the end of the iterator, so that Spark detects it.
   *
   * @throws IllegalStateException if there are more or fewer than {@code tables}
   */
  static List<EmbeddingPartition> all(Iterator<EmbeddingPartition> partitions, int tables) {
    List<EmbeddingPartition> all = next(partitions, tables);
    requireEnd(partitions);
    return all;
  }

  /**
   * Returns the elements of a task, but does not read the end of the iterator.
   *
   * @throws IllegalStateException if there are fewer than {@code tables}
   */
  static List<EmbeddingPartition> next(Iterator<EmbeddingPartition> partitions, int tables) {
    List<EmbeddingPartition> all = new ArrayList<>(tables);
    while (all.size() < tables) {
      if (!partitions.hasNext()) {
        throw new IllegalStateException(all.size() + " partitions of " + tables + " tables");
      }
      all.add(partitions.next());
    }
    return all;
  }

  /**
   * Reads the end of the iterator, so that Spark detects it.
   *
   * @throws IllegalStateException if there are more elements
   */
  static void requireEnd(Iterator<EmbeddingPartition> partitions) {
    if (partitions.hasNext()) {
      throw new IllegalStateException("more partitions than tables in one Spark partition");
    }
  }

  private record OneTable(int number, int tables)
      implements FlatMapFunction<Iterator<EmbeddingPartition>, EmbeddingPartition> {
    @Override
    public Iterator<EmbeddingPartition> call(Iterator<EmbeddingPartition> partitions) {
      return List.of(all(partitions, tables).get(number)).iterator();
    }
  }
}
