/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.Kernels;
import io.sparknd.kernel.cudf.ResidentBlocks.Copy;
import io.sparknd.op.GatherCall;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Many steps of gathers and scatters, with blocks that stay resident, are evicted, or never become
 * resident.
 */
class ResidentLoopTest {
  private static final int STEPS = 10;

  /** One row more than whole blocks hold. */
  private static final Shape SHAPE = Shape.of(25, 3);

  private static final int ROWS = 4;

  /**
   * The setup of a device.
   *
   * @param room the bytes of its memory, staging memory included
   * @param resident the limit for resident blocks in bytes
   */
  record Setup(DType dtype, long room, long batch, long resident, long seed) {}

  @Property(tries = 400)
  void everyVersionMatchesOracleAndNoCopyIsStale(@ForAll("setups") Setup setup) {
    HostDevices devices = new HostDevices(setup.room());
    CudfProvider kernels = new CudfProvider(devices, setup.batch(), setup::resident);
    Random random = new Random(setup.seed());
    TrainingCalls calls = new TrainingCalls(setup.dtype(), SHAPE, random);
    Tensor first = RandomCalls.tensor(setup.dtype(), SHAPE, random);
    List<VersionedTensor> versions = new ArrayList<>(List.of(VersionedTensor.of(first, ROWS)));
    for (int step = 0; step < STEPS; step++) {
      VersionedTensor newest = versions.get(versions.size() - 1);
      checkGather(kernels, newest, calls.gather());
      ScatterCall call = calls.scatter();
      Tensor before = newest.tensor();
      VersionedTensor next = newest.scatter(kernels, call);
      TensorAssert.assertSame(next.tensor(), NaiveEngine.scatter(before, call));
      TensorAssert.assertSameBits(newest.tensor(), before);
      versions.add(next);
      checkGather(kernels, versions.get(random.nextInt(versions.size())), calls.gather());
      assertThat(kernels.residents().taken()).isLessThanOrEqualTo(setup.resident());
      assertThat(devices.most()).isLessThanOrEqualTo(setup.room());
      versions.forEach(version -> assertNoCopyIsStale(version, kernels));
    }
    kernels.residents().limit(0);
    assertThat(devices.taken()).isZero();
  }

  private static void checkGather(CudfProvider kernels, VersionedTensor version, GatherCall call) {
    TensorAssert.assertSameBits(
        version.gather(kernels, call), Kernels.auto().gather(version.tensor(), call));
  }

  private static void assertNoCopyIsStale(VersionedTensor version, CudfProvider kernels) {
    Storage storage = version.dtype().storage();
    for (Object block : version.blocks()) {
      Copy copy = kernels.residents().find(block);
      if (copy != null) {
        int units = storage.length(block);
        Object read = storage.allocate(units);
        Device unbounded = new HostDevices().forThisTask();
        try (DeviceTransfer transfer = new DeviceTransfer(unbounded, storage, units, 1)) {
          transfer.toHost(copy.memory(), 1, new FlatRows(read, 0, units));
        }
        kernels.residents().release(copy);
        Shape shape = Shape.of(units / version.dtype().units());
        TensorAssert.assertSameBits(
            Tensor.wrap(version.dtype(), shape, read), Tensor.wrap(version.dtype(), shape, block));
      }
    }
  }

  @Provide
  Arbitrary<Setup> setups() {
    List<DType> fixed = Arrays.stream(DType.values()).filter(d -> d != DType.STRING).toList();
    return Combinators.combine(
            Arbitraries.of(fixed),
            Arbitraries.of(Long.MAX_VALUE, 7_000L, 10_000L, 14_000L),
            Arbitraries.of(64L, 256L, 1L << 20),
            Arbitraries.of(0L, 256L, 768L, 2048L, 1L << 20),
            Arbitraries.longs())
        .as(Setup::new);
  }
}
