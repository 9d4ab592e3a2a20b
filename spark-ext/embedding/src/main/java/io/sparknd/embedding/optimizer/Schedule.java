/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.tensor.NdErrors;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * The learning rate of each mini-batch, as Keras' {@code LearningRateSchedule} of the name; in
 * double, where Keras has float32.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Schedule.Constant.class, name = "constant"),
  @JsonSubTypes.Type(value = Schedule.WarmUp.class, name = "warmUp"),
  @JsonSubTypes.Type(value = Schedule.ExponentialDecay.class, name = "exponentialDecay"),
  @JsonSubTypes.Type(value = Schedule.InverseTimeDecay.class, name = "inverseTimeDecay"),
  @JsonSubTypes.Type(value = Schedule.CosineDecay.class, name = "cosineDecay"),
  @JsonSubTypes.Type(value = Schedule.PiecewiseConstant.class, name = "piecewiseConstant")
})
public sealed interface Schedule extends Serializable {

  /**
   * The learning rate of a mini-batch.
   *
   * @param step mini-batches before it, from 0
   */
  double rate(long step);

  /**
   * One rate for all.
   *
   * @param rate above 0
   */
  static Schedule constant(double rate) {
    return new Constant(rate);
  }

  /**
   * Grows evenly from {@code from} at step 0 to the first rate of {@code then} at step {@code
   * steps}, where {@code then} begins.
   *
   * @param from at least 0
   * @param steps at least 1
   */
  static Schedule warmUp(double from, long steps, Schedule then) {
    return new WarmUp(from, steps, then);
  }

  /**
   * {@code initial * factor^(step / steps)}, without rounding {@code step / steps}.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param factor above 0
   */
  static Schedule exponentialDecay(double initial, long steps, double factor) {
    return new ExponentialDecay(initial, steps, factor);
  }

  /**
   * {@code initial / (1 + factor * step / steps)}, without rounding {@code step / steps}.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param factor at least 0
   */
  static Schedule inverseTimeDecay(double initial, long steps, double factor) {
    return new InverseTimeDecay(initial, steps, factor);
  }

  /**
   * Half a cosine from {@code initial} down to {@code initial * alpha} at step {@code steps}, and
   * that from there on.
   *
   * @param initial above 0
   * @param steps at least 1
   * @param alpha at least 0
   */
  static Schedule cosineDecay(double initial, long steps, double alpha) {
    return new CosineDecay(initial, steps, alpha);
  }

  /**
   * {@code rates[k]} up to and with step {@code boundaries[k]}, the last rate after the last one.
   *
   * @param boundaries ascending, at least 0
   * @param rates one more, each at least 0
   */
  static Schedule piecewiseConstant(long[] boundaries, double[] rates) {
    return new PiecewiseConstant(
        LongStream.of(boundaries).boxed().toList(), DoubleStream.of(rates).boxed().toList());
  }

  /** See {@link Schedule#constant}. */
  record Constant(double rate) implements Schedule {
    public Constant {
      Bounds.positive("learning rate", rate);
    }

    @Override
    public double rate(long step) {
      return rate;
    }
  }

  /** See {@link Schedule#warmUp}. */
  record WarmUp(double from, long steps, Schedule then) implements Schedule {
    public WarmUp {
      Bounds.notNegative("learning rate", from);
      Bounds.atLeastOne("warm-up", steps);
      Objects.requireNonNull(then, "then");
    }

    @Override
    public double rate(long step) {
      return step < steps ? from + (then.rate(0) - from) * step / steps : then.rate(step - steps);
    }
  }

  /** See {@link Schedule#exponentialDecay}. */
  record ExponentialDecay(double initial, long steps, double factor) implements Schedule {
    public ExponentialDecay {
      Bounds.positive("learning rate", initial);
      Bounds.atLeastOne("exponential decay", steps);
      Bounds.positive("factor of exponential decay", factor);
    }

    @Override
    public double rate(long step) {
      return initial * StrictMath.pow(factor, (double) step / steps);
    }
  }

  /** See {@link Schedule#inverseTimeDecay}. */
  record InverseTimeDecay(double initial, long steps, double factor) implements Schedule {
    public InverseTimeDecay {
      Bounds.positive("learning rate", initial);
      Bounds.atLeastOne("inverse-time decay", steps);
      Bounds.notNegative("factor of inverse-time decay", factor);
    }

    @Override
    public double rate(long step) {
      return initial / (1 + factor * step / steps);
    }
  }

  /** See {@link Schedule#cosineDecay}. */
  record CosineDecay(double initial, long steps, double alpha) implements Schedule {
    public CosineDecay {
      Bounds.positive("learning rate", initial);
      Bounds.atLeastOne("cosine decay", steps);
      Bounds.notNegative("alpha of cosine decay", alpha);
    }

    @Override
    public double rate(long step) {
      double done = (double) Math.min(step, steps) / steps;
      double left = 0.5 * (1 + StrictMath.cos(Math.PI * done));
      return initial * ((1 - alpha) * left + alpha);
    }
  }

  /** See {@link Schedule#piecewiseConstant}. */
  record PiecewiseConstant(List<Long> boundaries, List<Double> rates) implements Schedule {
    public PiecewiseConstant {
      boundaries = List.copyOf(boundaries);
      rates = List.copyOf(rates);
      if (rates.size() != boundaries.size() + 1 || !ascend(boundaries)) {
        throw NdErrors.badBoundaries(boundaries, rates);
      }
      rates.forEach(rate -> Bounds.notNegative("learning rate", rate));
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
}
