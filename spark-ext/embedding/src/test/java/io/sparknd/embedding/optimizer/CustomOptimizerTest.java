/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests optimizers with a rule of an application. */
class CustomOptimizerTest {
  /** A rule of lambdas. */
  private record Given(String name, List<OptimizerSlot> slots, RowRule rule)
      implements OptimizerRule {
    @Override
    public RowRule at(long step, double rate) {
      return rule;
    }
  }

  /** Row-wise Adagrad of rows of up to seven elements. */
  private record RowSquares() implements OptimizerRule {
    @Override
    public String name() {
      return "row-squares";
    }

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(OptimizerSlot.row("accumulator", 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        float sum = 0;
        for (float slope : gradient) {
          sum += slope * slope;
        }
        state[0][0] += sum / gradient.length;
        float pace = (float) rate / ((float) Math.sqrt(state[0][0]) + 1e-8f);
        for (int i = 0; i < weights.length; i++) {
          weights[i] -= pace * gradient[i];
        }
      };
    }
  }

  @Property(tries = 200)
  void rowsAreUpdatedAsByTheBuiltInRule(
      @ForAll @Size(20) List<@FloatRange(min = -9, max = 9) Float> numbers) {
    Optimizer builtIn = Optimizer.rowWiseAdagrad(1);
    Optimizer own = Optimizer.custom(1, new RowSquares());
    Table expected = Table.of(builtIn, new float[20], 5);
    Table found = Table.of(own, new float[20], 5);
    float[] gradients = new float[20];
    for (int i = 0; i < 20; i++) {
      gradients[i] = numbers.get(i);
    }
    for (int step = 0; step < 3; step++) {
      RowUpdate one = with(builtIn).update(step, 5);
      RowUpdate other = with(own).update(step, 5);
      for (int row = step % 2; row < 4; row += 2) {
        one.apply(expected.weights(), row * 5, expected.state(), row, gradients, row * 5);
        other.apply(found.weights(), row * 5, found.state(), row, gradients, row * 5);
      }
    }
    assertThat(found.weights()).isEqualTo(expected.weights());
    assertThat(found.state()).isDeepEqualTo(expected.state());
  }

  private static Optimizer with(Optimizer optimizer) {
    return optimizer
        .withL2(0.1)
        .withClip(Clip.byValue(2))
        .withSchedule(LearningRateSchedule.inverseTimeDecay(0.1, 20, 0.5));
  }

  /** A rule may overwrite all it is given without touching another row or the gradient. */
  @Test
  void ruleReachesOneRowOnly() {
    RowRule greedy =
        (weights, state, gradient) -> {
          Arrays.fill(weights, 1);
          Arrays.fill(state[0], 2);
          Arrays.fill(gradient, 3);
        };
    List<OptimizerSlot> slots = List.of(OptimizerSlot.element("s", 0));
    Optimizer optimizer = Optimizer.custom(1, new Given("greedy", slots, greedy));
    Table table = Table.of(optimizer, new float[6], 2);
    float[] gradient = new float[4];
    optimizer.update(0, 2).apply(table.weights(), 2, table.state(), 1, gradient, 1);
    assertThat(table.weights()).containsExactly(0, 0, 1, 1, 0, 0);
    assertThat(table.state()[0]).containsExactly(0, 0, 2, 2, 0, 0);
    assertThat(gradient).containsOnly(0);
  }

  @Test
  void stateThatWouldBeLostIsRefused() {
    List<OptimizerSlot> slots = List.of(OptimizerSlot.row("a", 0), OptimizerSlot.element("b", 0));
    RowRule replacing = (weights, state, gradient) -> state[1] = new float[2];
    Optimizer optimizer = Optimizer.custom(1, new Given("replacing", slots, replacing));
    Table table = Table.of(optimizer, new float[2], 2);
    assertRefused(
        () -> optimizer.update(0, 2).apply(table.weights(), 0, table.state(), 0, new float[2], 0),
        "the optimizer rule 'replacing' replaced the array state[1]");
  }

  @Test
  void namesAreDistinctAndNotBlank() {
    RowRule nothing = (weights, state, gradient) -> {};
    OptimizerSlot slot = OptimizerSlot.row("a", 0);
    assertRefused(
        () -> Optimizer.custom(1, new Given(" ", List.of(slot), nothing)),
        "the optimizer rule ' ' has slots [a]");
    assertRefused(
        () -> Optimizer.custom(1, new Given("twice", List.of(slot, slot), nothing)),
        "the optimizer rule 'twice' has slots [a, a]");
    assertRefused(() -> OptimizerSlot.element("", 0), "a slot of an optimizer has the blank name");
    assertRefused(
        () -> OptimizerSlot.row("a", Double.NaN), "initial value of slot a is NaN; it must be a");
    assertRefused(
        () -> Optimizer.custom(0, new Given("still", List.of(), nothing)), "learning rate is 0.0");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(message);
  }
}
