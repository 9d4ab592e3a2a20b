/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Applies functions to the partitions of one or two RDDs. It replaces {@code mapPartitions}, {@code
 * mapPartitionsWithIndex} and {@code zipPartitions}: for every RDD, these search class files for
 * what a closure captures and wrap it in closures of their own, which every task looks up by
 * reflection. That is negligible in a job of seconds, but not in one of milliseconds. A function
 * here is a record, which holds only what it declares.
 */
public final class PartitionTasks {
  private PartitionTasks() {}

  /** Returns the results of {@code function} for each partition of {@code rdd}. */
  public static <A, T> JavaRDD<T> of(JavaRDD<A> rdd, FlatMapFunction<Iterator<A>, T> function) {
    return new OfOne<>(rdd.rdd(), function).toJavaRDD();
  }

  /** Returns the results of {@code function} for the number of each partition and its elements. */
  public static <A, T> JavaRDD<T> numbered(
      JavaRDD<A> rdd, FlatMapFunction2<Integer, Iterator<A>, T> function) {
    return new OfNumbered<>(rdd.rdd(), function).toJavaRDD();
  }

  /** Returns the results of {@code function} for each pair of partitions with the same number. */
  public static <A, B, T> JavaRDD<T> of(
      JavaRDD<A> first, JavaRDD<B> second, FlatMapFunction2<Iterator<A>, Iterator<B>, T> function) {
    return new OfTwo<>(first.rdd(), second.rdd(), function).toJavaRDD();
  }

  /**
   * Returns the results of {@code function} for each pair of partitions with the same number, and
   * removes each partition of {@code first}, which is persisted, from the cache before {@code
   * function} gets it. {@code second} must not read {@code first}. Thus a partition and its result
   * do not both count as memory, and a result that shares most of its blocks with the partition is
   * not written to disk for lack of memory.
   *
   * <p>{@code function} may also reuse the arrays of the partition. Readers hold Spark's lock of a
   * cached block until they have read its last element, and a block is removed only while nobody
   * holds the lock. So no task reads a partition that {@code function} writes to, provided that
   * every other reader finishes with its elements before it asks for more than the last. This holds
   * even if a task is repeated: it no longer finds the block, so it computes the partition from the
   * lineage of {@code first} or, if that is cut off there, fails. It is therefore for {@link
   * #runOnce}.
   */
  public static <A, B, T> JavaRDD<T> taking(
      JavaRDD<A> first, JavaRDD<B> second, FlatMapFunction2<Iterator<A>, Iterator<B>, T> function) {
    return new OfTaken<>(first.rdd(), second.rdd(), function).toJavaRDD();
  }

  /**
   * Returns the elements of the partitions with the same number, in the order of {@code rdds},
   * which have equally many partitions. A task reads one after the other. However many there are,
   * they are parents of one RDD.
   */
  public static <T> JavaRDD<T> concatenated(List<JavaRDD<T>> rdds) {
    RDD<?>[] parents = rdds.stream().map(JavaRDD::rdd).toArray(RDD<?>[]::new);
    return new Concatenated<T>(parents).toJavaRDD();
  }

  /**
   * Returns whether Spark runs each task once, unless shuffle files are lost or a user kills a
   * task: in local mode with one attempt per task. There is no speculation in local mode, and no
   * executor is lost without the driver.
   */
  public static boolean runOnce(SparkContext context) {
    // local[2,3] makes up to three attempts
    return context.isLocal() && !context.master().contains(",");
  }

  /** Returns how many tasks run at once, if no other job runs; at least 1. */
  public static int atOnce(SparkContext context) {
    return Math.max(1, slots(context));
  }

  /** Returns how many tasks run at once, if no other job runs; 0 before an executor has begun. */
  public static int slots(SparkContext context) {
    return context.maxNumConcurrentTasks(context.resourceProfileManager().defaultResourceProfile());
  }

  /**
   * Runs a job that computes every partition and discards the elements. If this thread is
   * interrupted, the job is cancelled.
   */
  public static <T> void run(JavaRDD<T> rdd) {
    SparkContext context = rdd.context();
    InterruptedJobs.run(
        context, () -> context.runJob(rdd.rdd(), new Drain<T>(), ClassTag$.MODULE$.Unit()));
  }

  /**
   * Returns all elements on the driver, in the order of the partitions. If this thread is
   * interrupted, the job is cancelled.
   */
  public static <T> List<T> collected(JavaRDD<T> rdd) {
    SparkContext context = rdd.context();
    ClassTag<List<T>> tag = ClassTag$.MODULE$.apply(List.class);
    Object parts =
        InterruptedJobs.run(context, () -> context.runJob(rdd.rdd(), new Collect<T>(), tag));
    List<T> all = new ArrayList<>();
    for (Object part : (Object[]) parts) {
      @SuppressWarnings("unchecked") // a result of Collect<T>
      List<T> elements = (List<T>) part;
      all.addAll(elements);
    }
    return all;
  }

