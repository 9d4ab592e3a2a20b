/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.KernelData;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceCopy;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of realistic size, and devices with too little memory for them. */
class DeviceScatterTest {
  private static final int SLICES = 3000;
  private static final int UPDATES = 20_000;
  private static final int UNITS = 24;

  /** Runs a fold on data of a fixed seed. */
  private static float[] folded(KernelProvider kernels, Reduction reduction) {
    Random random = new Random(7);
    float[] tensor = (float[]) KernelData.random(DType.FLOAT32, SLICES * UNITS, random);
    float[] updates = (float[]) KernelData.random(DType.FLOAT32, UPDATES * UNITS, random);
    // one slice gets a third of all updates
    long[] offsets =
        IntStream.range(0, UPDATES)
            .mapToLong(i -> random.nextInt(3) == 0 ? 17 : random.nextInt(SLICES + 1) - 1)
            .toArray();
    SliceBlocks blocks = SliceBlocks.owned(Storage.FLOAT, new float[][] {tensor}, SLICES, UNITS);
    SliceFold fold = new SliceFold(kernels, DType.FLOAT32, Scatter.of(reduction), blocks);
    fold.apply(offsets, null, 0, 0, UPDATES, updates);
    fold.finish();
    return bits(tensor);
  }

  /** Canonicalizes NaN: a reduction may return any NaN bits. */
  private static float[] bits(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.isNaN(values[i]) ? Float.NaN : values[i];
    }
    return values;
  }

  private static CudfProvider on(Devices devices) {
    return new CudfProvider(devices, 64 << 20, () -> 0);
  }

  @ParameterizedTest
  @EnumSource
  void batchAppliesUpdatesInOrder(Reduction reduction) {
    assertThat(folded(on(Gpu.devices()), reduction))
        .isEqualTo(folded(KernelProviders.automatic(), reduction));
  }

  @Test
  void batchFreesItsDeviceMemory() {
    HostDevices devices = new HostDevices();

    folded(on(devices), Reduction.ADD);

    assertThat(devices.most()).isGreaterThan(UPDATES * UNITS * Float.BYTES);
    assertThat(devices.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100_000, 500_000, 1_000_000, 3_000_000})
  void fullDeviceSplitsBatchesOrFallsBackToCpu(long room) {
    HostDevices devices = new HostDevices(room);

    assertThat(folded(on(devices), Reduction.ADD))
        .isEqualTo(folded(KernelProviders.automatic(), Reduction.ADD));

    assertThat(devices.refused()).isPositive();
    assertThat(devices.most()).isLessThanOrEqualTo(room);
    assertThat(devices.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4_000_000, Long.MAX_VALUE})
  void gatherMatchesCpuWithAnyDeviceMemory(long room) {
    HostDevices devices = new HostDevices(room);
    assertThat(gathered(on(devices))).isEqualTo(gathered(KernelProviders.automatic()));
    assertThat(devices.taken()).isZero();
    assertThat(devices.refused() > 0).isEqualTo(room < Long.MAX_VALUE);
  }

  private static long[] gathered(KernelProvider kernels) {
    Random random = new Random(8);
    Object[] blocks = new long[4][];
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = KernelData.random(DType.INT64, SLICES / 4 * UNITS, random);
    }
    long[] offsets = random.longs(UPDATES, -1, SLICES).toArray();
    SliceCopy copy =
        new SliceCopy(
            kernels, Storage.LONG, SliceBlocks.owned(Storage.LONG, blocks, SLICES / 4, UNITS));
    long[] result = new long[UPDATES * UNITS];
    copy.apply(offsets, null, 0, 0, UPDATES, result);
    copy.finish();
    return result;
  }

  @Test
  void sliceLongerThanTheStagingBufferIsCopiedInParts() {
    int units = 5_000_000; // 20 MB
    float[] tensor = new float[2 * units];
    float[] updates = new float[3 * units];
    Random random = new Random(9);
    for (int i = 0; i < updates.length; i++) {
      updates[i] = random.nextFloat();
    }
    Devices devices = Gpu.devices();
    SliceFold fold =
        new SliceFold(
            on(devices),
            DType.FLOAT32,
            Scatter.add(),
            SliceBlocks.owned(Storage.FLOAT, new float[][] {tensor}, 2, units));
    fold.apply(new long[] {1, 0, 1}, null, 0, 0, 3, updates);
    fold.finish();
    for (int unit : new int[] {0, 1, 2_097_151, 2_097_152, 4_999_999}) {
      assertThat(tensor[unit]).isEqualTo(updates[units + unit]);
      assertThat(tensor[units + unit]).isEqualTo(updates[unit] + updates[2 * units + unit]);
    }
  }
}
