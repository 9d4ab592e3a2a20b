/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;

/**
 * Collects errors that tasks find in their input; the driver reports the first in input order. It
 * is an accumulator, not an exception: the task that fails first need not have the lowest position,
 * and Spark would retry it in vain.
 */
public final class RowErrors extends AccumulatorV2<RowErrors.RowError, Optional<SparkNdException>>
    implements RowErrorSink {
  private static final long serialVersionUID = 1;

  /**
   * An error of one row.
   *
   * @param source partition of the input; duplicates, which are found later, come after all others
   * @param row position in the partition; for a duplicate, its slice
   */
  record RowError(long source, long row, SparkNdException error) implements java.io.Serializable {
    boolean isBefore(RowError other) {
      return source < other.source || (source == other.source && row < other.row);
    }
  }

  private final Shape outer;
  private final @Nullable SliceSet slices;
  private @Nullable RowError first;

  /** How the driver words errors; null for as tasks do. */
  private transient @Nullable UnaryOperator<SparkNdException> wording;

  /**
   * @param outer shape of the tensor in slices, to report the tuple of a duplicate
   * @param slices if not null, duplicates are reported by their places in it
   */
  private RowErrors(Shape outer, @Nullable SliceSet slices) {
    this.outer = outer;
    this.slices = slices;
  }

  /** Creates an accumulator to which the tasks of {@code spark} can report. */
  public static RowErrors registered(SparkSession spark, Shape outer) {
    return registered(spark, outer, null);
  }

  /**
   * Creates an accumulator for rows of some slices.
   *
   * @param slices null for all; else {@link #duplicate} takes places in it
   */
  public static RowErrors registered(SparkSession spark, Shape outer, @Nullable SliceSet slices) {
    RowErrors rowErrors = new RowErrors(outer, slices);
    spark.sparkContext().register(rowErrors, "sparknd row errors");
    return rowErrors;
  }

  /**
   * Words the errors of these rows alone in another way on the driver: those of a query that makes
   * the rows are not collected here.
   */
  public RowErrors worded(UnaryOperator<SparkNdException> wording) {
    this.wording = wording;
    return this;
  }

  public void duplicate(long place) {
    long slice = slices == null ? place : slices.number((int) place);
    add(
        new RowError(
            Long.MAX_VALUE,
            slice,
            ClusterErrors.duplicateSlice(java.util.Arrays.toString(outer.coordinates(slice)))));
  }

  /** Reports that row {@code row} of partition {@code source} cannot be used. */
  public void reject(int source, long row, SparkNdException error) {
    add(new RowError(source, row, error));
  }

  /**
   * Throws the first error; to be called after the job.
   *
   * @throws SparkNdException the first error, if there is any
   */
  public void throwFirst() {
    if (first != null) {
      throw worded(first);
    }
  }

  private SparkNdException worded(RowError found) {
    return wording == null ? found.error() : wording.apply(found.error());
  }

  @Override
  public boolean isZero() {
    return first == null;
  }

  @Override
  public AccumulatorV2<RowError, Optional<SparkNdException>> copy() {
    RowErrors copy = new RowErrors(outer, slices);
    copy.first = first;
    return copy;
  }

  @Override
  public void reset() {
    first = null;
  }

  @Override
  public void add(RowError rowError) {
    if (first == null || rowError.isBefore(first)) {
      first = rowError;
    }
  }

  @Override
  public void merge(AccumulatorV2<RowError, Optional<SparkNdException>> other) {
    if (((RowErrors) other).first != null) {
      add(((RowErrors) other).first);
    }
  }

  @Override
  public Optional<SparkNdException> value() {
    return Optional.ofNullable(first).map(this::worded);
  }
}
