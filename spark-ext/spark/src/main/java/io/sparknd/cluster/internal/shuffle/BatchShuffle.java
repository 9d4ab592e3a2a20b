/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.spark.BatchMapOutput;
import io.sparknd.cluster.internal.spark.HeapMapOutputs;
import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.DeterministicLevel$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Shuffles batches to their partitions. Spark then handles a few objects of up to a megabyte
 * instead of millions of rows.
 */
public final class BatchShuffle {
  private BatchShuffle() {}

  /** The order in which a partition receives its batches. */
  public enum Order {
    /** By source and sequence: the order of the updates before the shuffle. Spills when large. */
    AS_SENT,
    /** In the order of arrival, without buffering. */
    ANY;

    /** Returns the order that a scatter needs for a bit-exact result. */
    public static Order of(Scatter how, DType dtype) {
      boolean extreme =
          switch (how.reduction()) {
            case MIN, MAX, FMIN, FMAX -> true;
            default -> false;
          };
      boolean exact =
          switch (dtype.kind()) {
            case BOOL, SIGNED, UNSIGNED -> how.reduction() != Reduction.NONE;
            default -> false;
          };
      return (extreme || exact) && !firstCounts(how) ? ANY : AS_SENT;
    }

    /** Returns whether others are subtracted from the first update, which replaces the element. */
    public static boolean firstCounts(Scatter how) {
      return how.self() == IncludeSelf.EXCLUDED && how.reduction() == Reduction.SUB;
    }
  }

  /** Sends every batch to its partition, through files. */
  public static JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffle(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches,
      int partitions,
      Storage storage,
      Order order) {
    return new Batches(batches.rdd(), partitions, storage, order, Medium.FILES).toJavaRDD();
  }

  /**
   * Sends every batch to its partition: in local mode by reference, as far as there is room in the
   * heap, else through files. Nobody may modify the arrays of the batches. A later job may make the
   * batches again, as after the loss of an executor.
   */
  public static JavaRDD<Tuple2<BatchKey, ShuffleBatch>> byReference(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches,
      int partitions,
      Storage storage,
      Order order) {
    Medium medium = Medium.of(batches.rdd(), storage);
    return new Batches(batches.rdd(), partitions, storage, order, medium).toJavaRDD();
  }

  /**
   * Sends every batch to its partition, by reference in the memory of this JVM: only in local mode.
   * The arrays of the batches must not be modified. They stay in memory until {@link
   * LocalMapOutputs#release}.
   */
  public static JavaRDD<Tuple2<BatchKey, ShuffleBatch>> inMemory(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches,
      int partitions,
      Storage storage,
      Order order) {
    return new Batches(batches.rdd(), partitions, storage, order, Medium.MEMORY).toJavaRDD();
  }

  /** Where batches are between their tasks. */
  private enum Medium {
    FILES,
    /** The heap of this JVM as far as there is room, else files. */
    HEAP,
    /** The heap of this JVM until they are released. */
    MEMORY;

    /**
     * Returns the heap in local mode, for batches of known size that are the same if made again.
     */
    static Medium of(RDD<?> batches, Storage storage) {
      boolean isSame =
          batches.outputDeterministicLevel().equals(DeterministicLevel$.MODULE$.DETERMINATE());
      boolean isHeap = batches.sparkContext().isLocal() && storage != Storage.STRING && isSame;
      return isHeap ? HEAP : FILES;
    }

    ShuffleWriteProcessor writer(int maps) {
      return switch (this) {
        case FILES -> new BatchMapOutput();
        case HEAP -> HeapMapOutputs.writer(maps);
        case MEMORY -> LocalMapOutputs.writer();
      };
    }

    /** Returns the records for a partition; null if they are in files. */
    @Nullable List<Product2<?, ?>> records(ShuffleDependency<?, ?, ?> shuffle, int partition) {
      return switch (this) {
        case FILES -> null;
        case HEAP -> HeapMapOutputs.records(shuffle, partition);
        case MEMORY -> LocalMapOutputs.records(shuffle, partition);
      };
    }
  }

  /**
   * Reads the shuffle when the first batch is requested, so that the caller can measure the read.
   */
  private static final class Batches extends ShuffledRDD<BatchKey, ShuffleBatch, ShuffleBatch> {
    private static final long serialVersionUID = 1;

    private static final ClassTag<BatchKey> KEY = ClassTag$.MODULE$.apply(BatchKey.class);
    private static final ClassTag<ShuffleBatch> BATCH = ClassTag$.MODULE$.apply(ShuffleBatch.class);

    private final transient Storage storage;
    private final Order order;
    private final Medium medium;

    Batches(
        RDD<Tuple2<BatchKey, ShuffleBatch>> sent,
        int partitions,
        Storage storage,
        Order order,
        Medium medium) {
      super(sent, new ByKey(partitions), KEY, BATCH, BATCH);
      this.storage = storage;
      this.order = order;
      this.medium = medium;
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
      Ordering<BatchKey> inOrder =
          order == Order.AS_SENT ? Ordering$.MODULE$.comparatorToOrdering(new InOrder()) : null;
      ShuffleDependency<BatchKey, ShuffleBatch, ShuffleBatch> shuffle =
          new ShuffleDependency<>(
              prev(),
              partitioner().get(),
              new BatchSerializer(storage),
              Option.apply(inOrder),
              Option.empty(),
              false,
              medium.writer(prev().getNumPartitions()),
              KEY,
              BATCH,
              BATCH);
      return CollectionConverters.asScala(List.<Dependency<?>>of(shuffle)).toSeq();
    }

    @Override
    public Iterator<Tuple2<BatchKey, ShuffleBatch>> compute(Partition split, TaskContext context) {
      return new Late<>(
          () -> {
            List<Product2<?, ?>> local = medium.records(shuffle(), split.index());
            return local == null ? super.compute(split, context) : inOrder(local);
          });
    }

    private ShuffleDependency<?, ?, ?> shuffle() {
      return (ShuffleDependency<?, ?, ?>) dependencies().head();
    }

    private Iterator<Tuple2<BatchKey, ShuffleBatch>> inOrder(List<Product2<?, ?>> records) {
      Stream<Tuple2<BatchKey, ShuffleBatch>> batches =
          records.stream()
              .map(record -> new Tuple2<>((BatchKey) record._1(), (ShuffleBatch) record._2()));
      return CollectionConverters.asScala(
          (order == Order.AS_SENT ? batches.sorted(Comparator.comparing(Tuple2::_1)) : batches)
              .iterator());
    }
  }

  /** An iterator that is created at first use. */
  private static final class Late<T> extends AbstractIterator<T> {
    private final Supplier<Iterator<T>> maker;
    private @Nullable Iterator<T> made;

    Late(Supplier<Iterator<T>> maker) {
      this.maker = maker;
    }

    @Override
    public boolean hasNext() {
      return made().hasNext();
    }

    @Override
    public T next() {
      return made().next();
    }

    private Iterator<T> made() {
      made = made == null ? maker.get() : made;
      return made;
    }
  }

  /** The natural order of keys, in a serializable class. */
  private static final class InOrder implements Comparator<BatchKey>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int compare(BatchKey a, BatchKey b) {
      return a.compareTo(b);
    }
  }

  /** Returns the partition in the key. */
  private static final class ByKey extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int partitions;

    ByKey(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      return ((BatchKey) key).partition();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByKey that && that.partitions == partitions;
    }

    @Override
    public int hashCode() {
      return partitions;
    }
  }
}
