/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Selects some partitions of one or two RDDs; the others are not computed. */
public final class SelectedPartitions<T> extends RDD<T> {
  private static final long serialVersionUID = 1;

  private final Pick[] picks;

  private SelectedPartitions(List<RDD<T>> parents, Pick[] picks, ClassTag<T> tag) {
    super(parents.get(0).sparkContext(), dependencies(parents, picks), tag);
    this.picks = picks;
  }

  /** Returns partitions {@code [from, to)} of {@code rdd}. */
  public static <T> JavaRDD<T> range(JavaRDD<T> rdd, int from, int to) {
    Pick[] picks = IntStream.range(from, to).mapToObj(i -> new Pick(0, i)).toArray(Pick[]::new);
    return new SelectedPartitions<>(List.of(rdd.rdd()), picks, rdd.classTag()).toJavaRDD();
  }

  /**
   * Returns the partitions of {@code rdd}, with some replaced by those of {@code other}.
   *
   * @param replaced numbers of the replaced partitions, ascending
   */
  public static <T> JavaRDD<T> replacing(JavaRDD<T> rdd, JavaRDD<T> other, int[] replaced) {
    Pick[] picks =
        IntStream.range(0, rdd.getNumPartitions())
            .mapToObj(i -> new Pick(Arrays.binarySearch(replaced, i) >= 0 ? 1 : 0, i))
            .toArray(Pick[]::new);
    List<RDD<T>> parents = List.of(rdd.rdd(), other.rdd());
    return new SelectedPartitions<>(parents, picks, rdd.classTag()).toJavaRDD();
  }

  private static <T> Seq<Dependency<?>> dependencies(List<RDD<T>> parents, Pick[] picks) {
    Stream<Dependency<?>> picked =
        IntStream.range(0, parents.size())
            .mapToObj(parent -> new Picked<>(parents.get(parent), parent, picks));
    return CollectionConverters.asScala(picked.toList()).toSeq();
  }

  @Override
  public Partition[] getPartitions() {
    return IndexedPartition.upTo(picks.length);
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    RDD<T> parent = parentOf(split);
    return parent.preferredLocations(parent.partitions()[picks[split.index()].partition()]);
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    RDD<T> parent = parentOf(split);
    return parent.iterator(parent.partitions()[picks[split.index()].partition()], context);
  }

  @SuppressWarnings("unchecked")
  private RDD<T> parentOf(Partition split) {
    return (RDD<T>) dependencies().apply(picks[split.index()].parent()).rdd();
  }

  /**
   * A selected partition.
   *
   * @param parent number of the RDD
   * @param partition number of the partition in it
   */
  private record Pick(int parent, int partition) implements java.io.Serializable {}

  private static final class Picked<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1;

    private final int parent;
    private final Pick[] picks;

    Picked(RDD<T> rdd, int parent, Pick[] picks) {
      super(rdd);
      this.parent = parent;
      this.picks = picks;
    }

    @Override
    public Seq<Object> getParents(int partition) {
      Pick pick = picks[partition];
      List<Object> parents = pick.parent() == parent ? List.of(pick.partition()) : List.of();
      return CollectionConverters.asScala(parents).toSeq();
    }
  }
}
