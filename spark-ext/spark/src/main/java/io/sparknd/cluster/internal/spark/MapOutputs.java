/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import java.util.Objects;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.ShuffleReader;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * The map outputs of a shuffle for some of its reduce partitions, one partition per map task. Many
 * tasks can thus read a reduce partition that is too large for one.
 */
public final class MapOutputs<K, V> extends RDD<Tuple2<K, V>> {
  private static final long serialVersionUID = 1;

  private final int[] reducers;

  private MapOutputs(RDD<?> shuffled, int[] reducers) {
    super(shuffled.sparkContext(), shuffled.dependencies(), ClassTag$.MODULE$.apply(Tuple2.class));
    this.reducers = reducers;
  }

  /**
   * Returns the map outputs for {@code reducers}.
   *
   * @param shuffled depends on one shuffle
   * @param reducers partitions of {@code shuffled}; a map task's parts of them come in this order
   */
  public static <K, V> JavaRDD<Tuple2<K, V>> of(JavaRDD<Tuple2<K, V>> shuffled, int[] reducers) {
    return new MapOutputs<K, V>(shuffled.rdd(), reducers.clone()).toJavaRDD();
  }

  private ShuffleDependency<?, ?, ?> shuffle() {
    return (ShuffleDependency<?, ?, ?>) dependencies().head();
  }

  @Override
  public Partition[] getPartitions() {
    return IndexedPartition.upTo(shuffle().rdd().getNumPartitions());
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    return tracker.getMapLocation(shuffle(), split.index(), split.index() + 1);
  }

  @Override
  public Iterator<Tuple2<K, V>> compute(Partition split, TaskContext context) {
    return new InTurn(split.index(), context);
  }

  private Iterator<? extends Product2<K, V>> records(int map, int reducer, TaskContext context) {
    List<Product2<?, ?>> inHeap = HeapMapOutputs.records(shuffle(), map, map + 1, reducer);
    return inHeap == null ? reader(map, reducer, context).read() : typed(inHeap);
  }

  @SuppressWarnings("unchecked") // what the shuffle's map tasks wrote
  private static <K, V> Iterator<? extends Product2<K, V>> typed(List<Product2<?, ?>> records) {
    return CollectionConverters.asScala(((List<Product2<K, V>>) (List<?>) records).iterator());
  }

  private ShuffleReader<K, V> reader(int map, int reducer, TaskContext context) {
    return SparkEnv.get()
        .shuffleManager()
        .getReader(
            shuffle().shuffleHandle(),
            map,
            map + 1,
            reducer,
            reducer + 1,
            context,
            context.taskMetrics().createTempShuffleReadMetrics());
  }

  /** Reads one reduce partition after the other. */
  private final class InTurn extends AbstractIterator<Tuple2<K, V>> {
    private final int map;
    private final TaskContext context;
    private @Nullable Iterator<? extends Product2<K, V>> open;
    private int next;

    InTurn(int map, TaskContext context) {
      this.map = map;
      this.context = context;
    }

    @Override
    public boolean hasNext() {
      while ((open == null || !open.hasNext()) && next < reducers.length) {
        open = records(map, reducers[next++], context);
      }
      return open != null && open.hasNext();
    }

    @Override
    public Tuple2<K, V> next() {
      hasNext();
      Product2<K, V> record = Objects.requireNonNull(open).next();
      return new Tuple2<>(record._1(), record._2());
    }
  }
}
