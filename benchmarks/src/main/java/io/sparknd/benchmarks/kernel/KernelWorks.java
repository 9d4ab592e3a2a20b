/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.kernel.Work.Draw;
import io.sparknd.benchmarks.kernel.Work.Goals;
import io.sparknd.benchmarks.kernel.Work.Op;
import java.util.List;

/** The benchmarks of the suite {@code kernels}: float32 tensors of up to 1 GiB. */
final class KernelWorks {
  static final String SUITE = "kernels";

  private static final String SETTING = "float32 tensors, int64 indices";
  private static final int MILLION = 1_000_000;
  private static final List<Integer> THREADS = List.of(1, 2);

  private KernelWorks() {}

  /**
   * Returns the benchmarks.
   *
   * @param quick smaller tensors, without gathers into new results, which differ least from the
   *     others
   */
  static WorkSet set(boolean quick) {
    if (!quick) {
      return new WorkSet(SUITE, SETTING, list(1), THREADS, 8, 21, 8, 6);
    }
    List<Work> works = list(4).stream().filter(work -> work.op() != Op.GATHER_NEW).toList();
    return new WorkSet(SUITE, SETTING, works, THREADS, 4, 5, 8, 6);
  }

  private static List<Work> list(int divisor) {
    int rows = MILLION / divisor;
    int few = 10 * MILLION / divisor;
    int side = 4096 / (int) Math.sqrt(divisor);
    List<Integer> table = List.of(rows, 64);
    List<Integer> cells = List.of(64 * MILLION / divisor);
    List<Integer> cube = List.of(side, side, 16);
    return List.of(
        work("a", Op.GATHER, table, 1, rows, Draw.UNIFORM, new Goals(0.8, 0.95)),
        work("a2", Op.GATHER_NEW, table, 1, rows, Draw.UNIFORM, new Goals(0.8, 0.95)),
        work("b", Op.UPDATE, table, 1, rows, Draw.UNIFORM, new Goals(0.95, 0.65)),
        work("c", Op.ADD, table, 1, rows, Draw.ZIPF, new Goals(0.5, 0.3)),
        work("d", Op.ADD, cells, 1, few, Draw.UNIFORM, new Goals(0.65, 0.45)),
        work("e", Op.MAX, cells, 1, few, Draw.UNIFORM, new Goals(0.6, 0.45)),
        work("f", Op.ADD, cube, 2, rows, Draw.UNIFORM, new Goals(0.3, 0.2)),
        work("g", Op.UPDATE, cube, 2, rows, Draw.UNIFORM, new Goals(0.25, 0.3)));
  }

  private static Work work(
      String id, Op op, List<Integer> shape, int depth, int count, Draw draw, Goals goals) {
    return new Work(id, op, WorkType.FLOAT32, shape, depth, count, draw, goals);
  }
}
