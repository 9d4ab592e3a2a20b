/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.JavaSparkStatusTracker;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Tasks of a barrier stage, the members, which run at the same time and may send each other
 * messages. Member {@code i} of {@code n} has partitions {@code i}, {@code i + n}, ... of two RDDs.
 * If one fails, Spark ends all of them, and the job.
 */
public final class BarrierTasks {
  /** For how long the job waits for the cores of all members, before it fails. */
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_MILLIS = 200;

  /** Spark's condition for a job that a user cancels. */
  private static final String CANCELLED = "SPARK_JOB_CANCELLED";

  private BarrierTasks() {}

  /** The work of one member. */
  public interface Task<A, B, T> extends Serializable {
    T call(Own<A> first, Own<B> second) throws Exception;
  }

  /** The partitions of an RDD that a member has. */
  public static final class Own<A> {
    private final RDD<A> rdd;
    private final List<Partition> partitions;
    private final TaskContext task;

    private Own(RDD<A> rdd, List<Partition> partitions, TaskContext task) {
      this.rdd = rdd;
      this.partitions = partitions;
      this.task = task;
    }

    /** Returns the numbers of the partitions. */
    public List<Integer> numbers() {
      return partitions.stream().map(Partition::index).toList();
    }

    /** Returns the elements of a partition, which is one of {@link #numbers}. */
    public List<A> elements(int number) {
      Partition partition =
          partitions.stream().filter(each -> each.index() == number).findFirst().orElseThrow();
      DetachedTaskContext own = new DetachedTaskContext(task, number);
      // to the end, which releases the lock of a persisted block
      return own.call(
          () -> List.copyOf(CollectionConverters.asJava(rdd.iterator(partition, own).toSeq())));
    }
  }

  /**
   * Returns whether the tasks of a job can be in several JVMs, and Spark can run them as a barrier
   * stage.
   */
  public static boolean arePossible(SparkContext context) {
    SparkConf conf = context.conf();
    return !context.isLocal()
        && !conf.getBoolean("spark.dynamicAllocation.enabled", false)
        // blocks that tasks store beside their RDD would stay invisible
        && !conf.getBoolean("spark.rdd.cache.visibilityTracking.enabled", false);
  }

  /** Returns whether a user cancelled the job that failed. */
  public static boolean isCancelled(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable error && CANCELLED.equals(error.getCondition())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs a job of {@code members} tasks, and returns the result of each. A job must have computed
   * {@code first} and {@code second} if they come from a shuffle: this one cannot run stages before
   * it, and does not know their shuffles.
   *
   * @throws ExecutionException if a task fails, an executor is lost, or other jobs hold the cores
   * @throws InterruptedException if this thread is interrupted; the job is cancelled then
   */
  public static <A, B, T> List<T> run(
      JavaRDD<A> first, JavaRDD<B> second, int members, Task<A, B, T> task)
      throws ExecutionException, InterruptedException {
    Members<A, B, T> all = new Members<>(first.rdd(), second.rdd(), members, task);
    JavaFutureAction<List<T>> job = all.toJavaRDD().collectAsync();
    boolean ended = false;
    try {
      List<T> results = await(first.context(), job);
      ended = true;
      return results;
    } finally {
      if (!ended) {
        all.isGivenUp = true;
        job.cancel(true);
      }
    }
  }

  private static <T> T await(SparkContext context, JavaFutureAction<T> job)
      throws ExecutionException, InterruptedException {
    long begin = System.nanoTime();
    boolean hasStarted = false;
    while (true) {
      try {
        return job.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        hasStarted = hasStarted || hasStarted(context, job);
        if (!hasStarted && System.nanoTime() - begin > START_NANOS) {
          throw new ExecutionException("other jobs hold the cores of the executors", e);
        }
      }
    }
  }

  /** Asks the scheduler: what the status tracker knows of tasks may be as old as a heartbeat. */
  private static boolean hasStarted(SparkContext context, JavaFutureAction<?> job) {
    JavaSparkStatusTracker tracker = JavaSparkContext.fromSparkContext(context).statusTracker();
    TaskSchedulerImpl scheduler = (TaskSchedulerImpl) context.taskScheduler();
    return job.jobIds().stream()
        .map(tracker::getJobInfo)
        .filter(Objects::nonNull)
        .flatMap(info -> IntStream.of(info.stageIds()).boxed())
        .map(stage -> scheduler.taskSetManagerForAttempt(stage, 0))
        .anyMatch(tasks -> tasks.isDefined() && tasks.get().runningTasks() > 0);
  }

  /** Carries the member's partitions of both RDDs. */
  private record Split(int index, List<Partition> first, List<Partition> second)
      implements Partition {}

  /**
   * The members. The two RDDs are no dependencies: Spark requires that those of a barrier stage
   * have as many partitions as the stage has tasks.
   */
  private static final class Members<A, B, T> extends RDD<T> {
    private static final long serialVersionUID = 1;

    private final RDD<A> first;
    private final RDD<B> second;
    private final int members;
    private final Task<A, B, T> task;

    /**
     * Whether nobody waits for the job. Spark cancels a job only once there were cores for all its
     * tasks, for which it looks again and again.
     */
    private transient volatile boolean isGivenUp;

    Members(RDD<A> first, RDD<B> second, int members, Task<A, B, T> task) {
      super(
          first.sparkContext(),
          ScalaSeqs.of(List.<Dependency<?>>of()),
          ClassTag$.MODULE$.apply(Object.class));
      this.first = first;
      this.second = second;
      this.members = members;
      this.task = task;
    }

    @Override
    public boolean isBarrier() {
      return true;
    }

    @Override
    public Partition[] getPartitions() {
      return IntStream.range(0, members)
          .mapToObj(i -> new Split(i, own(first, i), own(second, i)))
          .toArray(Partition[]::new);
    }

    private List<Partition> own(RDD<?> rdd, int member) {
      Partition[] all = rdd.partitions();
      return IntStream.iterate(member, i -> i < all.length, i -> i + members)
          .mapToObj(i -> all[i])
          .toList();
    }

    /** Prefers an executor that has the first partition of the second RDD, or of the first one. */
    @Override
    public Seq<String> getPreferredLocations(Partition split) {
      if (isGivenUp) {
        throw new IllegalStateException("nobody waits for this job any more"); // ends the job
      }
      List<String> ofSecond = locations(second, ((Split) split).second());
      List<String> all = ofSecond.isEmpty() ? locations(first, ((Split) split).first()) : ofSecond;
      return CollectionConverters.asScala(all).toSeq();
    }

    private static List<String> locations(RDD<?> rdd, List<Partition> partitions) {
      return partitions.isEmpty()
          ? List.of()
          : CollectionConverters.asJava(
                  rdd.sparkContext().getPreferredLocs(rdd, partitions.get(0).index()))
              .stream()
              .map(Object::toString)
              .toList();
    }

    @Override
    public scala.collection.Iterator<T> compute(Partition split, TaskContext context) {
      DetachedTaskContext own = new DetachedTaskContext(context, split.index());
      T result = own.call(() -> called((Split) split, own));
      return CollectionConverters.asScala(List.of(result).iterator());
    }

    private T called(Split split, TaskContext own) {
      try {
        return task.call(
            new Own<>(first, split.first(), own), new Own<>(second, split.second(), own));
      } catch (Exception e) {
        throw SneakyThrow.thrown(e);
      }
    }
  }
}
