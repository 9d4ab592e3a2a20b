/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** RDDs whose partitions the tasks of others store. */
public final class StoredPartitions {
  private StoredPartitions() {}

  /**
   * Returns an RDD without stored partitions and without lineage: once all partitions are stored,
   * it is {@linkplain LocalCheckpoints#materialize checkpointed}, or gets a lineage by {@link
   * #derive}.
   */
  public static <T> JavaRDD<T> of(SparkContext context, int partitions) {
    return new Stored<T>(context, partitions).toJavaRDD();
  }

  /**
   * Gives an RDD its lineage: Spark computes a partition that is lost as that of {@code lineage}.
   * Nobody may have asked the RDD for its dependencies or partitions before, of which it keeps the
   * first answer.
   *
   * @throws IllegalStateException if somebody has: a lost partition could not be computed
   */
  public static <T> void derive(JavaRDD<T> stored, JavaRDD<T> lineage) {
    Stored<T> rdd = (Stored<T>) stored.rdd();
    rdd.lineage = lineage.rdd();
    boolean hasParents =
        Stream.of(rdd.partitions()).allMatch(split -> ((Split) split).parent() != null);
    if (rdd.dependencies().isEmpty() || !hasParents) {
      throw new IllegalStateException("RDD " + rdd.id() + " was read before it had a lineage");
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

  /** Carries the partition of the lineage, since tasks cannot always create it. */
  private record Split(int index, @Nullable Partition parent) implements Partition {}

  private static final class Stored<T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final int count;

    /** Null before {@link #derive}. */
    private transient volatile @Nullable RDD<T> lineage;

    Stored(SparkContext context, int count) {
      super(context, ScalaSeqs.of(List.<Dependency<?>>of()), ClassTag$.MODULE$.apply(Object.class));
      this.count = count;
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
      RDD<T> parent = lineage;
      return ScalaSeqs.of(parent == null ? List.of() : List.of(new OneToOneDependency<>(parent)));
    }

    @Override
    public void clearDependencies() {
      super.clearDependencies();
      lineage = null;
    }

    @Override
    public Partition[] getPartitions() {
      RDD<T> parent = lineage;
      return IntStream.range(0, count)
          .mapToObj(i -> new Split(i, parent == null ? null : parent.partitions()[i]))
          .toArray(Partition[]::new);
    }

    @Override
    @SuppressWarnings("unchecked")
    public scala.collection.Iterator<T> compute(Partition split, TaskContext task) {
      Partition parent = ((Split) split).parent();
      if (parent != null) {
        return ((RDD<T>) dependencies().head().rdd()).iterator(parent, task);
      }
      throw new IllegalStateException(
          "partition "
              + split.index()
              + " of RDD "
              + id()
              + " was lost before it was checkpointed");
    }
  }
}
