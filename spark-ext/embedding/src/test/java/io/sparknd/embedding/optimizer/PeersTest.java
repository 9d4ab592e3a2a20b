/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Tests three steps against Keras 3.15.1 (on TensorFlow 2.21.0 or PyTorch) and PyTorch 2.13.0. The
 * last three bits may differ, because their order of operations differs.
 */
class PeersTest {
  private static final float[] WEIGHTS = {1, -0.5f, 0.25f};
  private static final float[][] GRADIENTS = {
    {0.5f, -1, 2}, {0.25f, 0.75f, -0.5f}, {-1.5f, 0.125f, 1}
  };

  private static void assertMakes(Optimizer optimizer, double... expected) {
    float[] weights = WEIGHTS.clone();
    float[][] state = new float[optimizer.slots().size()][WEIGHTS.length];
    for (int slot = 0; slot < state.length; slot++) {
      Arrays.fill(state[slot], optimizer.slots().get(slot).initial());
    }
    for (int step = 0; step < GRADIENTS.length; step++) {
      optimizer.update(step, WEIGHTS.length).apply(weights, 0, state, 0, GRADIENTS[step], 0);
    }
    for (int i = 0; i < weights.length; i++) {
      float peer = (float) expected[i];
      assertThat(weights[i])
          .as("weight %d", i)
          .isBetween(peer - 8 * Math.ulp(peer), peer + 8 * Math.ulp(peer));
    }
  }

  @Test
  void ftrlMatchesKeras() {
    Ftrl ftrl = Optimizer.ftrl(0.1);
    assertMakes(ftrl, 0x1.bc614ep-2, -0x1.496fap-2, 0x1.7c9cd2p-4);
    assertMakes(ftrl.withProximal(0.1, 0.2), 0x1.938be6p-2, -0x1.346448p-2, 0x1.61097p-4);
    assertMakes(ftrl.withShrinkage(0.05), 0x1.a34316p-2, -0x1.402976p-2, 0x1.72ff22p-4);
    assertMakes(
        ftrl.withProximal(0.1, 0.2).withShrinkage(0.05).withBeta(0.5),
        0x1.d134dep-3,
        -0x1.a1d84ap-3,
        0x1.12742cp-4);
  }

  @Test
  void adagradMatchesKerasAndTorchAdagradMatchesPyTorch() {
    assertMakes(
        Optimizer.adagrad(0.1).withInitialAccumulator(0.1).withEpsilon(1e-3),
        0x1.eff148p-1,
        -0x1.e3d55ap-2,
        0x1.0e4b68p-3);
    TorchAdagrad torch = Optimizer.torchAdagrad(0.1).withEpsilon(1e-3);
    assertMakes(torch, 0x1.e5fe0cp-1, -0x1.e14638p-2, 0x1.0b9b44p-3);
    assertMakes(
        torch.withInitialAccumulator(0.1).withL2(0.01),
        0x1.ef278ep-1,
        -0x1.e30a2ap-2,
        0x1.0e1fa6p-3);
  }

  @Test
  void adamWMatchesPyTorch() {
    assertMakes(Optimizer.adamW(0.1), 0x1.ad7742p-1, -0x1.8e9c82p-2, 0x1.581782p-5);
    AdamW adamW = Optimizer.adamW(0.05);
    assertMakes(adamW.withWeightDecay(0), 0x1.d76cd4p-1, -0x1.c7f74ep-2, 0x1.2b86a2p-3);
    assertMakes(
        adamW.withBetas(0.8, 0.95).withEpsilon(1e-3).withWeightDecay(0.2),
        0x1.cb5fc8p-1,
        -0x1.bf8facp-2,
        0x1.250bd6p-3);
  }

  @Test
  void adadeltaMatchesPyTorchAndKeras() {
    Adadelta adadelta = Optimizer.adadelta(1);
    assertMakes(
        adadelta.withRho(0.9).withEpsilon(1e-6), 0x1.ffa8p-1, -0x1.001664p-1, 0x1.f77daap-3);
    assertMakes(
        Optimizer.adadelta(0.5).withRho(0.8).withEpsilon(1e-3).withL2(0.01),
        0x1.fb83a6p-1,
        -0x1.018fep-1,
        0x1.9ef91ap-3);
    assertMakes(
        adadelta.withRho(0.8).withEpsilon(1e-3), 0x1.f76008p-1, -0x1.03a10ap-1, 0x1.3e4c84p-3);
    assertMakes(Optimizer.adadelta(0.5), 0x1.ffedd2p-1, -0x1.000306p-1, 0x1.fe1d12p-3);
  }

  /** Keras has one trust ratio per variable, here a row, and leaves decay out of it. */
  @Test
  void lambAndLionMatchKeras() {
    assertMakes(Optimizer.lamb(0.1), 0x1.c6b932p-1, -0x1.b26cbp-2, 0x1.bda434p-5);
    assertMakes(
        Optimizer.lamb(0.05).withBetas(0.8, 0.95).withEpsilon(1e-3),
        0x1.e54252p-1,
        -0x1.dff684p-2,
        0x1.367de6p-3);
    assertMakes(Optimizer.lion(0.1), 0x1.ccccccp-1, -0x1.333334p-1, 0x1.333334p-3);
    assertMakes(
        Optimizer.lion(0.1).withBetas(0.6, 0.8), 0x1.ccccccp-1, -0x1.333334p-1, -0x1.999998p-5);
  }
}
