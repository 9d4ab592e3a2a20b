/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.Serializable;
import java.util.List;

/**
 * Updates embedding rows from gradients. Set the options of an optimizer on the result of its
 * factory method, then the shared options: {@code adam(0.001).withBetas(0.9, 0.99).withL2(1e-4)}.
 *
 * <p>A mini-batch updates each row that it touches once, with the sum of the row's gradients; other
 * rows keep their weights and state. Operations have this order: L2 adds {@code l2 * weight} to the
 * gradient, then the clip is applied, then the optimizer's rule. L2 is therefore a term of the
 * loss, as a Keras regularizer is, with the factor of PyTorch's {@code weight_decay}.
 *
 * <p>Defaults are those of Keras' optimizer of the same name, FBGEMM's if Keras has none, and
 * PyTorch's for {@link #torchAdagrad} and {@link #adamW}. {@link #custom} makes an optimizer of an
 * application's own rule. Optimizers are immutable; {@code with} methods return a copy. Factory and
 * {@code with} methods throw a {@link io.sparknd.tensor.SparkNdException} if a number is out of
 * bounds.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Sgd.class, name = "sgd"),
  @JsonSubTypes.Type(value = Momentum.class, name = "momentum"),
  @JsonSubTypes.Type(value = Adagrad.class, name = "adagrad"),
  @JsonSubTypes.Type(value = TorchAdagrad.class, name = "torchAdagrad"),
  @JsonSubTypes.Type(value = RowWiseAdagrad.class, name = "rowWiseAdagrad"),
  @JsonSubTypes.Type(value = Adadelta.class, name = "adadelta"),
  @JsonSubTypes.Type(value = Adam.class, name = "adam"),
  @JsonSubTypes.Type(value = AdamW.class, name = "adamW"),
  @JsonSubTypes.Type(value = Lamb.class, name = "lamb"),
  @JsonSubTypes.Type(value = Lion.class, name = "lion"),
  @JsonSubTypes.Type(value = Ftrl.class, name = "ftrl"),
  @JsonSubTypes.Type(value = CustomOptimizer.class, name = "custom")
})
public sealed interface Optimizer extends Serializable
    permits Sgd,
        Momentum,
        Adagrad,
        TorchAdagrad,
        RowWiseAdagrad,
        Adadelta,
        Adam,
        AdamW,
        Lamb,
        Lion,
        Ftrl,
        CustomOptimizer {

  /**
   * Returns gradient descent.
   *
   * @param rate learning rate, above 0
   */
  static Sgd sgd(double rate) {
    return new Sgd(DescentOptions.at(rate));
  }

  /**
   * Returns gradient descent with momentum.
   *
   * @param rate learning rate, above 0
   * @param momentum fraction of the previous step that is repeated, in [0, 1)
   */
  static Momentum momentum(double rate, double momentum) {
    return new Momentum(DescentOptions.at(rate), momentum, false);
  }

  /**
   * Returns Keras' Adagrad, with one accumulator per element, initially 0.1, and an epsilon of
   * 1e-7, which is added under the root.
   *
   * @param rate learning rate, above 0
   */
  static Adagrad adagrad(double rate) {
    return new Adagrad(DescentOptions.at(rate), 0.1, 1e-7);
  }

  /**
   * Returns PyTorch's Adagrad, with one accumulator per element, initially 0, and an epsilon of
   * 1e-10, which is added to the root.
   *
   * @param rate learning rate, above 0
   */
  static TorchAdagrad torchAdagrad(double rate) {
    return new TorchAdagrad(DescentOptions.at(rate), 0, 1e-10);
  }

  /**
   * Returns Adagrad with one accumulator per row, initially 0, and an epsilon of 1e-8.
   *
   * @param rate learning rate, above 0
   */
  static RowWiseAdagrad rowWiseAdagrad(double rate) {
    return new RowWiseAdagrad(DescentOptions.at(rate), 0, 1e-8);
  }

  /**
   * Returns Adam, with betas of 0.9 and 0.999 and an epsilon of 1e-7.
   *
   * @param rate learning rate, above 0
   */
  static Adam adam(double rate) {
    return new Adam(DescentOptions.at(rate), 0.9, 0.999, 1e-7);
  }

  /**
   * Returns PyTorch's AdamW, with betas of 0.9 and 0.999, an epsilon of 1e-8 and a weight decay of
   * 0.01.
   *
   * @param rate learning rate, above 0
   */
  static AdamW adamW(double rate) {
    return new AdamW(DescentOptions.at(rate), 0.9, 0.999, 1e-8, 0.01);
  }

  /**
   * Returns LAMB with a trust ratio per row, betas of 0.9 and 0.999, an epsilon of 1e-7 and no
   * weight decay.
   *
   * @param rate learning rate, above 0
   */
  static Lamb lamb(double rate) {
    return new Lamb(DescentOptions.at(rate), 0.9, 0.999, 1e-7, 0);
  }

  /**
   * Returns Lion, with betas of 0.9 and 0.99 and no weight decay.
   *
   * @param rate learning rate, above 0
   */
  static Lion lion(double rate) {
    return new Lion(DescentOptions.at(rate), 0.9, 0.99, 0);
  }

  /**
   * Returns Adadelta, with a rho of 0.95 and an epsilon of 1e-7.
   *
   * @param rate learning rate, above 0; the paper's is 1
   */
  static Adadelta adadelta(double rate) {
    return new Adadelta(DescentOptions.at(rate), 0.95, 1e-7);
  }

  /**
   * Returns FTRL-proximal, with an initial accumulator of 0.1, no penalties and a beta of 0.
   *
   * @param rate learning rate, above 0
   */
  static Ftrl ftrl(double rate) {
    return new Ftrl(DescentOptions.at(rate), 0, 0, 0, 0, 0.1);
  }

  /**
   * Returns an optimizer with an application's own rule.
   *
   * @param rate learning rate, above 0
   * @param rule its name is not blank, and its slots have distinct names
   */
  static CustomOptimizer custom(double rate, OptimizerRule rule) {
    return new CustomOptimizer(DescentOptions.at(rate), rule);
  }

  /** Returns the learning rate, L2 and clip. */
  DescentOptions descent();

  /** Sets learning rate, L2 and clip. */
  Optimizer withDescent(DescentOptions descent);

  /** Replaces the learning rate by a schedule. */
  default Optimizer withSchedule(LearningRateSchedule schedule) {
    return withDescent(new DescentOptions(schedule, descent().l2(), descent().clip()));
  }

  /**
   * Adds {@code l2 * weight} to gradients, of touched rows only.
   *
   * @param l2 at least 0; 0 by default
   */
  default Optimizer withL2(double l2) {
    return withDescent(new DescentOptions(descent().schedule(), l2, descent().clip()));
  }

  /** Bounds each row's gradient; none by default. */
  default Optimizer withClip(Clip clip) {
    return withDescent(new DescentOptions(descent().schedule(), descent().l2(), clip));
  }

  /**
   * For the engine: returns the slots stored for each row, in the order of {@link RowUpdate}'s
   * state.
   */
  List<OptimizerSlot> slots();

  /**
   * For the engine: returns the update of each row by a mini-batch.
   *
   * @param step number of mini-batches applied before, from 0
   * @param dim elements of a row
   */
  RowUpdate update(long step, int dim);
}