  /** Returns the elements of a partition; it is a class, so that there is no closure to clean. */
  private static final class Collect<T>
      extends AbstractFunction2<TaskContext, scala.collection.Iterator<T>, List<T>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public List<T> apply(TaskContext context, scala.collection.Iterator<T> elements) {
      List<T> all = new ArrayList<>();
      while (elements.hasNext()) {
        all.add(elements.next());
      }
      return all;
    }
  }

  /** Discards elements; it is a class, so that there is no closure to clean. */
  private static final class Drain<T>
      extends AbstractFunction2<TaskContext, scala.collection.Iterator<T>, BoxedUnit>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public BoxedUnit apply(TaskContext context, scala.collection.Iterator<T> elements) {
      while (elements.hasNext()) {
        elements.next();
      }
      return BoxedUnit.UNIT;
    }
  }

  /**
   * An RDD of results. It reaches its parents by the dependencies, so that a checkpoint releases
   * them.
   */
  private abstract static class Results<T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    Results(RDD<?>... parents) {
      super(parents[0].sparkContext(), oneToOne(parents), ClassTag$.MODULE$.apply(Object.class));
    }

    private static Seq<Dependency<?>> oneToOne(RDD<?>... parents) {
      Stream<Dependency<?>> dependencies = Stream.of(parents).map(OneToOneDependency::new);
      return CollectionConverters.asScala(dependencies.toList()).toSeq();
    }

    @Override
    public Partition[] getPartitions() {
      int count = dependencies().head().rdd().getNumPartitions();
      return IntStream.range(0, count).mapToObj(this::split).toArray(Partition[]::new);
    }

    private Partition split(int index) {
      Stream<Dependency<?>> parents = CollectionConverters.asJava(dependencies()).stream();
      return new Split(index, parents.map(parent -> parent.rdd().partitions()[index]).toList());
    }

    /** Returns the elements of {@code parent} in a partition. */
    @SuppressWarnings("unchecked")
    final <A> Iterator<A> elements(int parent, Partition split, TaskContext context) {
      RDD<A> rdd = (RDD<A>) dependencies().apply(parent).rdd();
      return CollectionConverters.asJava(
          rdd.iterator(((Split) split).parents().get(parent), context));
    }

    @Override
    public final scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
      try {
        return CollectionConverters.asScala(results(split, context));
      } catch (Exception e) {
        throw SneakyThrow.thrown(e);
      }
    }

    abstract Iterator<T> results(Partition split, TaskContext context) throws Exception;
  }

  /** Carries the partitions of the parents, since tasks cannot always create them. */
  private record Split(int index, List<Partition> parents) implements Partition {}

  private static final class OfOne<A, T> extends Results<T> {
    private static final long serialVersionUID = 1;

    private final FlatMapFunction<Iterator<A>, T> function;

    OfOne(RDD<A> rdd, FlatMapFunction<Iterator<A>, T> function) {
      super(rdd);
      this.function = function;
    }

    @Override
    Iterator<T> results(Partition split, TaskContext context) throws Exception {
      return function.call(elements(0, split, context));
    }
  }

  private static final class OfNumbered<A, T> extends Results<T> {
    private static final long serialVersionUID = 1;

    private final FlatMapFunction2<Integer, Iterator<A>, T> function;

    OfNumbered(RDD<A> rdd, FlatMapFunction2<Integer, Iterator<A>, T> function) {
      super(rdd);
      this.function = function;
    }

    @Override
    Iterator<T> results(Partition split, TaskContext context) throws Exception {
      return function.call(split.index(), elements(0, split, context));
    }
  }

  private static final class OfTwo<A, B, T> extends Results<T> {
    private static final long serialVersionUID = 1;

    private final FlatMapFunction2<Iterator<A>, Iterator<B>, T> function;

    OfTwo(RDD<A> first, RDD<B> second, FlatMapFunction2<Iterator<A>, Iterator<B>, T> function) {
      super(first, second);
      this.function = function;
    }

    @Override
    Iterator<T> results(Partition split, TaskContext context) throws Exception {
      return function.call(elements(0, split, context), elements(1, split, context));
    }
  }

  private static final class OfTaken<A, B, T> extends Results<T> {
    private static final long serialVersionUID = 1;

    private final int taken;
    private final FlatMapFunction2<Iterator<A>, Iterator<B>, T> function;

    OfTaken(RDD<A> first, RDD<B> second, FlatMapFunction2<Iterator<A>, Iterator<B>, T> function) {
      super(first, second);
      this.taken = first.id();
      this.function = function;
    }

    @Override
    Iterator<T> results(Partition split, TaskContext context) throws Exception {
      List<A> first = new ArrayList<>();
      this.<A>elements(0, split, context).forEachRemaining(first::add); // releases the block
      CachedPartitions.remove(taken, split.index());
      return function.call(first.iterator(), elements(1, split, context));
    }
  }

  private static final class Concatenated<T> extends Results<T> {
    private static final long serialVersionUID = 1;

    Concatenated(RDD<?>... parents) {
      super(parents);
    }

    @Override
    Iterator<T> results(Partition split, TaskContext context) {
      return new Iterator<>() {
        private final int count = dependencies().size();
        private Iterator<T> current = Collections.emptyIterator();
        private int next;

        @Override
        public boolean hasNext() {
          while (!current.hasNext() && next < count) {
            current = elements(next++, split, context);
          }
          return current.hasNext();
        }

        @Override
        public T next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          return current.next();
        }
      };
    }
  }
}
