/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.op.Duplicates;
import io.sparknd.op.GatherCall;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reference for the engines: scatter and gather by definition, element by element. Requires
 * matching shapes and dtypes. Elements are boxed, so the payloads of NaNs are lost; {@link
 * TensorAssert} treats all NaNs as equal.
 */
public final class NaiveEngine {
  private NaiveEngine() {}

  /**
   * Returns a new tensor with the updates applied.
   *
   * @throws Refusal for the lowest rejected tuple; otherwise for the first duplicate, if duplicates
   *     are an error
   */
  public static Tensor scatter(Tensor data, ScatterCall call) {
    NaiveSlots slots =
        new NaiveSlots(data.shape(), call.where(), call.indices(), call.how().indices());
    List<Optional<long[]>> targets = targets(slots);
    if (call.how().duplicates() == Duplicates.ERROR) {
      rejectDuplicates(slots, targets);
    }
    Fold fold = new Fold(data, call);
    int outerRank = slots.outerRank();
    List<long[]> inner = NaiveSlots.all(NaiveSlots.tail(data.shape().dims(), outerRank));
    int update = 0;
    for (Optional<long[]> target : targets) {
      for (long[] at : inner) {
        int source = update++;
        target.ifPresent(
            outer -> fold.take(NaiveSlots.joined(outer, at), call.updates().element(source)));
      }
    }
    return fold.result();
  }

  /**
   * Returns the gathered slices, in shape slots then slice.
   *
   * @throws Refusal for the lowest rejected tuple
   */
  public static Tensor gather(Tensor data, GatherCall call) {
    NaiveSlots slots =
        new NaiveSlots(data.shape(), call.where(), call.indices(), call.how().indices());
    DType dtype = data.dtype();
    Shape scalar = Shape.of();
    Object blank =
        call.fillValue(dtype)
            .map(value -> Tensor.fill(dtype, scalar, value))
            .orElse(Tensor.zeros(dtype, scalar))
            .element(0);
    long[] slice = NaiveSlots.tail(data.shape().dims(), slots.outerRank());
    List<Object> result = new ArrayList<>();
    for (Optional<long[]> target : targets(slots)) {
      for (long[] at : NaiveSlots.all(slice)) {
        result.add(target.map(outer -> element(data, outer, at)).orElse(blank));
      }
    }
    return NaiveTensors.of(dtype, NaiveSlots.joined(slots.slotDims(), slice), result);
  }

  /**
   * Returns the slice offset of each slot; -1 if the slot is dropped.
   *
   * @throws Refusal for the lowest rejected tuple
   */
  public static long[] offsets(Shape tensor, Indexing where, Tensor indices, IndexPolicy policy) {
    NaiveSlots slots = new NaiveSlots(tensor, where, indices, policy);
    long[] outer = tensor.first(slots.outerRank()).dims();
    return targets(slots).stream()
        .mapToLong(target -> target.map(at -> NaiveSlots.rowMajor(outer, at)).orElse(-1L))
        .toArray();
  }

  private static List<Optional<long[]>> targets(NaiveSlots slots) {
    return slots.coordinates().stream().map(slots::target).toList();
  }

  private static void rejectDuplicates(NaiveSlots slots, List<Optional<long[]>> targets) {
    List<long[]> coordinates = slots.coordinates();
    Map<List<Long>, String> seen = new HashMap<>();
    for (int i = 0; i < coordinates.size(); i++) {
      if (targets.get(i).isPresent()) {
        String position = slots.position(coordinates.get(i));
        List<Long> key = java.util.Arrays.stream(targets.get(i).get()).boxed().toList();
        String first = seen.putIfAbsent(key, position);
        if (first != null) {
          throw new Refusal(position + " repeats " + first);
        }
      }
    }
  }

  private static Object element(Tensor data, long[] outer, long[] inner) {
    long[] at = NaiveSlots.joined(outer, inner);
    return data.element((int) NaiveSlots.rowMajor(data.shape().dims(), at));
  }

  /** The elements of a tensor while updates are applied. */
  private static final class Fold {
    private final Tensor data;
    private final ScatterCall call;
    private final List<Object> elements = new ArrayList<>();
    private final long[] taken;

    /** The dtype of each step. */
    private final DType steps;

    Fold(Tensor data, ScatterCall call) {
      this.data = data;
      this.call = call;
      for (int i = 0; i < data.elements(); i++) {
        elements.add(data.element(i));
      }
      this.taken = new long[data.elements()];
      this.steps = roundsOnce() ? DType.FLOAT32 : data.dtype();
    }

    private boolean roundsOnce() {
      boolean isHalf = HalfFloats.isHalf(data.dtype());
      boolean isMean = call.how().reduction() == Reduction.MEAN;
      return isHalf && (isMean || call.how().rounding() == HalfRounding.ONCE);
    }

    void take(long[] at, Object update) {
      int i = (int) NaiveSlots.rowMajor(data.shape().dims(), at);
      boolean replaces = taken[i] == 0 && call.how().self() == IncludeSelf.EXCLUDED;
      Reduction reduction = replaces ? Reduction.NONE : call.how().reduction();
      elements.set(i, NaiveArithmetic.apply(steps, reduction, elements.get(i), update));
      taken[i]++;
    }

    Tensor result() {
      if (call.how().reduction() == Reduction.MEAN) {
        divide(call.how().self() == IncludeSelf.INCLUDED ? 1 : 0);
      } else if (steps != data.dtype()) {
        round();
      }
      return NaiveTensors.of(data.dtype(), data.shape().dims(), elements);
    }

    private void round() {
      for (int i = 0; i < taken.length; i++) {
        elements.set(i, NaiveArithmetic.mean(data.dtype(), elements.get(i), 1));
      }
    }

    private void divide(int own) {
      for (int i = 0; i < taken.length; i++) {
        if (taken[i] > 0) {
          elements.set(i, NaiveArithmetic.mean(data.dtype(), elements.get(i), taken[i] + own));
        }
      }
    }
  }
}
