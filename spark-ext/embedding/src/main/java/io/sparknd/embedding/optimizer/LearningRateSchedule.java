/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * The learning rate as a function of the step, which counts all mini-batches that the table was
 * trained with, also before it was loaded; see {@link #startingAt}. Decays follow Keras' {@code
 * LearningRateSchedule} classes, in double where Keras uses float32.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LearningRateSchedule.Constant.class, name = "constant"),
  @JsonSubTypes.Type(value = LearningRateSchedule.WarmUp.class, name = "warmUp"),
  @JsonSubTypes.Type(
      value = LearningRateSchedule.ExponentialDecay.class,
      name = "exponentialDecay"),
  @JsonSubTypes.Type(
      value = LearningRateSchedule.InverseTimeDecay.class,
      name = "inverseTimeDecay"),
  @JsonSubTypes.Type(value = LearningRateSchedule.CosineDecay.class, name = "cosineDecay"),
  @JsonSubTypes.Type(
      value = LearningRateSchedule.PiecewiseConstant.class,
      name = "piecewiseConstant"),
  @JsonSubTypes.Type(value = LearningRateSchedule.PerEpoch.class, name = "perEpoch"),
  @JsonSubTypes.Type(value = LearningRateSchedule.StartingAt.class, name = "startingAt")
})
public sealed interface LearningRateSchedule extends Serializable {

  /**
   * Returns the learning rate of a mini-batch.
   *
   * @param step number of earlier mini-batches, from 0
   */
  double rate(long step);

  /**
   * Returns a constant rate.
   *
   * @param rate above 0
   */
  static LearningRateSchedule constant(double rate) {
    return new Constant(rate);
  }

  /**
   * Returns a linear warm-up from {@code from} at step 0 to the first rate of {@code then} at step
   * {@code steps}, where {@code then} begins.
   *
   * @param from at least 0
   * @param steps at least 1
   */
  static LearningRateSchedule warmUp(double from, long steps, LearningRateSchedule then) {
    return new WarmUp(from, steps, then);
  }

  /**
   * Returns {@code initial * factor^(step / steps)}, without rounding {@code step / steps}.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param factor above 0
   */
  static LearningRateSchedule exponentialDecay(double initial, long steps, double factor) {
    return new ExponentialDecay(initial, steps, factor);
  }

  /**
   * Returns {@code initial / (1 + factor * step / steps)}, without rounding {@code step / steps}.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param factor at least 0
   */
  static LearningRateSchedule inverseTimeDecay(double initial, long steps, double factor) {
    return new InverseTimeDecay(initial, steps, factor);
  }

  /**
   * Returns half a cosine from {@code initial} at step 0 to {@code initial * alpha} at step {@code
   * steps}, constant after that.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param alpha at least 0
   */
  static LearningRateSchedule cosineDecay(double initial, long steps, double alpha) {
    return new CosineDecay(initial, steps, alpha);
  }

  /**
   * Returns {@code rates[k]} up to and including step {@code boundaries[k]}, and the last rate
   * after the last boundary.
   *
   * @param boundaries ascending, at least 0
   * @param rates one more than boundaries, each at least 0
   */
  static LearningRateSchedule piecewiseConstant(long[] boundaries, double[] rates) {
    return new PiecewiseConstant(
        LongStream.of(boundaries).boxed().toList(), DoubleStream.of(rates).boxed().toList());
  }

  /**
   * Returns a schedule by epochs: the rate of {@code schedule} at step 0 in the first epoch, that
   * at step 1 in the second, and so on, constant within an epoch.
   *
   * @param stepsPerEpoch mini-batches in a pass over the training set, at least 1
   * @param schedule counts epochs instead of steps
   */
  static LearningRateSchedule perEpoch(long stepsPerEpoch, LearningRateSchedule schedule) {
    return new PerEpoch(stepsPerEpoch, schedule);
  }

  /**
   * Returns a schedule that begins at a step, such as {@code table.steps()} of a table that was
   * trained before. Earlier steps have the first rate.
   *
   * @param step at least 0
   * @param schedule counts the steps from there on
   */
  static LearningRateSchedule startingAt(long step, LearningRateSchedule schedule) {
    return new StartingAt(step, schedule);
  }

