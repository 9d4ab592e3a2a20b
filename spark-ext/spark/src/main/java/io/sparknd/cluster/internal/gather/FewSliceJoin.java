/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.RawUnits;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrorSink;
import io.sparknd.cluster.internal.rows.RowIndices;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.scan.TablePlan;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/** Joins index rows with a few slices that the driver has. The tensor of the gather is not read. */
public final class FewSliceJoin {
  private static final String FEW_SLICES = "few slices, read by the driver";

  private FewSliceJoin() {}

  /**
   * Joins all index rows where they are read.
   *
   * @param slices the slices that index rows name
   * @param values the slices in the order of their places
   */
  public static JavaRDD<InternalRow> joined(RowGather gather, SliceSet slices, Tensor values) {
    IndexColumns indices = gather.indices();
    SliceJoin join = gather.join();
    Broadcast<Lookup> sent = gather.context().broadcast(Lookup.of(join, values));
    GatherLog.add(gather.tensor(), FEW_SLICES);
    return gather
        .indexRows()
        .mapPartitionsWithIndex(
            (source, rows) ->
                new Join(
                    rows,
                    indices.in(source, RowErrorSink.THROW),
                    slices,
                    join.appender(),
                    sent.value()),
            false);
  }

  /**
   * Collects any {@code most} of the index rows, or all if they are fewer, and joins them in one
   * task with the slices that they name.
   *
   * @param isSmall whether slices may be read to the driver
   * @param values reads slices, in the order of their places
   * @return empty if the rows or their slices are too many
   */
  public static Optional<JavaRDD<InternalRow>> joinedIfFew(
      RowGather gather, int most, Predicate<SliceSet> isSmall, Function<SliceSet, Tensor> values) {
    boolean isFree =
        GatherStrategy.named(SparkNdSetting.STRATEGY.in(gather.tensor().spark()))
                == GatherStrategy.AUTO
            && !TablePlan.isObserved(gather.rows()); // rows that are not few are read again
    Pieces pieces = gather.join().pieces();
    if (!isFree || pieces.perSlice() != 1) {
      return Optional.empty();
    }
    return FirstIndexRows.of(gather, most)
        .flatMap(
            rows ->
                SliceSet.of(rows.stream().flatMapToLong(each -> numbers(each, pieces)))
                    .filter(isSmall)
                    .map(slices -> joined(gather, rows, slices, values.apply(slices))));
  }

  private static LongStream numbers(IndexRows rows, Pieces pieces) {
    return Arrays.stream(rows.locals())
        .filter(local -> local >= 0)
        .map(local -> pieces.global(rows.owner(), local));
  }

  private static JavaRDD<InternalRow> joined(
      RowGather gather, List<IndexRows> rows, SliceSet slices, Tensor values) {
    GatherLog.add(gather.tensor(), FEW_SLICES);
    Pieces pieces = gather.join().pieces();
    SliceJoin join = gather.join();
    Lookup lookup = Lookup.of(join, values);
    IndexRows[] placed =
        rows.stream().map(each -> each.at(places(each, slices, pieces))).toArray(IndexRows[]::new);
    return gather
        .context()
        .parallelize(List.<IndexRows[]>of(placed), 1)
        .flatMap(all -> join.joined(lookup, Arrays.stream(all).map(IndexRows::batch).iterator()));
  }

  private static long[] places(IndexRows rows, SliceSet slices, Pieces pieces) {
    return Arrays.stream(rows.locals())
        .map(local -> local < 0 ? local : slices.place(pieces.global(rows.owner(), local)))
        .toArray();
  }

  /** Slices by their places. */
  private static final class Lookup implements SliceLookup, Serializable {
    private static final long serialVersionUID = 1;

    private final RawUnits values;
    private final int units;

    private Lookup(RawUnits values, int units) {
      this.values = values;
      this.units = units;
    }

    static Lookup of(SliceJoin join, Tensor values) {
      int units = (int) join.slice().elements() * join.dtype().units();
      return new Lookup(new RawUnits(values.array()), units);
    }

    @Override
    public boolean areEmpty() {
      return units == 0;
    }

    @Override
    public Object array(long slice) {
      return values.array();
    }

    @Override
    public int unit(long slice) {
      return (int) slice * units;
    }
  }

  /** Joins the rows of one partition, in their order, with their slices. */
  private record Join(
      Iterator<InternalRow> rows,
      RowIndices indices,
      SliceSet slices,
      SliceAppender appender,
      Lookup lookup)
      implements Iterator<InternalRow> {
    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      InternalRow row = rows.next();
      long place = slices.place(indices.offset(row));
      if (place < 0) {
        throw ClusterErrors.indexRowsChanged();
      }
      return appender.append(row, lookup.array(place), lookup.unit(place));
    }
  }
}
