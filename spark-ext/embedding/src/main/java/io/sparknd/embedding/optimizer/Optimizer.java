/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.Serializable;
import java.util.List;

/**
 * How rows learn from gradients. What differs between optimizers is set on what the makers here
 * return; after that, what all have in common: {@code adam(0.001).withBetas(0.9,
 * 0.99).withL2(1e-4)}.
 *
 * <p>A mini-batch updates each row that it touches once, by the sum of the row's gradients; other
 * rows keep their weights and their state. In this order: L2 adds {@code l2 * weight} to the
 * gradient, then the clip is applied, then the optimizer's rule. So L2 is a term of the loss, as a
 * regularizer of Keras is, with the factor of PyTorch's {@code weight_decay}.
 *
 * <p>Defaults are those of Keras' optimizer of the name, FBGEMM's where Keras has none, and
 * PyTorch's of {@link #torchAdagrad}. Makers and withers refuse numbers out of their bounds with a
 * {@link io.sparknd.tensor.SparkNdException}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Sgd.class, name = "sgd"),
  @JsonSubTypes.Type(value = Momentum.class, name = "momentum"),
  @JsonSubTypes.Type(value = Adagrad.class, name = "adagrad"),
  @JsonSubTypes.Type(value = TorchAdagrad.class, name = "torchAdagrad"),
  @JsonSubTypes.Type(value = RowWiseAdagrad.class, name = "rowWiseAdagrad"),
  @JsonSubTypes.Type(value = Adam.class, name = "adam"),
  @JsonSubTypes.Type(value = Ftrl.class, name = "ftrl")
})
public sealed interface Optimizer extends Serializable
    permits Sgd, Momentum, Adagrad, TorchAdagrad, RowWiseAdagrad, Adam, Ftrl {

  /**
   * Gradient descent.
   *
   * @param rate learning rate, above 0
   */
  static Sgd sgd(double rate) {
    return new Sgd(DescentOptions.at(rate));
  }

  /**
   * Gradient descent with momentum.
   *
   * @param rate learning rate, above 0
   * @param momentum share of the last step that is taken again, in [0, 1)
   */
  static Momentum momentum(double rate, double momentum) {
    return new Momentum(DescentOptions.at(rate), momentum, false);
  }

  /**
   * Keras' Adagrad, with an accumulator an element that begins at 0.1 and an epsilon of 1e-7, which
   * is added under the root.
   *
   * @param rate learning rate, above 0
   */
  static Adagrad adagrad(double rate) {
    return new Adagrad(DescentOptions.at(rate), 0.1, 1e-7);
  }

  /**
   * PyTorch's Adagrad, with an accumulator an element that begins at 0 and an epsilon of 1e-10,
   * which is added to the root.
   *
   * @param rate learning rate, above 0
   */
  static TorchAdagrad torchAdagrad(double rate) {
    return new TorchAdagrad(DescentOptions.at(rate), 0, 1e-10);
  }

  /**
   * Adagrad with one accumulator a row, which begins at 0, and an epsilon of 1e-8.
   *
   * @param rate learning rate, above 0
   */
  static RowWiseAdagrad rowWiseAdagrad(double rate) {
    return new RowWiseAdagrad(DescentOptions.at(rate), 0, 1e-8);
  }

  /**
   * Adam, with betas of 0.9 and 0.999 and an epsilon of 1e-7.
   *
   * @param rate learning rate, above 0
   */
  static Adam adam(double rate) {
    return new Adam(DescentOptions.at(rate), 0.9, 0.999, 1e-7);
  }

  /**
   * FTRL-proximal, with an accumulator that begins at 0.1, no penalties and a beta of 0.
   *
   * @param rate learning rate, above 0
   */
  static Ftrl ftrl(double rate) {
    return new Ftrl(DescentOptions.at(rate), 0, 0, 0, 0, 0.1);
  }

  /** Learning rate, L2 and clip. */
  DescentOptions descent();

  /** The same rule with another learning rate, L2 and clip. */
  Optimizer withDescent(DescentOptions descent);

  /** In place of the constant learning rate. */
  default Optimizer withSchedule(LearningRateSchedule schedule) {
    return withDescent(new DescentOptions(schedule, descent().l2(), descent().clip()));
  }

  /**
   * Adds {@code l2 * weight} to gradients, of touched rows only.
   *
   * @param l2 at least 0, which is the default
   */
  default Optimizer withL2(double l2) {
    return withDescent(new DescentOptions(descent().schedule(), l2, descent().clip()));
  }

  /** Bounds each row's gradient; none by default. */
  default Optimizer withClip(Clip clip) {
    return withDescent(new DescentOptions(descent().schedule(), descent().l2(), clip));
  }

  /** For the engine: what is kept beside each row, in the order of {@link RowUpdate}'s state. */
  List<OptimizerSlot> slots();

  /**
   * For the engine: what a mini-batch does to each row.
   *
   * @param step mini-batches applied before, from 0
   * @param dim elements of a row
   */
  RowUpdate update(long step, int dim);
}
