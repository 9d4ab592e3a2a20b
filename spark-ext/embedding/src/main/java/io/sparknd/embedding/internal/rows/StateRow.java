/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The optimizer state of one row as float32. If all slots are float32, this is the state of the
 * block itself; otherwise a copy, which is rounded stochastically when written back. Each slot has
 * its own stream of random bits, apart from that of the weights.
 */
final class StateRow {
  private static final short BFLOAT16_INFINITY = 0x7f80;

  private final RowLayout layout;
  private final float @Nullable [][] copy;

  StateRow(RowLayout layout) {
    this.layout = layout;
    this.copy = layout.hasNarrowState() ? new float[layout.slots().size()][] : null;
    for (int i = 0; copy != null && i < copy.length; i++) {
      copy[i] = new float[layout.width(i)];
    }
  }

  /** Returns the state of row {@code at} of a block, at row {@link #position} of the result. */
  float[][] read(RowBlock block, int at) {
    if (copy == null) {
      return (float[][]) block.state();
    }
    for (int i = 0; i < copy.length; i++) {
      int width = copy[i].length;
      if (block.state()[i] instanceof short[] halves) {
        HalfRows.widen(DType.BFLOAT16, halves, at * width, copy[i], 0, width);
      } else {
        System.arraycopy(block.state()[i], at * width, copy[i], 0, width);
      }
    }
    return copy;
  }

  int position(int at) {
    return copy == null ? at : 0;
  }

  /** Returns whether the state must be written back. */
  boolean isCopy() {
    return copy != null;
  }

  /** Writes the state back to row {@code at}, after a step of row {@code id}. */
  void write(RowBlock block, int at, long id, long step) {
    for (int i = 0; copy != null && i < copy.length; i++) {
      int width = copy[i].length;
      if (block.state()[i] instanceof short[] halves) {
        long stream = HalfFloatRows.slotStream(id, step, i);
        HalfFloatRows.roundState(copy[i], halves, at * width, width, stream);
      } else {
        System.arraycopy(copy[i], 0, block.state()[i], at * width, width);
      }
    }
  }

  /** Returns the first slot of row {@code at} that is NaN or infinite as stored. */
  Optional<String> notFinite(RowBlock block, int at) {
    for (int i = 0; i < block.state().length; i++) {
      if (!isFinite(block.state()[i], at * layout.width(i), layout.width(i))) {
        return Optional.of(layout.slots().get(i).name());
      }
    }
    return Optional.empty();
  }

  private static boolean isFinite(Object slot, int from, int count) {
    if (slot instanceof float[] values) {
      return BadGradients.isFinite(values, from, count);
    }
    short[] halves = (short[]) slot;
    for (int i = from; i < from + count; i++) {
      if ((halves[i] & BFLOAT16_INFINITY) == BFLOAT16_INFINITY) {
        return false;
      }
    }
    return true;
  }
}
