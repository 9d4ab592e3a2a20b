/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Maps the positions of an indices tensor to slices of the indexed tensor, from their shapes alone.
 *
 * <p>The indexed tensor consists of slices of one shape, numbered row-major by their
 * <em>offset</em>, a {@code long}. The indices consist of <em>slots</em>, numbered row-major; each
 * slot holds {@code depth} index values and names one slice. Updates and gather results have one
 * slice per slot.
 */
public final class IndexPlan implements Serializable {
  private static final long serialVersionUID = 1;

  private final Indexing indexing;
  private final Shape tensor;
  private final Shape indices;
  private final Shape updates;
  private final Shape slice;
  private final long slots;
  private final long slices;
  private final long[] dims;
  private final long[] strides;

  private IndexPlan(
      Indexing indexing,
      Shape tensor,
      Shape indices,
      Shape outer,
      Shape slotShape,
      Shape slice,
      int firstIndexed,
      int depth) {
    this.indexing = indexing;
    this.tensor = tensor;
    this.indices = indices;
    this.updates = slotShape.concat(slice);
    this.slice = slice;
    this.slots = slotShape.elements();
    this.slices = outer.elements();
    this.dims = new long[depth];
    this.strides = new long[depth];
    for (int d = 0; d < depth; d++) {
      dims[d] = outer.dim(firstIndexed + d);
      strides[d] = outer.from(firstIndexed + d + 1).elements();
    }
  }

  static IndexPlan tuples(Shape tensor, Shape indices, int batchDims) {
    if (indices.rank() == 0) {
      throw OperatorErrors.scalarIndices(tensor);
    }
    if (batchDims < 0 || batchDims >= indices.rank() || batchDims > tensor.rank()) {
      throw OperatorErrors.batchDimsOutOfRange(batchDims, tensor, indices);
    }
    long depth = indices.dim(indices.rank() - 1);
    if (depth > tensor.rank() - batchDims) {
      throw OperatorErrors.depthOverRank(depth, tensor, indices, batchDims);
    }
    if (!indices.first(batchDims).equals(tensor.first(batchDims))) {
      throw OperatorErrors.batchShapesDiffer(batchDims, tensor, indices);
    }
    int outerRank = batchDims + (int) depth;
    return new IndexPlan(
        new Indexing.Tuples(batchDims),
        tensor,
        indices,
        tensor.first(outerRank),
        indices.first(indices.rank() - 1),
        tensor.from(outerRank),
        batchDims,
        (int) depth);
  }

  static IndexPlan elements(Shape tensor, Shape indices, int axis) {
    if (tensor.rank() != indices.rank()) {
      throw OperatorErrors.elementRanksDiffer(tensor, indices);
    }
    int at = axisOf(tensor, axis);
    for (int d = 0; d < tensor.rank(); d++) {
      if (d != at && indices.dim(d) > tensor.dim(d)) {
        throw OperatorErrors.elementIndicesTooWide(d, at, tensor, indices);
      }
    }
    Shape slice = Shape.of();
    return new IndexPlan(new Indexing.Elements(at), tensor, indices, tensor, indices, slice, at, 1);
  }

  /**
   * A scalar counts as a vector of one element; the result has the shape of the indices. Indices
   * without elements may have any shape.
   */
  static IndexPlan elementsOrScalar(Shape tensor, Shape indices, int axis) {
    if (indices.elements() == 0) {
      return none(tensor, indices, axis);
    }
    boolean hasScalar = tensor.rank() == 0 || indices.rank() == 0;
    if (!hasScalar || tensor.rank() > 1 || indices.rank() > 1) {
      return elements(tensor, indices, axis);
    }
    rejectAxisOfScalar(tensor, axis);
    Indexing along = new Indexing.Elements(0);
    return new IndexPlan(along, tensor, indices, vector(tensor), indices, Shape.of(), 0, 1);
  }

  private static IndexPlan none(Shape tensor, Shape indices, int axis) {
    if (tensor.rank() == 0) {
      rejectAxisOfScalar(tensor, axis);
    }
    int at = tensor.rank() == 0 ? 0 : axisOf(tensor, axis);
    Indexing along = new Indexing.Elements(at);
    return new IndexPlan(along, tensor, indices, vector(tensor), indices, Shape.of(), at, 1);
  }

  /** A scalar tensor counts as a vector of one element; with one index, updates are a scalar. */
  static IndexPlan axisOrScalar(Shape tensor, Shape indices, int axis) {
    if (tensor.rank() > 0) {
      return axis(tensor, indices, axis);
    }
    rejectAxisOfScalar(tensor, axis);
    Indexing along = new Indexing.Axis(0);
    Shape updates = indices.elements() == 1 ? Shape.of() : indices;
    return new IndexPlan(along, tensor, indices, vector(tensor), updates, Shape.of(), 0, 1);
  }

