/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.tensor.Npy;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests every rule against two references: NumPy results in files, and {@link Rules} on random
 * rows.
 */
class OptimizerTest {
  private static final int STEPS = 100;

  static Stream<OptimizerCase> cases() {
    return OptimizerCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void bitsEqualThoseOfNumPy(OptimizerCase tried) {
    float[] first = (float[]) golden("weights");
    float[] gradients = (float[]) golden("gradients");
    byte[] touched = (byte[]) golden("touched");
    int rows = touched.length / STEPS;
    Table table = Table.of(tried.optimizer(), first, first.length / rows);
    for (int step = 0; step < STEPS; step++) {
      RowUpdate update = tried.optimizer().update(step, table.dim());
      for (int row = 0; row < rows; row++) {
        int at = step * rows + row;
        if (touched[at] != 0) {
          int own = row * table.dim();
          update.apply(table.weights(), own, table.state(), row, gradients, at * table.dim());
        }
      }
    }
    float[] expected = (float[]) golden(tried.name());
    for (int row = 0; row < rows; row++) {
      Array[] arrays = table.row(row);
      for (int k = 0; k < arrays.length; k++) {
        int from = (k * rows + row) * table.dim();
        Array numPys = new Array(Arrays.copyOfRange(expected, from, from + table.dim()));
        assertBits(spread(arrays[k], table.dim()), numPys, row, k);
      }
    }
  }

  /** Repeats a value per row for each element, as the files do. */
  private static Array spread(Array array, int dim) {
    return array.values().length == dim ? array : Array.full(dim, array.values()[0]);
  }

  private static Object golden(String name) {
    String path = "/optimizers/" + name + ".npy";
    try (InputStream in = OptimizerTest.class.getResourceAsStream(path)) {
      return Npy.read(in, path).array();
    } catch (IOException e) {
      throw new AssertionError(path, e);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rowsOfEveryLengthMatchTheJavaReference(OptimizerCase tried) {
    for (int dim : new int[] {1, 2, 7, 8, 9, 16, 31, 64, 100, 128}) {
      new Training(tried, dim).run();
    }
  }

  /** Trains random rows with gradients of many magnitudes. Other rows must not change. */
  private static final class Training {
    private static final int ROWS = 9;
    private final OptimizerCase tried;
    private final Random random;
    private final Table table;
    private final Array[][] expected = new Array[ROWS][];

    Training(OptimizerCase tried, int dim) {
      this.tried = tried;
      this.random = new Random(dim);
      this.table = Table.of(tried.optimizer(), gaussians(ROWS * dim), dim);
      for (int row = 0; row < ROWS; row++) {
        expected[row] = table.row(row);
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        RowUpdate update = tried.optimizer().update(step, table.dim());
        for (int row = random.nextInt(3); row < ROWS; row += 1 + random.nextInt(4)) {
          touch(update, step, row);
        }
        check();
      }
    }

    private void touch(RowUpdate update, int step, int row) {
      int from = random.nextInt(5);
      float[] gradient = gaussians(from + table.dim() + 3);
      float[] kept = gradient.clone();
      int dim = table.dim();
      update.apply(table.weights(), row * dim, table.state(), row, gradient, from);
      assertThat(gradient).isEqualTo(kept);
      Array own = new Array(Arrays.copyOfRange(gradient, from, from + dim));
      tried.reference().update(expected[row], own, step);
    }

    private void check() {
      for (int row = 0; row < ROWS; row++) {
        Array[] found = table.row(row);
        for (int k = 0; k < found.length; k++) {
          assertBits(found[k], expected[row][k], row, k);
        }
      }
    }

    private float[] gaussians(int length) {
      float[] values = new float[length];
      float scale = (float) Math.pow(10, random.nextInt(5) - 3);
      for (int i = 0; i < length; i++) {
        values[i] = random.nextInt(10) == 0 ? 0 : scale * (float) random.nextGaussian();
      }
      return values;
    }
  }

  private static void assertBits(Array found, Array expected, int row, int k) {
    assertThat(found.values()).as("array %d of row %d", k, row).isEqualTo(expected.values());
  }

  @Test
  void squaresAreSummedInNumPysOrder() {
    float[] values = (float[]) golden("squares");
    float[] sums = (float[]) golden("squares_sums");
    for (int length = 0; length < sums.length; length++) {
      assertThat(SquareSums.sum(values, 0, length)).as("%d values", length).isEqualTo(sums[length]);
      float[] later = new float[length + 3];
      System.arraycopy(values, 0, later, 3, length);
      assertThat(SquareSums.sum(later, 3, length)).isEqualTo(sums[length]);
    }
  }

  /**
   * With one step from nothing, m and v give a change of {@code sign(gradient)}, so that a step is
   * as long as the row times the rate.
   */
  @ParameterizedTest
  @ValueSource(floats = {1e10f, 1e25f, 3e38f})
  void lambScalesRowsWhoseSquaresOverflow(float weight) {
    int dim = 8;
    Optimizer lamb = Optimizer.lamb(0.5);
    Table table = Table.of(lamb, Array.full(dim, weight).values(), dim);
    float[] gradient = Array.full(dim, 1).values();
    lamb.update(0, dim).apply(table.weights(), 0, table.state(), 0, gradient, 0);
    for (float updated : table.weights()) {
      assertThat(updated / weight).isCloseTo(0.5f, within(1e-3f));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void zeroGradientsDoNotMakeNaN(OptimizerCase tried) {
    Table table = Table.of(tried.optimizer(), new float[16], 8);
    tried.optimizer().update(0, 8).apply(table.weights(), 8, table.state(), 1, new float[8], 0);
    assertThat(table.weights()).containsOnly(0f);
  }

  /**
   * NaNs must reach the weights, where loss scaling and checks for exploding gradients look for
   * them.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void nanInTheGradientReachesTheWeights(OptimizerCase tried) {
    Table table = Table.of(tried.optimizer(), new float[8], 8);
    float[] gradient = Array.full(8, Float.NaN).values();
    tried.optimizer().update(0, 8).apply(table.weights(), 0, table.state(), 0, gradient, 0);
    assertThat(table.weights()).containsOnly(Float.NaN);
  }

  @Test
  void adamsFirstStepIsTheLearningRate() {
    float[] weights = new float[1];
    float[][] state = new float[2][1];
    Optimizer.adam(0.001).update(0, 1).apply(weights, 0, state, 0, new float[] {-3}, 0);
    assertThat(weights[0]).isBetween(0.000999f, 0.001001f);
  }

  /** The trust ratio is of the row alone: rows of other sizes move in proportion to their norm. */
  @Test
  void lambMovesARowByItsNormTimesTheRate() {
    float[] weights = {3, 4, 0.03f, 0.04f, 0, 0};
    Table table = Table.of(Optimizer.lamb(0.1), weights, 2);
    RowUpdate update = Optimizer.lamb(0.1).update(0, 2);
    for (int row = 0; row < 3; row++) {
      update.apply(table.weights(), row * 2, table.state(), row, new float[] {7, 0}, 0);
    }
    assertThat(table.weights()[0]).isCloseTo(2.5f, within(1e-5f));
    assertThat(table.weights()[2]).isCloseTo(0.025f, within(1e-7f));
    assertThat(table.weights()[4]).isCloseTo(-0.1f, within(1e-6f)); // ratio 1 for a norm of 0
    assertThat(table.weights()[1]).isEqualTo(4);
  }

  /** The bound that AdamW's Javadoc states for rows whose first gradient comes late. */
  @Test
  void adamWsLateFirstStepIsThreeTimesTheRate() {
    float[] weights = new float[1];
    Optimizer adamW = Optimizer.adamW(0.001);
    adamW.update(1_000_000, 1).apply(weights, 0, new float[2][1], 0, new float[] {-3}, 0);
    assertThat(weights[0]).isCloseTo(0.00316f, within(0.00001f));
  }

  /**
   * Expected values are one step of {@code keras.optimizers.Ftrl} 3.15 and {@code
   * torch.optim.Adagrad}, computed by hand.
   */
  @Test
  void shrinkageDiffersFromL2AndKerasEpsilonFromPyTorchs() {
    float[][] shrunk = {{0.1f}, {0}};
    float[] weights = {1};
    Optimizer.ftrl(0.5)
        .withShrinkage(0.25)
        .update(0, 1)
        .apply(weights, 0, shrunk, 0, new float[] {2}, 0);
    assertThat(shrunk[0][0]).isEqualTo(4.1f); // of gradient 2, not of 2.5 with shrinkage
    float[] torch = {0};
    float[] keras = {0};
    float[] one = {1};
    Optimizer.torchAdagrad(1)
        .withEpsilon(3)
        .update(0, 1)
        .apply(torch, 0, new float[1][1], 0, one, 0);
    Optimizer.adagrad(1).withEpsilon(3).update(0, 1).apply(keras, 0, new float[1][1], 0, one, 0);
    assertThat(torch[0]).isEqualTo(-0.25f);
    assertThat(keras[0]).isEqualTo(-0.5f);
  }

  @Test
  void ftrlMakesSmallWeightsZero() {
    Optimizer ftrl = Optimizer.ftrl(0.1).withProximal(1, 0);
    float[] weights = {0, 0};
    Table table = Table.of(ftrl, weights, 2);
    ftrl.update(0, 2).apply(table.weights(), 0, table.state(), 0, new float[] {0.9f, -1.1f}, 0);
    assertThat(table.weights()[0]).isZero();
    assertThat(table.weights()[1]).isPositive();
  }

  @Test
  void numbersOutOfBoundsAreRefused() {
    assertRefused(() -> Optimizer.sgd(0), "learning rate is 0.0; it must be above 0");
    assertRefused(() -> Optimizer.sgd(1e-50), "learning rate is 1.0E-50; it must be above 0");
    assertRefused(() -> Optimizer.sgd(1e39), "learning rate is 1.0E39");
    assertRefused(() -> Optimizer.sgd(Double.NaN), "learning rate is NaN");
    assertRefused(
        () -> Optimizer.momentum(0.1, 1), "momentum is 1.0; it must be at least 0 and below 1");
    assertRefused(() -> Optimizer.adagrad(0.1).withEpsilon(0), "epsilon is 0.0");
    assertRefused(
        () -> Optimizer.adagrad(0.1).withInitialAccumulator(-1), "initial accumulator is -1.0");
    assertRefused(() -> Optimizer.rowWiseAdagrad(0.1).withEpsilon(-1), "epsilon is -1.0");
    assertRefused(
        () -> Optimizer.rowWiseAdagrad(0.1).withInitialAccumulator(Double.POSITIVE_INFINITY),
        "initial accumulator is Infinity");
    assertRefused(() -> Optimizer.adam(0.1).withBetas(-0.1, 0.9), "beta1 is -0.1");
    assertRefused(() -> Optimizer.adam(0.1).withBetas(0.9, 0.999999999), "beta2 is 0.999999999");
    assertRefused(() -> Optimizer.adam(0.1).withEpsilon(0), "epsilon is 0.0");
    assertRefused(() -> Optimizer.adamW(0.1).withWeightDecay(-1), "weight decay is -1.0");
    assertRefused(() -> Optimizer.adamW(0.1).withBetas(1, 0.9), "beta1 is 1.0");
    assertRefused(() -> Optimizer.lamb(0.1).withEpsilon(0), "epsilon is 0.0");
    assertRefused(() -> Optimizer.lamb(0.1).withWeightDecay(Double.NaN), "weight decay is NaN");
    assertRefused(() -> Optimizer.lion(0.1).withBetas(0.9, -1), "beta2 is -1.0");
    assertRefused(() -> Optimizer.adadelta(1).withRho(1), "rho is 1.0");
    assertRefused(() -> Optimizer.adadelta(1).withEpsilon(-1), "epsilon is -1.0");
    assertRefused(() -> Optimizer.ftrl(0.1).withProximal(-1, 0), "proximal L1 is -1.0");
    assertRefused(() -> Optimizer.ftrl(0.1).withProximal(0, -1), "proximal L2 is -1.0");
    assertRefused(() -> Optimizer.ftrl(0.1).withBeta(-1), "beta is -1.0");
    assertRefused(() -> Optimizer.ftrl(0.1).withShrinkage(-1), "shrinkage is -1.0");
    assertRefused(() -> Optimizer.torchAdagrad(0.1).withEpsilon(0), "epsilon is 0.0");
    assertRefused(() -> BadGradients.clip(0), "clip of bad gradients is 0.0");
    assertRefused(
        () -> Optimizer.ftrl(0.1).withInitialAccumulator(0),
        "the sum of beta, proximal L2 and initial accumulator is 0.0");
    assertRefused(() -> Optimizer.sgd(1).withL2(-1), "l2 is -1.0; it must be at least 0");
    assertRefused(() -> Clip.byValue(0), "clip by value is 0.0");
    assertRefused(() -> Clip.byNorm(-1), "clip by norm is -1.0");
  }

  @Test
  void gradientsWhoseSquaresOverflowAreScaledByNorm() {
    float[] gradient = {3e20f, 0, -4e20f};
    Clip.byNorm(5).apply(gradient);
    assertThat(gradient).containsExactly(3, 0, -4);
    float[] largest = {Float.MAX_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE, Float.MAX_VALUE};
    Clip.byNorm(1).apply(largest);
    assertThat(largest).containsExactly(0.5f, 0.5f, -0.5f, 0.5f);
    float[] small = {3e20f, 4e20f};
    Clip.byNorm(6e20).apply(small);
    assertThat(small).containsExactly(3e20f, 4e20f);
    float[] infinite = {Float.POSITIVE_INFINITY, 1};
    Clip.byNorm(1).apply(infinite);
    assertThat(infinite).containsExactly(Float.NaN, 0);
  }

  /** A product and a quotient by the same number would not restore each of them. */
  @Test
  void gradientsOfTheLargestNormAreNotRounded() {
    for (float value = 1; value < 2; value += 0x1p-9f + 0x1p-20f) {
      float[] gradient = {value};
      Clip.byNorm(value).apply(gradient);
      assertThat(gradient[0]).isEqualTo(value);
    }
  }

  @Test
  void fractionsMayBeZero() {
    assertThat(Optimizer.momentum(0.1, 0).momentum()).isZero();
    assertThat(Optimizer.adam(0.1).withBetas(0, 0).beta1()).isZero();
  }

  @Test
  void ftrlNeedsALearningRateAtEveryStep() {
    Optimizer ftrl = Optimizer.ftrl(1).withSchedule(LearningRateSchedule.cosineDecay(0.1, 10, 0));
    ftrl.update(9, 4);
    assertRefused(() -> ftrl.update(10, 4), "the learning rate of step 10 is 0 in float32");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(message);
  }
}
