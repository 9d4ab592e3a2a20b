/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import io.sparknd.oracle.TestSamples;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every provider, dtype and reduction against {@link KernelOracle}, bit for bit. */
class KernelParityTest {
  private static final int[] SLICE_ELEMENTS = {
    1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 64, 100, 128, 129
  };
  private static final int SLICES_PER_BLOCK = 5;
  private static final int UPDATES = 40;

  static Stream<Arguments> definedReductions() {
    return reductions(true);
  }

  static Stream<Arguments> someDefinedReductions() {
    return TestSamples.of(definedReductions().toList(), 80).stream();
  }

  static Stream<Arguments> undefinedReductions() {
    return reductions(false);
  }

  static Stream<Arguments> providersAndDTypes() {
    return TestedKernels.names().stream()
        .flatMap(name -> Arrays.stream(DType.values()).map(dtype -> Arguments.of(name, dtype)));
  }

  private static Stream<Arguments> reductions(boolean defined) {
    return providersAndDTypes()
        .flatMap(
            row ->
                Arrays.stream(Reduction.values())
                    .filter(r -> r.isDefinedFor((DType) row.get()[1]) == defined)
                    .map(r -> Arguments.of(row.get()[0], row.get()[1], r)));
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("definedReductions")
  void everyScatterAppliesUpdatesInOrder(String provider, DType dtype, Reduction reduction) {
    scatterAppliesUpdatesInOrder(provider, dtype, reduction);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("someDefinedReductions")
  void scatterAppliesUpdatesInOrder(String provider, DType dtype, Reduction reduction) {
    ScatterKernel kernel = KernelProviders.named(provider).scatter(dtype, reduction);
    for (int elements : SLICE_ELEMENTS) {
      for (int blocks : new int[] {1, 3}) {
        Scene scene = new Scene(dtype, elements * dtype.units(), blocks, elements * 31L + blocks);
        Object[] expected = scene.folded(reduction);
        kernel.apply(scene.blocks, scene.at, scene.flat, scene.units);
        kernel.finish();
        for (int b = 0; b < blocks; b++) {
          assertSame(dtype, scene.blocks[b], expected[b], reduction != Reduction.NONE);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("providersAndDTypes")
  void gatherCopiesBits(String provider, DType dtype) {
    GatherKernel kernel = KernelProviders.named(provider).gather(dtype.storage());
    for (int elements : SLICE_ELEMENTS) {
      Scene scene = new Scene(dtype, elements * dtype.units(), 3, elements);
      Object expected = scene.gathered();
      kernel.apply(scene.blocks, scene.at, scene.flat, scene.units);
      kernel.finish();
      assertSame(dtype, scene.flat, expected, false);
    }
  }

  /** Kernels read slices ahead or not, by CPU; here, both ways are tested on each. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slicesThatAreReadAheadOrNotHaveTheSameBits(boolean isReadAhead) throws Exception {
    ForkedJvm run =
        ForkedJvm.run(
            List.of(
                "--add-modules=jdk.incubator.vector",
                "-Dsparknd.kernel.readAhead=" + isReadAhead,
                "-cp",
                System.getProperty("java.class.path"),
                AllVectorKernels.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();
  }

  /** The program of the JVM with one of the ways. */
  static final class AllVectorKernels {
    private AllVectorKernels() {}

    public static void main(String[] arguments) {
      KernelParityTest test = new KernelParityTest();
      for (DType dtype : DType.values()) {
        test.gatherCopiesBits("vector", dtype);
        Arrays.stream(Reduction.values())
            .filter(reduction -> reduction.isDefinedFor(dtype))
            .forEach(reduction -> test.scatterAppliesUpdatesInOrder("vector", dtype, reduction));
      }
    }
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("undefinedReductions")
  void rejectsUndefinedReductions(String provider, DType dtype, Reduction reduction) {
    KernelProvider kernels = KernelProviders.named(provider);
    assertThatThrownBy(() -> kernels.scatter(dtype, reduction))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(reduction + " is not defined for " + dtype + "; defined are none,");
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("providersAndDTypes")
  void anEmptyChunkChangesNothing(String provider, DType dtype) {
    Scene scene = new Scene(dtype, 64 * dtype.units(), 1, 5);
    Object before = KernelData.copy(dtype.storage(), scene.blocks[0]);
    scene.at.count = 0;
    KernelProvider kernels = KernelProviders.named(provider);
    ScatterKernel add = kernels.scatter(dtype, Reduction.ADD);
    add.apply(scene.blocks, scene.at, scene.flat, scene.units);
    add.finish();
    assertSame(dtype, scene.blocks[0], before, false);
  }

  private static void assertSame(DType dtype, Object actual, Object expected, boolean anyNan) {
    int length = dtype.storage().length(expected);
    Object[] actualBits = new Object[length];
    Object[] expectedBits = new Object[length];
    for (int i = 0; i < length; i++) {
      actualBits[i] = KernelData.bits(dtype, actual, i, anyNan);
      expectedBits[i] = KernelData.bits(dtype, expected, i, anyNan);
    }
    assertThat(actualBits).isEqualTo(expectedBits);
  }

  /** Blocks, a flat array, and a chunk of slices that moves between them, with many duplicates. */
  private static final class Scene {
    final DType dtype;
    final int units;
    final Object[] blocks;
    final Object flat;
    final SliceAddresses at = new SliceAddresses();

    Scene(DType dtype, int units, int blockCount, long seed) {
      Random random = new Random(seed);
      this.dtype = dtype;
      this.units = units;
      this.blocks = dtype.storage().allocateBlocks(blockCount);
      for (int b = 0; b < blockCount; b++) {
        blocks[b] = KernelData.random(dtype, SLICES_PER_BLOCK * units, random);
      }
      this.flat = KernelData.random(dtype, UPDATES * units, random);
      at.count = UPDATES;
      for (int i = 0; i < UPDATES; i++) {
        at.block[i] = random.nextInt(blockCount);
        at.position[i] = random.nextInt(SLICES_PER_BLOCK) * units;
        at.row[i] = (i * 7 % UPDATES) * units;
      }
    }

    Object[] folded(Reduction reduction) {
      Object[] folded = blocks.clone();
      for (int b = 0; b < folded.length; b++) {
        folded[b] = KernelData.copy(dtype.storage(), blocks[b]);
      }
      for (int i = 0; i < at.count; i++) {
        for (int j = 0; j < units; j += dtype.units()) {
          KernelOracle.apply(
              dtype, reduction, folded[at.block[i]], at.position[i] + j, flat, at.row[i] + j);
        }
      }
      return folded;
    }

    Object gathered() {
      Object gathered = KernelData.copy(dtype.storage(), flat);
      for (int i = 0; i < at.count; i++) {
        System.arraycopy(blocks[at.block[i]], at.position[i], gathered, at.row[i], units);
      }
      return gathered;
    }
  }
}