  /** See {@link LearningRateSchedule#constant}. */
  record Constant(double rate) implements LearningRateSchedule {
    public Constant {
      OptimizerBounds.positive("learning rate", rate);
    }

    @Override
    public double rate(long step) {
      return rate;
    }
  }

  /** See {@link LearningRateSchedule#warmUp}. */
  record WarmUp(double from, long steps, LearningRateSchedule then)
      implements LearningRateSchedule {
    public WarmUp {
      OptimizerBounds.notNegative("learning rate", from);
      OptimizerBounds.atLeastOne("warm-up", steps);
      Objects.requireNonNull(then, "then");
    }

    @Override
    public double rate(long step) {
      return step < steps ? from + (then.rate(0) - from) * step / steps : then.rate(step - steps);
    }
  }

  /** See {@link LearningRateSchedule#exponentialDecay}. */
  record ExponentialDecay(double initial, long steps, double factor)
      implements LearningRateSchedule {
    public ExponentialDecay {
      OptimizerBounds.positive("learning rate", initial);
      OptimizerBounds.atLeastOne("exponential decay", steps);
      OptimizerBounds.positive("factor of exponential decay", factor);
    }

    @Override
    public double rate(long step) {
      return initial * StrictMath.pow(factor, (double) step / steps);
    }
  }

  /** See {@link LearningRateSchedule#inverseTimeDecay}. */
  record InverseTimeDecay(double initial, long steps, double factor)
      implements LearningRateSchedule {
    public InverseTimeDecay {
      OptimizerBounds.positive("learning rate", initial);
      OptimizerBounds.atLeastOne("inverse-time decay", steps);
      OptimizerBounds.notNegative("factor of inverse-time decay", factor);
    }

    @Override
    public double rate(long step) {
      return initial / (1 + factor * step / steps);
    }
  }

  /** See {@link LearningRateSchedule#cosineDecay}. */
  record CosineDecay(double initial, long steps, double alpha) implements LearningRateSchedule {
    public CosineDecay {
      OptimizerBounds.positive("learning rate", initial);
      OptimizerBounds.atLeastOne("cosine decay", steps);
      OptimizerBounds.notNegative("alpha of cosine decay", alpha);
    }

    @Override
    public double rate(long step) {
      double done = (double) Math.min(step, steps) / steps;
      double left = 0.5 * (1 + StrictMath.cos(Math.PI * done));
      return initial * ((1 - alpha) * left + alpha);
    }
  }

  /** See {@link LearningRateSchedule#piecewiseConstant}. */
  record PiecewiseConstant(List<Long> boundaries, List<Double> rates)
      implements LearningRateSchedule {
    public PiecewiseConstant {
      boundaries = List.copyOf(boundaries);
      rates = List.copyOf(rates);
      if (rates.size() != boundaries.size() + 1 || !ascend(boundaries)) {
        throw EmbeddingErrors.badBoundaries(boundaries, rates);
      }
      rates.forEach(rate -> OptimizerBounds.notNegative("learning rate", rate));
    }

    private static boolean ascend(List<Long> boundaries) {
      long before = -1;
      for (long boundary : boundaries) {
        if (boundary <= before) {
          return false;
        }
        before = boundary;
      }
      return true;
    }

    @Override
    public double rate(long step) {
      int piece = 0;
      while (piece < boundaries.size() && step > boundaries.get(piece)) {
        piece++;
      }
      return rates.get(piece);
    }
  }

  /** See {@link LearningRateSchedule#perEpoch}. */
  record PerEpoch(long stepsPerEpoch, LearningRateSchedule schedule)
      implements LearningRateSchedule {
    public PerEpoch {
      OptimizerBounds.atLeastOne("an epoch", stepsPerEpoch);
      Objects.requireNonNull(schedule, "schedule");
    }

    @Override
    public double rate(long step) {
      return schedule.rate(step / stepsPerEpoch);
    }
  }

  /** See {@link LearningRateSchedule#startingAt}. */
  record StartingAt(long step, LearningRateSchedule schedule) implements LearningRateSchedule {
    public StartingAt {
      OptimizerBounds.notNegative("first step", step);
      Objects.requireNonNull(schedule, "schedule");
    }

    @Override
    public double rate(long step) {
      return schedule.rate(Math.max(0, step - this.step));
    }
  }
}
