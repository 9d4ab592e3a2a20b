/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
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
 * Groups consecutive partitions of an RDD, each of which has one element. The task of a group reads
 * those of its partitions that it needs, in any order, and no others. {@code coalesce} reads all of
 * them.
 */
public final class PartitionGroups {
  private PartitionGroups() {}

  /** Makes the one element of a group. */
  public interface Task<A, T> extends Serializable {
    /**
     * Returns the element of a group.
     *
     * @param group number of the group
     * @param parts reads the element of partition {@code i} of the group; call it in the thread of
     *     the task
     */
    T call(int group, IntFunction<A> parts);
  }

  /**
   * Returns an RDD with one element for each {@code size} partitions of {@code rdd}, whose number
   * of partitions is a multiple of it.
   */
  public static <A, T> JavaRDD<T> of(JavaRDD<A> rdd, int size, Task<A, T> task) {
    return new Groups<>(rdd.rdd(), size, task).toJavaRDD();
  }

  private record Group(int index, List<Partition> parts) implements Partition {}

  private static final class Parents<A> extends NarrowDependency<A> {
    private static final long serialVersionUID = 1;

    private final int size;

    Parents(RDD<A> rdd, int size) {
      super(rdd);
      this.size = size;
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's Int is erased
    public Seq<Object> getParents(int group) {
      List<Integer> parents = IntStream.range(group * size, (group + 1) * size).boxed().toList();
      return (Seq) CollectionConverters.asScala(parents).toSeq();
    }
  }

  private static final class Groups<A, T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final int size;
    private final Task<A, T> task;

    Groups(RDD<A> rdd, int size, Task<A, T> task) {
      super(
          rdd.context(),
          CollectionConverters.<Dependency<?>>asScala(List.of(new Parents<>(rdd, size))).toSeq(),
          ClassTag$.MODULE$.apply(Object.class));
      this.size = size;
      this.task = task;
    }

    @Override
    public Partition[] getPartitions() {
      Partition[] all = dependencies().head().rdd().partitions();
      return IntStream.range(0, all.length / size)
          .mapToObj(i -> new Group(i, List.of(Arrays.copyOfRange(all, i * size, (i + 1) * size))))
          .toArray(Partition[]::new);
    }

    @Override
    @SuppressWarnings("unchecked")
    public scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
      RDD<A> parent = (RDD<A>) dependencies().head().rdd();
      List<Partition> parts = ((Group) split).parts();
      T element = task.call(split.index(), i -> only(parent.iterator(parts.get(i), context)));
      return CollectionConverters.asScala(List.of(element).iterator());
    }

    private static <A> A only(scala.collection.Iterator<A> elements) {
      A element = elements.next();
      if (elements.hasNext()) { // the end of a persisted partition releases its lock
        throw new IllegalStateException("two elements in a partition of a group");
      }
      return element;
    }
  }
}
