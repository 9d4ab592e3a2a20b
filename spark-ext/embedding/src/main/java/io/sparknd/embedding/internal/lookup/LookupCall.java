/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexValues;
import io.sparknd.op.Indexing;
import io.sparknd.op.OperatorErrors;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lookup whose ids form a sparse matrix, as in TensorFlow's {@code embedding_lookup_sparse}.
 *
 * @param indices the coordinates of the ids, {@code [n, 2]}: row and column, rows ascending.
 *     Columns are ignored: ids of a row are combined in the order in which they occur
 * @param ids {@code [n]}
 * @param weights {@code [n]}, of any floating-point dtype; 1 if not given
 * @param rows rows of the matrix; if not given, one more than the last row that has an id
 */
public record LookupCall(
    Lookup how, Tensor indices, Tensor ids, Optional<Tensor> weights, OptionalLong rows) {

  /** Returns the matrix row of every id. */
  public long[] idRows() {
    long[] places = IndexValues.toLongs(indices);
    long[] all = new long[places.length / 2];
    for (int i = 0; i < all.length; i++) {
      all[i] = places[2 * i];
    }
    return all;
  }

  /** Returns the number of rows of the matrix, and so of the result. */
  public long rowCount() {
    long[] all = idRows();
    return rows.orElse(all.length == 0 ? 0 : all[all.length - 1] + 1);
  }

  /** Returns the shape of the result for a tensor of shape {@code params}. */
  public Shape resultShape(Shape params) {
    return Shape.of(rowCount()).concat(params.from(1));
  }

  /**
   * Checks the call against a tensor, shapes before any id.
   *
   * @return the tensor row that each id names, or {@link SliceOffsets#DROPPED}
   * @throws io.sparknd.tensor.SparkNdException if shapes or dtypes do not match, rows are out of
   *     bounds or not ascending, or the policy rejects an id; the lowest position is named
   */
  public long[] check(DType dtype, Shape params) {
    RowLookup.requireFloats(dtype);
    checkShapes();
    IndexPlan plan = Indexing.tuples().plan(params, Shape.of(ids.elements(), 1));
    long[] idRows = idRows();
    checkRows(idRows);
    TupleOffset tuples = new TupleOffset(plan, how.indices());
    long[] values = IndexValues.toLongs(ids);
    long[] offsets = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      offsets[i] = tuples.offset(values, i);
      if (offsets[i] == TupleOffset.INVALID) {
        String position = "ids[" + i + "] (indices[" + i + "], row " + idRows[i] + ")";
        throw tuples.error(position, new long[] {values[i]});
      }
    }
    return offsets;
  }

  private void checkShapes() {
    for (Tensor integers : new Tensor[] {ids, indices}) {
      if (!integers.dtype().isInteger()) {
        throw OperatorErrors.indicesNotIntegers(integers.dtype());
      }
    }
    if (ids.shape().rank() != 1 || !indices.shape().equals(ids.shape().concat(Shape.of(2)))) {
      throw EmbeddingErrors.lookupIndicesShape(indices.shape(), ids.shape());
    }
    weights.ifPresent(this::checkWeights);
  }

  private void checkWeights(Tensor given) {
    if (given.dtype().kind() != DType.Kind.FLOAT) {
      throw EmbeddingErrors.lookupWeightsDType(given.dtype());
    }
    if (!given.shape().equals(ids.shape())) {
      throw EmbeddingErrors.lookupWeightsShape(given.shape(), ids.shape());
    }
  }

  private void checkRows(long[] idRows) {
    for (int i = 0; i < idRows.length; i++) {
      if (idRows[i] < 0 || idRows[i] >= rows.orElse(Long.MAX_VALUE)) {
        throw EmbeddingErrors.lookupRowOutOfBounds(i, idRows[i], rows);
      }
      if (i > 0 && idRows[i] < idRows[i - 1]) {
        throw EmbeddingErrors.lookupRowsNotAscending(i, idRows[i], idRows[i - 1]);
      }
    }
  }

  /**
   * Returns the combined rows of {@code params} that the ids name, of shape {@link #resultShape}.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #check}, or if the result is too large for
   *     one array
   */
  public Tensor run(Tensor params) {
    long[] offsets = check(params.dtype(), params.shape());
    Shape slice = params.shape().from(1);
    Tensor result = Tensor.zeros(params.dtype(), resultShape(params.shape()));
    ListFold fold = ListFold.of(params.dtype(), (int) slice.elements(), how);
    Object fill = fill(how, params.dtype(), slice);
    Object combined = fold.allocate(result.elements());
    long[] idRows = idRows();
    int next = 0;
    while (next < offsets.length) {
      long row = idRows[next];
      fold.begin();
      for (; next < offsets.length && idRows[next] == row; next++) {
        if (offsets[next] != SliceOffsets.DROPPED) {
          fold.add(params.array(), (int) (offsets[next] * slice.elements()), weight(next));
        } else if (fill != null) {
          fold.add(fill, 0, weight(next));
        }
      }
      fold.end(combined, (int) (row * slice.elements()));
    }
    return narrowed(result, combined);
  }

  /** Returns the weight of id {@code i}. */
  public double weight(int i) {
    return weights.map(given -> ((Number) given.element(i)).doubleValue()).orElse(1.0);
  }

  /** Returns the row that replaces a dropped one; null if dropped rows are omitted. */
  static @Nullable Object fill(Lookup how, DType dtype, Shape slice) {
    return how.indices().bad() instanceof BadIndices.Fill policy
        ? Tensor.fill(dtype, slice, policy.value(dtype)).array()
        : null;
  }

  /** Converts results that are already rounded to the array type of the dtype. */
  private static Tensor narrowed(Tensor result, Object combined) {
    if (!(result.array() instanceof short[] halves)) {
      return Tensor.wrap(result.dtype(), result.shape(), combined);
    }
    float[] values = (float[]) combined;
    for (int i = 0; i < halves.length; i++) {
      halves[i] =
          result.dtype() == DType.FLOAT16
              ? HalfFloats.toFloat16(values[i])
              : HalfFloats.toBfloat16(values[i]);
    }
    return result;
  }
}