  private static void rejectAxisOfScalar(Shape tensor, int axis) {
    if (axis != 0 && axis != -1) {
      throw OperatorErrors.axisOfScalar(axis, tensor);
    }
  }

  private static Shape vector(Shape shape) {
    return shape.rank() == 0 ? Shape.of(1) : shape;
  }

  static IndexPlan axis(Shape tensor, Shape indices, int axis) {
    int at = axisOf(tensor, axis);
    return new IndexPlan(
        new Indexing.Axis(at),
        tensor,
        indices,
        tensor.first(at + 1),
        tensor.first(at).concat(indices),
        tensor.from(at + 1),
        at,
        1);
  }

  private static int axisOf(Shape tensor, int axis) {
    int at = axis < 0 ? axis + tensor.rank() : axis;
    if (at < 0 || at >= tensor.rank()) {
      throw OperatorErrors.axisOutOfRange(axis, tensor);
    }
    return at;
  }

  /** The shape of the indexed tensor. */
  public Shape tensor() {
    return tensor;
  }

  /** The shape of the indices. */
  public Shape indices() {
    return indices;
  }

  /**
   * The shape of one slice: {@code shape[batchDims + depth:]} for tuples, {@code shape[axis + 1:]}
   * for an axis, {@code []} for elements.
   */
  public Shape slice() {
    return slice;
  }

  /** The shape that updates must have and a gather's result has: slots, then slice. */
  public Shape updates() {
    return updates;
  }

  /** The number of slots. */
  public long slots() {
    return slots;
  }

  /** The number of slices of the indexed tensor; offsets are below it. */
  public long slices() {
    return slices;
  }

  /** The number of index values per slot: {@code indices.shape[-1]} for tuples, else 1. */
  public int depth() {
    return dims.length;
  }

  /** The size of the dimension that index value {@code d} of a tuple indexes. */
  long dim(int d) {
    return dims[d];
  }

  /** The offset stride of index value {@code d} of a tuple. */
  long stride(int d) {
    return strides[d];
  }

  /** Whether the index values of slot {@code s} begin at {@code s * depth()}, with base 0. */
  boolean isPlain() {
    return indexing instanceof Indexing.Tuples tuples && tuples.batchDims() == 0;
  }

  /** The position of the first index value of {@code slot} in the indices, row-major. */
  long valueIndex(long slot) {
    return indexing instanceof Indexing.Axis ? slot % indices.elements() : slot * dims.length;
  }

  /** The part of the offset that comes from the slot itself, not from its index values. */
  long base(long slot) {
    if (indexing instanceof Indexing.Tuples tuples) {
      return tuples.batchDims() == 0 ? 0 : batch(slot, tuples.batchDims()) * batchSlices();
    }
    if (indexing instanceof Indexing.Axis) {
      return slot / indices.elements() * dims[0];
    }
    return elementBase(slot, ((Indexing.Elements) indexing).axis());
  }

  private long batch(long slot, int batchDims) {
    return slot / (slots / indices.first(batchDims).elements());
  }

  /** The number of slices in one batch; at depth 0 the batch itself is the slice. */
  private long batchSlices() {
    return dims.length == 0 ? 1 : dims[0] * strides[0];
  }

  private long elementBase(long slot, int axis) {
    if (tensor.rank() <= 1) {
      return 0;
    }
    long base = 0;
    long stride = 1;
    long rest = slot;
    for (int d = tensor.rank() - 1; d >= 0; d--) {
      base += d == axis ? 0 : rest % indices.dim(d) * stride;
      rest /= indices.dim(d);
      stride *= tensor.dim(d);
    }
    return base;
  }

  /** The position of {@code slot} in the indices, for messages: {@code indices[0, 1]}. */
  String position(long slot) {
    long[] at =
        indexing instanceof Indexing.Tuples
            ? indices.first(indices.rank() - 1).coordinates(slot)
            : indices.coordinates(valueIndex(slot));
    return "indices" + (at.length == 0 ? "" : Arrays.toString(at));
  }

  /** The shape or axis that the index values index, for messages. */
  String target() {
    if (indexing instanceof Indexing.Tuples) {
      return "shape " + tensor;
    }
    int axis =
        indexing instanceof Indexing.Elements elements
            ? elements.axis()
            : ((Indexing.Axis) indexing).axis();
    return "axis " + axis + " of shape " + tensor;
  }
}
