/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** RDDs whose partitions the tasks of others store. */
public final class StoredPartitions {
  private StoredPartitions() {}

  /**
   * Returns an RDD without stored partitions and without lineage: once all partitions are stored,
   * it is {@linkplain LocalCheckpoints#materialize checkpointed}.
   */
  public static <T> JavaRDD<T> of(SparkContext context, int partitions) {
    return new Stored<T>(context, partitions).toJavaRDD();
  }

  /** Returns an RDD without stored partitions, which are those of {@code lineage}. */
  public static <T> JavaRDD<T> of(JavaRDD<T> lineage) {
    return PartitionTasks.of(lineage, new Same<>());
  }

  private record Same<T>() implements FlatMapFunction<Iterator<T>, T> {
    @Override
    public Iterator<T> call(Iterator<T> elements) {
      return elements;
    }
  }

  /**
   * Stores a partition, unless this executor has it. For tasks.
   *
   * @param rdd the id of the RDD
   * @param level the level at which it is persisted
   */
  public static <T> void store(int rdd, StorageLevel level, int partition, List<T> elements) {
    SparkEnv.get()
        .blockManager()
        .putIterator(
            new RDDBlockId(rdd, partition),
            CollectionConverters.asScala(elements.iterator()),
            level,
            true,
            ClassTag$.MODULE$.apply(Object.class));
  }

  private record Split(int index) implements Partition {}

  private static final class Stored<T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final int count;

    Stored(SparkContext context, int count) {
      super(context, ScalaSeqs.of(List.<Dependency<?>>of()), ClassTag$.MODULE$.apply(Object.class));
      this.count = count;
    }

    @Override
    public Partition[] getPartitions() {
      return IntStream.range(0, count).mapToObj(Split::new).toArray(Partition[]::new);
    }

    @Override
    public scala.collection.Iterator<T> compute(Partition split, TaskContext task) {
      throw new IllegalStateException(
          "partition "
              + split.index()
              + " of RDD "
              + id()
              + " was lost before it was checkpointed");
    }
  }
}
