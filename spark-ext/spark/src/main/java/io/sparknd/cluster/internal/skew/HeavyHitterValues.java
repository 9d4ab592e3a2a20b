/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.PieceLookup;
import io.sparknd.cluster.internal.partition.RawUnits;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** The values of the hot pieces, one after the other, in a broadcast. */
public final class HeavyHitterValues implements Serializable {
  private static final long serialVersionUID = 1;

  private final SkewSplitPlan plan;
  private final Broadcast<RawUnits> values;

  private HeavyHitterValues(JavaSparkContext spark, SkewSplitPlan plan, Object values) {
    this.plan = plan;
    this.values = spark.broadcast(new RawUnits(values));
  }

  /** Reads the hot pieces of {@code tensor} with a job on the partitions that own them. */
  public static HeavyHitterValues of(TensorBlocks tensor, Pieces pieces, SkewSplitPlan plan) {
    Storage storage = tensor.dtype().storage();
    JavaRDD<RawUnits> owned =
        tensor.rdd().map(partition -> new RawUnits(owned(partition, pieces, plan, storage)));
    Object values = storage.allocate(plan.pieces() * plan.units());
    int at = 0;
    for (List<RawUnits> one : owned.collectPartitions(plan.owners())) {
      Object some = one.get(0).array();
      System.arraycopy(some, 0, values, at, storage.length(some));
      at += storage.length(some);
    }
    return new HeavyHitterValues(spark(tensor), plan, values);
  }

  private static Object owned(
      TensorPartition partition, Pieces pieces, SkewSplitPlan plan, Storage storage) {
    PieceLookup lookup = new PieceLookup(partition, pieces);
    int first = plan.firstPiece(partition.index());
    int end = plan.endPiece(partition.index());
    Object values = storage.allocate((end - first) * plan.units());
    for (int piece = first; piece < end; piece++) {
      long local = plan.local(piece);
      int to = (piece - first) * plan.units();
      System.arraycopy(lookup.array(local), lookup.unit(local), values, to, plan.units());
    }
    return values;
  }

  private static JavaSparkContext spark(TensorBlocks tensor) {
    return JavaSparkContext.fromSparkContext(tensor.spark().sparkContext());
  }

  /**
   * Returns the same pieces with the values that the tasks folded.
   *
   * @param folded the folded cuts, by task and kind
   */
  public HeavyHitterValues with(TensorBlocks tensor, List<List<RawUnits>> folded) {
    Object next = tensor.dtype().storage().allocate(plan.pieces() * plan.units());
    for (int task = 0; task < plan.tasks(); task++) {
      for (int kind = 0; kind < plan.kinds(); kind++) {
        int[] those = plan.cuts(task, kind);
        Object array = folded.get(task).get(kind).array();
        int width = plan.width(kind);
        for (int slot = 0; slot < those.length; slot++) {
          System.arraycopy(array, slot * width, next, plan.firstUnit(those[slot]), width);
        }
      }
    }
    return new HeavyHitterValues(spark(tensor), plan, next);
  }

  SkewSplitPlan plan() {
    return plan;
  }

  /** Returns the cuts of one kind in one task, by slot. */
  Object cuts(int task, int kind, Storage storage) {
    int[] those = plan.cuts(task, kind);
    int width = plan.width(kind);
    Object array = storage.allocate(those.length * width);
    for (int slot = 0; slot < those.length; slot++) {
      int from = plan.firstUnit(those[slot]);
      System.arraycopy(values.value().array(), from, array, slot * width, width);
    }
    return array;
  }

  /** Writes the hot pieces of {@code owner} to its blocks. */
  public void put(int owner, KernelProvider kernels, DType dtype, SliceBlocks blocks) {
    int first = plan.firstPiece(owner);
    long[] locals = IntStream.range(first, plan.endPiece(owner)).mapToLong(plan::local).toArray();
    if (locals.length > 0) {
      SliceFold moves = new SliceFold(kernels, dtype, Scatter.update(), blocks);
      moves.apply(locals, null, first, 0, locals.length, values.value().array());
      moves.finish();
    }
  }
}
