/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelData;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows with so many updates that a GPU folds them in blocks of their own: {@code kLongRun} in
 * {@code rows.h}, and the rows of a tile in {@code runs.h}.
 */
class LongRunsTest {
  /** Updates per row: at the bounds of long runs and of tiles, and far above them. */
  private static final int[] RUNS = {0, 1, 255, 256, 257, 384, 385, 640, 3_000};

  /** Elements per row whose rows have words of 1 to 16 bytes, and one or several segments. */
  private static final int[] WIDTHS = {1, 3, 6, 33, 64};

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void updatesAreAppliedInOrder(DType dtype) {
    KernelProvider kernels = new CudfProvider(Gpu.devices(), 64 << 20, () -> 0);
    List<Reduction> steps =
        Arrays.stream(Reduction.values()).filter(r -> r.isDefinedFor(dtype)).toList();
    for (Reduction step : steps) {
      for (int width : WIDTHS) {
        TensorAssert.assertSame(
            folded(dtype, step, width, kernels),
            folded(dtype, step, width, KernelProviders.automatic()));
      }
    }
  }

  private static Tensor folded(DType dtype, Reduction step, int width, KernelProvider kernels) {
    Random random = new Random(width);
    int units = width * dtype.units();
    long[] rows = shuffledRows(random);
    Object[] blocks = dtype.storage().allocateBlocks(1);
    blocks[0] = KernelData.random(dtype, RUNS.length * units, random);
    Object updates = KernelData.random(dtype, rows.length * units, random);
    SliceBlocks slices = SliceBlocks.owned(dtype.storage(), blocks, RUNS.length, units);
    SliceFold fold = new SliceFold(kernels, dtype, Scatter.of(step), slices);
    fold.apply(rows, null, 0, 0, rows.length, updates);
    fold.finish();
    return Tensor.wrap(dtype, Shape.of(RUNS.length, width), blocks[0]);
  }

  private static long[] shuffledRows(Random random) {
    long[] rows =
        IntStream.range(0, RUNS.length)
            .flatMap(row -> IntStream.generate(() -> row).limit(RUNS[row]))
            .asLongStream()
            .toArray();
    for (int i = rows.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long row = rows[i];
      rows[i] = rows[j];
      rows[j] = row;
    }
    return rows;
  }
}
