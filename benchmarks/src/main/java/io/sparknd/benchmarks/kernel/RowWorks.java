/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.kernel.Work.Draw;
import io.sparknd.benchmarks.kernel.Work.Goals;
import io.sparknd.benchmarks.kernel.Work.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The benchmarks of the suite {@code kernel-rows}: rows of many lengths, element types and index
 * depths, with one thread. Every tensor of numbers has the same number of elements, and every
 * benchmark reads or writes a quarter of them.
 */
final class RowWorks {
  static final String SUITE = "kernel-rows";

  private static final List<Op> OPS = List.of(Op.GATHER, Op.UPDATE, Op.ADD);
  private static final List<Integer> LENGTHS =
      List.of(16, 17, 32, 63, 64, 65, 100, 127, 128, 256, 512, 1024);
  private static final List<Integer> FEW_LENGTHS = List.of(16, 64, 65, 256);
  private static final List<WorkType> NARROW =
      List.of(WorkType.FLOAT16, WorkType.BFLOAT16, WorkType.INT8);
  private static final List<Integer> DEPTHS = List.of(2, 3, 4);
  private static final List<Integer> FEW_DEPTHS = List.of(2, 4);

  private static final int NARROW_LENGTH = 64;
  private static final int STRINGS = 8;
  private static final int DEEP_LENGTH = 16;

  /** Stage one of the goals: as fast as the best correct peer. */
  private static final Goals GOALS = new Goals(1, 1);

  private final int elementBits;
  private final int stringBits;
  private final List<Work> works = new ArrayList<>();

  private RowWorks(int elementBits, int stringBits) {
    this.elementBits = elementBits;
    this.stringBits = stringBits;
  }

  /**
   * Returns the benchmarks.
   *
   * @param quick smaller tensors, and fewer lengths and depths
   */
  static WorkSet set(boolean quick) {
    return quick
        ? new RowWorks(24, 19).with(FEW_LENGTHS, FEW_DEPTHS).set(6, 5)
        : new RowWorks(26, 20).with(LENGTHS, DEPTHS).set(8, 11);
  }

  private WorkSet set(int warmups, int rounds) {
    String setting =
        String.format(
            "One thread, int64 indices, tensors of 2^%d numbers or 2^%d strings, a quarter of their"
                + " rows at a time",
            elementBits, stringBits);
    return new WorkSet(SUITE, setting, works, List.of(1), warmups, rounds, 3, 2);
  }

  private RowWorks with(List<Integer> lengths, List<Integer> depths) {
    for (Op op : OPS) {
      lengths.forEach(length -> addTable(op, WorkType.FLOAT32, length, elementBits));
      NARROW.forEach(type -> addTable(op, type, NARROW_LENGTH, elementBits));
      if (op != Op.ADD) {
        addTable(op, WorkType.STRING, STRINGS, stringBits);
      }
      depths.forEach(depth -> addDeep(op, depth));
    }
    return this;
  }

  /** Adds a table of rows of {@code length}. */
  private void addTable(Op op, WorkType type, int length, int bits) {
    int rows = (1 << bits) / length;
    add(name(op) + "-" + type.dtype() + "-x" + length, op, type, List.of(rows, length), 1);
  }

  /** Adds a tensor with index dimensions that are as equal as powers of two can be. */
  private void addDeep(Op op, int depth) {
    int bits = elementBits - Integer.numberOfTrailingZeros(DEEP_LENGTH);
    List<Integer> shape = new ArrayList<>();
    for (int d = 0; d < depth; d++) {
      shape.add(1 << (bits * (d + 1) / depth - bits * d / depth));
    }
    shape.add(DEEP_LENGTH);
    add(name(op) + "-float32-depth" + depth, op, WorkType.FLOAT32, shape, depth);
  }

  private void add(String id, Op op, WorkType type, List<Integer> shape, int depth) {
    int slices = shape.subList(0, depth).stream().reduce(1, Math::multiplyExact);
    works.add(new Work(id, op, type, shape, depth, slices / 4, Draw.UNIFORM, GOALS));
  }

  private static String name(Op op) {
    return op.name().toLowerCase(Locale.ROOT);
  }
}
