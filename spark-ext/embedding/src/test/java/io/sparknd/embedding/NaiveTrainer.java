/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.rows.HalfFloatRows;
import io.sparknd.embedding.internal.rows.NaiveFilter;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowUpdate;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A reference for trainings: rows in a map, one thread, no partitions. */
final class NaiveTrainer {
  private final EmbeddingSpec spec;
  private final int dim;
  private final Map<Long, Row> rows = new TreeMap<>();

  /** The last step and the number of steps of each key that has no row yet. */
  private final Map<Long, List<Long>> candidates = new TreeMap<>();

  /** Counts keys instead, if the admission is by a filter. */
  private final NaiveFilter filter;

  private long steps;
  final List<Double> losses = new ArrayList<>();

  /** A trained row. */
  private record Row(float[] weights, float[][] state, long[] usage) {
    double norm() {
      double squares = 0;
      for (float weight : weights) {
        squares += (double) weight * weight;
      }
      return Math.sqrt(squares);
    }
  }

  NaiveTrainer(EmbeddingSpec spec) {
    this.spec = spec;
    this.dim = spec.dim();
    this.filter =
        spec.admission() instanceof RowAdmission.Filtered filtered
            ? new NaiveFilter(filtered)
            : null;
  }

  private Row made(long id) {
    float[] weights = new float[dim];
    spec.initializer().fill(id, weights, 0, dim);
    round(weights);
    List<OptimizerSlot> slots = spec.optimizer().slots();
    float[][] state = new float[slots.size()][];
    for (int i = 0; i < state.length; i++) {
      state[i] = new float[slots.get(i).width() == OptimizerSlot.Width.ROW ? 1 : dim];
      Arrays.fill(state[i], slots.get(i).initial());
      if (isNarrow(slots.get(i))) {
        short nearest = HalfFloats.toBfloat16(slots.get(i).initial());
        Arrays.fill(state[i], HalfFloats.fromBfloat16(nearest));
      }
    }
    return new Row(weights, state, new long[2]);
  }

  private boolean isNarrow(OptimizerSlot slot) {
    return spec.stateDType() == DType.BFLOAT16 && slot.precision() == OptimizerSlot.Precision.TABLE;
  }

  /** Rounds the state of a row after the last counted step. */
  private void round(float[][] state, long id) {
    for (int i = 0; i < state.length; i++) {
      if (isNarrow(spec.optimizer().slots().get(i))) {
        short[] halves = new short[state[i].length];
        long stream = HalfFloatRows.slotStream(id, steps - 1, i);
        HalfFloatRows.roundState(state[i], halves, 0, halves.length, stream);
        HalfRows.widen(DType.BFLOAT16, halves, 0, state[i], 0, halves.length);
      }
    }
  }

