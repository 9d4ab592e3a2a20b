/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import org.jspecify.annotations.Nullable;
import scala.Option;
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

  private record Group(int index) implements Partition {}

  /** What computes a partition that is not persisted. */
  private record Lineage<A>(RDD<A> rdd, Partition[] parts) implements Serializable {}

  /** Has its parent on the driver alone: a task rarely needs it. */
  private static final class Parents<A> extends NarrowDependency<A> {
    private static final long serialVersionUID = 1;

    private final transient @Nullable RDD<A> rdd;
    private final int size;

    Parents(RDD<A> rdd, int size) {
      super(null);
      this.rdd = rdd;
      this.size = size;
    }

    @Override
    public RDD<A> rdd() {
      return Objects.requireNonNull(rdd);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's Int is erased
    public Seq<Object> getParents(int group) {
      List<Integer> parents = IntStream.range(group * size, (group + 1) * size).boxed().toList();
      return (Seq) CollectionConverters.asScala(parents).toSeq();
    }
  }

  /**
   * An RDD of groups. Its tasks read persisted partitions by their names. The lineage of a query
   * has 100 KB, which each task would read in 2 ms; it is a broadcast that only tasks without a
   * persisted partition read.
   */
  private static final class Groups<A, T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final int groups;
    private final int parent;
    private final int size;
    private final Task<A, T> task;
    private final Broadcast<byte[]> lineage;

    /** The lineage that this task has read. */
    private transient @Nullable Lineage<A> own;

    Groups(RDD<A> rdd, int size, Task<A, T> task) {
      super(
          rdd.context(),
          CollectionConverters.<Dependency<?>>asScala(List.of(new Parents<>(rdd, size))).toSeq(),
          ClassTag$.MODULE$.apply(Object.class));
      this.groups = rdd.getNumPartitions() / size;
      this.parent = rdd.id();
      this.size = size;
      this.task = task;
      this.lineage =
          JavaSparkContext.fromSparkContext(rdd.context())
              .broadcast(ClosureBytes.of(new Lineage<>(rdd, rdd.partitions())));
    }

    @Override
    public Partition[] getPartitions() {
      return IntStream.range(0, groups).mapToObj(Group::new).toArray(Partition[]::new);
    }

    @Override
    public scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
      int first = split.index() * size;
      T element = task.call(split.index(), i -> only(elements(first + i, context)));
      return CollectionConverters.asScala(List.of(element).iterator());
    }

    @SuppressWarnings("unchecked")
    private scala.collection.Iterator<A> elements(int part, TaskContext context) {
      Option<BlockResult> block =
          SparkEnv.get()
              .blockManager()
              .get(new RDDBlockId(parent, part), ClassTag$.MODULE$.apply(Object.class));
      return block.isDefined()
          ? (scala.collection.Iterator<A>) block.get().data()
          : computed(part, context);
    }

    private scala.collection.Iterator<A> computed(int part, TaskContext context) {
      Lineage<A> found = own == null ? read() : own;
      own = found;
      return found.rdd().iterator(found.parts()[part], context);
    }

    private Lineage<A> read() {
      return ClosureBytes.read(lineage.value(), Lineage.class);
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
