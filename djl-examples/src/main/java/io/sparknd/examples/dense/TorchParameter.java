/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import ai.djl.ndarray.NDArray;
import io.sparknd.djl.TorchGradients;
import io.sparknd.embedding.optimizer.Adagrad;
import io.sparknd.embedding.optimizer.Adam;
import io.sparknd.embedding.optimizer.Optimizer;

/**
 * A parameter in plain PyTorch, and its optimizer: Keras' Adam or Adagrad.
 *
 * @param mean what Adam remembers of gradients; Adagrad does not use it
 * @param square what the optimizer remembers of squared gradients
 */
record TorchParameter(NDArray weights, NDArray mean, NDArray square, Optimizer optimizer) {

  static TorchParameter of(NDArray weights, Optimizer optimizer) {
    NDArray square = weights.zerosLike();
    if (optimizer instanceof Adagrad adagrad) {
      square.addi(adagrad.initialAccumulator());
    }
    return new TorchParameter(weights, weights.zerosLike(), square, optimizer);
  }

  /**
   * Applies the gradient.
   *
   * @param step counted from 1
   */
  void update(int step) {
    NDArray gradient = TorchGradients.gradient(weights);
    double rate = optimizer.descent().schedule().rate(step - 1);
    weights.setRequiresGradient(false);
    if (optimizer instanceof Adam adam) {
      mean.muli(adam.beta1()).addi(gradient.mul(1 - adam.beta1()));
      square.muli(adam.beta2()).addi(gradient.mul(gradient).mul(1 - adam.beta2()));
      double corrected =
          rate * Math.sqrt(1 - Math.pow(adam.beta2(), step)) / (1 - Math.pow(adam.beta1(), step));
      weights.subi(mean.mul(corrected).div(square.sqrt().add(adam.epsilon())));
    } else if (optimizer instanceof Adagrad adagrad) {
      square.addi(gradient.mul(gradient));
      weights.subi(gradient.mul(rate).div(square.add(adagrad.epsilon()).sqrt()));
    } else {
      throw new IllegalArgumentException(optimizer + " has no rule here");
    }
  }
}
