/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.optimizer.OptimizerRule;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowRule;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Rules that break one part of the contract each. */
abstract class BrokenRule implements OptimizerRule {
  private static final long serialVersionUID = 1;

  @Override
  public String name() {
    return getClass().getSimpleName();
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("m", 0));
  }

  private static void descend(float[] weights, float[] gradient, double rate) {
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= (float) rate * gradient[i];
    }
  }

  /** Counts its own steps. */
  static final class CountsCalls extends BrokenRule {
    private static final long serialVersionUID = 1;
    private transient int calls;

    @Override
    public RowRule at(long step, double rate) {
      double slower = rate / ++calls;
      return (weights, state, gradient) -> descend(weights, gradient, slower);
    }
  }

  /** Counts steps from the first that it is asked for. */
  static final class CountsFromItsFirstStep extends BrokenRule {
    private static final long serialVersionUID = 1;
    private transient long first = -1;

    @Override
    public RowRule at(long step, double rate) {
      first = first < 0 ? step : first;
      double slower = rate / (1 + Math.abs(step - first));
      return (weights, state, gradient) -> descend(weights, gradient, slower);
    }
  }

  /** Keeps one momentum for all rows. */
  static final class SharesMomentum extends BrokenRule {
    private static final long serialVersionUID = 1;

    @Override
    public RowRule at(long step, double rate) {
      float[] momentum = new float[1];
      return (weights, state, gradient) -> {
        momentum[0] = 0.5f * momentum[0] + gradient[0];
        weights[0] -= (float) rate * momentum[0];
      };
    }
  }

  /** Adds noise. */
  static final class DrawsAtRandom extends BrokenRule {
    private static final long serialVersionUID = 1;

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) ->
          weights[0] -= (float) rate * ThreadLocalRandom.current().nextFloat();
    }
  }

  /** Divides by the gradient's size without an epsilon. */
  static final class DividesByZero extends BrokenRule {
    private static final long serialVersionUID = 1;

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        for (int i = 0; i < weights.length; i++) {
          float bounded = Math.max(Math.abs(gradient[i]), Math.abs(state[0][i]));
          state[0][i] = gradient[i] / bounded;
          weights[i] -= (float) rate * (Float.isNaN(state[0][i]) ? 0 : state[0][i]);
        }
      };
    }
  }

  /** Names a slot anew each time. */
  static final class RenamesSlots extends BrokenRule {
    private static final long serialVersionUID = 1;
    private transient int calls;

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(OptimizerSlot.element("m" + calls++, 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> descend(weights, gradient, rate);
    }
  }

  /** Declares a value per row here and one per element in tasks. */
  static final class LosesItsSlots extends BrokenRule {
    private static final long serialVersionUID = 1;
    private final transient boolean isHere = name().length() > 1; // not a constant

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(isHere ? OptimizerSlot.row("m", 0) : OptimizerSlot.element("m", 0));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        state[0][0] += gradient[0];
        weights[0] -= (float) rate * state[0][0];
      };
    }
  }

  /** Has a parameter that tasks do not get. */
  static final class LosesItsParameter extends BrokenRule {
    private static final long serialVersionUID = 1;
    private final transient double share = Math.sqrt(0.25); // not a constant that javac inlines

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> descend(weights, gradient, share * rate);
    }
  }

  /** Has a field that is not serializable. */
  @SuppressWarnings("serial") // on purpose
  static final class CannotBeSent extends BrokenRule {
    private static final long serialVersionUID = 1;
    private final Object lock = new Object();

    @Override
    public RowRule at(long step, double rate) {
      synchronized (lock) {
        return (weights, state, gradient) -> descend(weights, gradient, rate);
      }
    }
  }

  /** Writes into no slot of the row, but into an array of its own. */
  static final class ReplacesState extends BrokenRule {
    private static final long serialVersionUID = 1;

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        state[0] = gradient.clone();
        descend(weights, state[0], rate);
      };
    }
  }
}