  private void round(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (spec.dtype()) {
            case FLOAT16 -> HalfFloats.fromFloat16(HalfFloats.toFloat16(values[i]));
            case BFLOAT16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16(values[i]));
            default -> values[i];
          };
    }
  }

  /** Rounds a row after the last counted step. */
  private void round(float[] values, long id) {
    boolean isHalf = spec.dtype() != DType.FLOAT32;
    if (isHalf && spec.rounding() == WeightRounding.STOCHASTIC) {
      short[] halves = new short[dim];
      long stream = HalfFloatRows.weightStream(id, steps - 1);
      HalfFloatRows.roundStochastically(spec.dtype(), values, 0, halves, 0, dim, stream);
      HalfRows.widen(spec.dtype(), halves, 0, values, 0, dim);
    } else {
      round(values);
    }
  }

  /** Returns the current row, widened to float32. */
  float[] weights(long id) {
    return (rows.containsKey(id) ? rows.get(id) : made(id)).weights().clone();
  }

  void train(Pulls model, int shards, int count, int perJob) {
    long end = steps + count;
    while (steps < end) {
      Map<Long, float[]> seen = written();
      int some = (int) Math.min(perJob - steps % perJob, end - steps);
      for (int i = 0; i < some; i++) {
        step(model, shards, seen);
      }
    }
  }

  private void step(Pulls model, int shards, Map<Long, float[]> seen) {
    TreeMap<Long, float[]> sums = new TreeMap<>();
    double loss = 0;
    for (int shard = 0; shard < shards; shard++) {
      long[] batch = model.batch(steps, shard);
      EmbeddingRows got =
          EmbeddingRows.of(
              model.ids(batch),
              dim,
              id -> seen.containsKey(id) ? seen.get(id) : made(id).weights());
      loss += model.step(batch, got).sum();
      for (int slot = 0; slot < got.count(); slot++) {
        float[] own = Arrays.copyOfRange(got.gradients(), slot * dim, (slot + 1) * dim);
        sums.merge(got.id(slot), own, NaiveTrainer::sum);
      }
    }
    losses.add(loss);
    apply(spec.optimizer(), sums);
  }

  static float[] sum(float[] one, float[] other) {
    float[] sum = new float[one.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = one[i] + other[i];
    }
    return sum;
  }

  /** Runs one step of the optimizer with the summed gradient of each row. */
  void apply(Optimizer optimizer, Map<Long, float[]> sums) {
    RowUpdate update = optimizer.update(steps++, dim);
    sums.forEach(
        (id, gradient) -> {
          if (!isAdmitted(id)) {
            return;
          }
          Row row = rows.computeIfAbsent(id, this::made);
          update.apply(row.weights(), 0, row.state(), 0, gradient, 0);
          round(row.weights(), id);
          round(row.state(), id);
          row.usage()[0] = steps - 1;
          row.usage()[1]++;
        });
    if (filter != null) {
      filter.endStep(steps - 1);
    }
  }

  private boolean isAdmitted(long id) {
    if (rows.containsKey(id)) {
      return true;
    }
    if (spec.admission() instanceof RowAdmission.Filtered filtered) {
      return filter.admits(id, filtered.steps());
    }
    if (!(spec.admission() instanceof RowAdmission.Counted counted)) {
      return true;
    }
    long count = candidates.containsKey(id) ? candidates.get(id).get(1) + 1 : 1;
    candidates.put(id, List.of(steps - 1, count));
    if (count >= counted.steps()) {
      candidates.remove(id);
    }
    return count >= counted.steps();
  }

  Map<Long, List<Long>> candidates() {
    return filter == null ? new TreeMap<>(candidates) : filter.stored();
  }

  /** Removes rows as a table does, and returns their number. */
  long evict(RowEviction eviction) {
    long before = rows.size();
    if (eviction instanceof RowEviction.Idle idle) {
      rows.values().removeIf(row -> steps - 1 - row.usage()[0] >= idle.steps());
      candidates.values().removeIf(usage -> steps - 1 - usage.get(0) >= idle.steps());
      if (filter != null) {
        filter.forget(idle.steps(), steps);
      }
    } else if (eviction instanceof RowEviction.Rare rare) {
      rows.values().removeIf(row -> row.usage()[1] < rare.updates());
    } else if (eviction instanceof RowEviction.Small small) {
      rows.values().removeIf(row -> row.norm() < small.norm());
    } else if (eviction instanceof RowEviction.RowBound bound) {
      evictTo(bound.rows(), bound.order());
    } else if (eviction instanceof RowEviction.ByteBound bound) {
      evictTo(bound.bytes() / bytesOfRow(), bound.order());
    }
    return before - rows.size();
  }

  private void evictTo(long count, EvictionOrder order) {
    Comparator<Map.Entry<Long, Row>> first =
        switch (order) {
          case LEAST_RECENT -> Comparator.comparingLong(row -> row.getValue().usage()[0]);
          case LEAST_FREQUENT -> Comparator.comparingLong(row -> row.getValue().usage()[1]);
          case SMALLEST -> Comparator.comparingDouble(row -> row.getValue().norm());
        };
    List<Long> ids =
        rows.entrySet().stream()
            .sorted(first.thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    ids.subList(0, (int) Math.max(0, rows.size() - count)).forEach(rows::remove);
  }

  long bytesOfRow() {
    long bytes = Long.BYTES + (long) dim * spec.dtype().storage().bytes();
    bytes += spec.usage() == RowUsage.UPDATES ? 2 * Long.BYTES : 0;
    for (OptimizerSlot slot : spec.optimizer().slots()) {
      int width = slot.width() == OptimizerSlot.Width.ROW ? 1 : dim;
      bytes += (long) width * (isNarrow(slot) ? Short.BYTES : Float.BYTES);
    }
    return bytes;
  }

  /** Returns weights, state and usage of each trained row, as {@code StoredRows} does. */
  Map<Long, List<Long>> stored() {
    Map<Long, List<Long>> stored = new TreeMap<>();
    rows.forEach(
        (id, row) -> {
          List<Long> bits = new ArrayList<>();
          addBits(bits, row.weights());
          Arrays.stream(row.state()).forEach(slot -> addBits(bits, slot));
          if (spec.usage() == RowUsage.UPDATES) {
            bits.addAll(List.of(row.usage()[0], row.usage()[1]));
          }
          stored.put(id, bits);
        });
    return stored;
  }

  private static void addBits(List<Long> bits, float[] values) {
    for (float value : values) {
      bits.add((long) Float.floatToRawIntBits(value));
    }
  }

  /** Returns the trained rows, widened to float32. */
  Map<Long, float[]> written() {
    Map<Long, float[]> written = new TreeMap<>();
    rows.forEach((id, row) -> written.put(id, row.weights().clone()));
    return written;
  }

  /** Returns all rows of a table with numbered rows, in the table's dtype. */
  Tensor weights() {
    int count = (int) spec.rows();
    float[] all = new float[count * dim];
    for (int row = 0; row < count; row++) {
      System.arraycopy(weights(row), 0, all, row * dim, dim);
    }
    return narrowed(Shape.of(count, dim), all);
  }

  /** Returns the current row in the table's dtype. */
  Tensor row(long id) {
    return narrowed(Shape.of(dim), weights(id));
  }

  private Tensor narrowed(Shape shape, float[] all) {
    if (spec.dtype() == DType.FLOAT32) {
      return Tensor.wrap(DType.FLOAT32, shape, all);
    }
    short[] halves = new short[all.length];
    for (int i = 0; i < halves.length; i++) {
      halves[i] =
          spec.dtype() == DType.FLOAT16
              ? HalfFloats.toFloat16(all[i])
              : HalfFloats.toBfloat16(all[i]);
    }
    return Tensor.wrap(spec.dtype(), shape, halves);
  }
}
