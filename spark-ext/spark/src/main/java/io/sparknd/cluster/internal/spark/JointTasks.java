/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Applies a function in tasks that may each read any partition of two RDDs, such as the tasks of a
 * {@link TaskTeam}, in local mode.
 */
public final class JointTasks {
  private JointTasks() {}

  /** Computes one partition. */
  public interface Task<A, B, T> extends Serializable {
    /**
     * Returns the partitions of both RDDs, from the memory of this JVM: they may contain data, and
     * are too much for every task to carry.
     */
    List<List<Partition>> parents();

    Iterator<T> call(int partition, Inputs<A> first, Inputs<B> second) throws Exception;
  }

  /** The partitions of an RDD, to the task that reads them. */
  public static final class Inputs<A> {
    private final RDD<A> rdd;
    private final List<Partition> partitions;
    private final TaskContext task;

    private Inputs(RDD<A> rdd, List<Partition> partitions, TaskContext task) {
      this.rdd = rdd;
      this.partitions = partitions;
      this.task = task;
    }

    /** Returns the number of partitions. */
    public int count() {
      return partitions.size();
    }

    /** Returns the elements of a partition. Call it in the thread of the task. */
    public List<A> elements(int partition) {
      List<A> elements = new ArrayList<>();
      CollectionConverters.asJava(rdd.iterator(partitions.get(partition), task))
          .forEachRemaining(elements::add); // the end releases the lock of a persisted block
      return elements;
    }

    /**
     * Removes a partition of a persisted RDD from the cache, as {@link PartitionTasks#taking} does,
     * and returns its elements.
     */
    public List<A> taken(int partition) {
      List<A> elements = elements(partition);
      CachedPartitions.remove(rdd.id(), partition);
      return elements;
    }
  }

  /** Returns the partitions of RDDs, for {@link Task#parents}. */
  public static List<List<Partition>> partitions(JavaRDD<?> first, JavaRDD<?> second) {
    return List.of(List.of(first.rdd().partitions()), List.of(second.rdd().partitions()));
  }

  /** Returns an RDD with as many partitions as {@code first}. */
  public static <A, B, T> JavaRDD<T> of(
      JavaRDD<A> first, JavaRDD<B> second, Task<A, B, T> function) {
    return new Joint<>(first.rdd(), second.rdd(), function).toJavaRDD();
  }

  private record Split(int index) implements Partition {}

  /** A dependency of each partition on all those of the parent. */
  private static final class OnAll<A> extends NarrowDependency<A> {
    private static final long serialVersionUID = 1;

    private final int count;

    OnAll(RDD<A> parent) {
      super(parent);
      this.count = parent.getNumPartitions();
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's Int is erased
    public Seq<Object> getParents(int partition) {
      return (Seq) CollectionConverters.asScala(IntStream.range(0, count).boxed().toList()).toSeq();
    }
  }

  private static final class Joint<A, B, T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final Task<A, B, T> function;

    Joint(RDD<A> first, RDD<B> second, Task<A, B, T> function) {
      super(
          first.sparkContext(),
          CollectionConverters.<Dependency<?>>asScala(
                  List.of(new OnAll<>(first), new OnAll<>(second)))
              .toSeq(),
          ClassTag$.MODULE$.apply(Object.class));
      this.function = function;
    }

    @SuppressWarnings("unchecked")
    private <P> RDD<P> parent(int number) {
      return (RDD<P>) dependencies().apply(number).rdd();
    }

    @Override
    public Partition[] getPartitions() {
      int count = parent(0).getNumPartitions();
      return IntStream.range(0, count).mapToObj(Split::new).toArray(Partition[]::new);
    }

    @Override
    public scala.collection.Iterator<T> compute(Partition split, TaskContext task) {
      List<List<Partition>> parents = function.parents();
      try {
        Iterator<T> results =
            function.call(
                split.index(),
                new Inputs<>(this.<A>parent(0), parents.get(0), task),
                new Inputs<>(this.<B>parent(1), parents.get(1), task));
        return CollectionConverters.asScala(results);
      } catch (Exception e) {
        throw SneakyThrow.thrown(e);
      }
    }
  }
}
