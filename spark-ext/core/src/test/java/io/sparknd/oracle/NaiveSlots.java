/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the slots of an index tensor to coordinates. Shares no code with the engine except the
 * records that describe a call.
 *
 * @param tensor the shape that is indexed
 * @param where the kind of indexing
 * @param indices the index values
 * @param policy for values that are out of bounds or negative
 */
record NaiveSlots(Shape tensor, Indexing where, Tensor indices, IndexPolicy policy) {

  /** Treats scalars as vectors of one element, as PyTorch does; results have that dimension. */
  NaiveSlots {
    boolean hasScalar = tensor.rank() == 0 || indices.shape().rank() == 0;
    if (where instanceof Indexing.ElementsOrScalar elements) {
      where = new Indexing.Elements(elements.axis());
      tensor = tensor.rank() == 0 ? Shape.of(1) : tensor;
      indices = hasScalar ? indices.reshape(Shape.of(indices.elements())) : indices;
    } else if (where instanceof Indexing.AxisOrScalar across) {
      where = new Indexing.Axis(across.axis());
      tensor = tensor.rank() == 0 ? Shape.of(1) : tensor;
    }
  }

  /** Returns the coordinates of all slots, row-major. */
  List<long[]> coordinates() {
    return all(slotDims());
  }

  /** Returns the shape of the slots. */
  long[] slotDims() {
    long[] dims = indices.shape().dims();
    if (where instanceof Indexing.Tuples) {
      return Arrays.copyOf(dims, dims.length - 1);
    }
    if (where instanceof Indexing.Axis axis) {
      return joined(Arrays.copyOf(tensor.dims(), fromFront(axis.axis())), dims);
    }
    return dims;
  }

  /** Returns the number of leading dimensions that select a slice. */
  int outerRank() {
    if (where instanceof Indexing.Tuples tuples) {
      return tuples.batchDims() + (int) indices.shape().dim(indices.shape().rank() - 1);
    }
    if (where instanceof Indexing.Axis axis) {
      return fromFront(axis.axis()) + 1;
    }
    return tensor.rank();
  }

  /** Returns the leading coordinates of the slice of {@code slot}; empty if the slot is dropped. */
  Optional<long[]> target(long[] slot) {
    List<BigInteger> values = values(slot);
    long[] outer = frame(slot);
    boolean dropped = false;
    for (int d = 0; d < values.size(); d++) {
      int axis = firstIndexed() + d;
      Optional<Long> resolved = resolve(values.get(d), tensor.dim(axis), slot, values);
      dropped |= resolved.isEmpty();
      outer[axis] = resolved.orElse(0L);
    }
    return dropped ? Optional.empty() : Optional.of(outer);
  }

  /** Returns the position of {@code slot} in the indices, in the form of messages. */
  String position(long[] slot) {
    long[] at = where instanceof Indexing.Axis ? tail(slot, firstIndexed()) : slot;
    return "indices" + (at.length == 0 ? "" : Arrays.toString(at));
  }

  private Optional<Long> resolve(BigInteger value, long dim, long[] slot, List<BigInteger> values) {
    BigInteger size = BigInteger.valueOf(dim);
    BigInteger read = value;
    if (value.signum() < 0 && policy.negative() == NegativeIndices.ERROR) {
      throw refusal(slot, values);
    }
    if (value.signum() < 0 && policy.negative() == NegativeIndices.WRAP) {
      read = value.add(size);
    }
    boolean inBounds = read.signum() >= 0 && read.compareTo(size) < 0;
    if (inBounds) {
      return Optional.of(read.longValueExact());
    }
    BadIndices bad = policy.bad();
    if (bad instanceof BadIndices.Clip && dim > 0) {
      return Optional.of(read.signum() < 0 ? 0 : dim - 1);
    }
    if (bad instanceof BadIndices.Error || bad instanceof BadIndices.Clip) {
      throw refusal(slot, values);
    }
    return refuseNegatives(slot, values);
  }

  /**
   * Rejects a tuple with a negative value if negatives are an error, even if another value drops
   * the tuple.
   */
  private Optional<Long> refuseNegatives(long[] slot, List<BigInteger> values) {
    boolean anyNegative = values.stream().anyMatch(value -> value.signum() < 0);
    if (anyNegative && policy.negative() == NegativeIndices.ERROR) {
      throw refusal(slot, values);
    }
    return Optional.empty();
  }

  private Refusal refusal(long[] slot, List<BigInteger> values) {
    return new Refusal(position(slot) + " = " + values);
  }

  private List<BigInteger> values(long[] slot) {
    List<BigInteger> values = new ArrayList<>();
    if (where instanceof Indexing.Tuples) {
      long depth = indices.shape().dim(indices.shape().rank() - 1);
      for (long d = 0; d < depth; d++) {
        values.add(value(joined(slot, new long[] {d})));
      }
    } else {
      values.add(value(where instanceof Indexing.Axis ? tail(slot, firstIndexed()) : slot));
    }
    return values;
  }

  private BigInteger value(long[] at) {
    Object value = indices.element((int) rowMajor(indices.shape().dims(), at));
    return new BigInteger(value.toString());
  }

  /**
   * Returns the coordinates given by the slot itself, with room for those from the index values.
   */
  private long[] frame(long[] slot) {
    return Arrays.copyOf(
        where instanceof Indexing.Elements ? slot : Arrays.copyOf(slot, firstIndexed()),
        outerRank());
  }

  private int firstIndexed() {
    if (where instanceof Indexing.Tuples tuples) {
      return tuples.batchDims();
    }
    return where instanceof Indexing.Axis axis
        ? fromFront(axis.axis())
        : fromFront(((Indexing.Elements) where).axis());
  }

  private int fromFront(int axis) {
    return axis < 0 ? axis + tensor.rank() : axis;
  }

  static long rowMajor(long[] dims, long[] at) {
    BigInteger position = BigInteger.ZERO;
    for (int d = 0; d < dims.length; d++) {
      position = position.multiply(BigInteger.valueOf(dims[d])).add(BigInteger.valueOf(at[d]));
    }
    return position.longValueExact();
  }

  /** Returns all coordinates of a box, row-major. */
  static List<long[]> all(long[] dims) {
    List<long[]> all = new ArrayList<>(List.of(new long[0]));
    for (long dim : dims) {
      List<long[]> longer = new ArrayList<>();
      for (long[] at : all) {
        for (long i = 0; i < dim; i++) {
          longer.add(joined(at, new long[] {i}));
        }
      }
      all = longer;
    }
    return all;
  }

  static long[] joined(long[] first, long[] second) {
    long[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  static long[] tail(long[] values, int from) {
    return Arrays.copyOfRange(values, from, values.length);
  }
}
