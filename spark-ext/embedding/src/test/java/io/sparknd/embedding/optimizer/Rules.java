/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.function.LongToDoubleFunction;
import java.util.function.UnaryOperator;

/** The optimizers as operations on whole rows, as in NumPy. */
final class Rules {
  private Rules() {}

  /** Updates a row in place: {@code row[0]} holds its weights, the other arrays its state. */
  interface Rule {
    void update(Array[] row, Array gradient, double rate, long t);
  }

  /** A rule with its learning rate, L2 term and clipping. */
  record Reference(Rule rule, LongToDoubleFunction rate, double l2, UnaryOperator<Array> clip) {
    static Reference of(Rule rule, double rate) {
      return new Reference(rule, step -> rate, 0, gradient -> gradient);
    }

    Reference at(LongToDoubleFunction schedule) {
      return new Reference(rule, schedule, l2, clip);
    }

    Reference l2(double other) {
      return new Reference(rule, rate, other, clip);
    }

    Reference byValue(double limit) {
      return new Reference(rule, rate, l2, gradient -> gradient.clipped(limit));
    }

    Reference byNorm(double limit) {
      return new Reference(rule, rate, l2, gradient -> scaled(gradient, limit));
    }

    private static Array scaled(Array gradient, double limit) {
      Array norm = gradient.times(gradient).sum().root();
      return norm.values()[0] <= (float) limit ? gradient : gradient.times(limit).over(norm);
    }

    void update(Array[] row, Array gradient, long step) {
      Array decayed = l2 == 0 ? gradient : gradient.plus(row[0].times(l2));
      rule.update(row, clip.apply(decayed), rate.applyAsDouble(step), step + 1);
    }
  }

  static final Rule SGD = (row, g, rate, t) -> row[0] = row[0].minus(g.times(rate));

  static Rule momentum(double share) {
    return (row, g, rate, t) -> {
      row[1] = row[1].times(share).minus(g.times(rate));
      row[0] = row[0].plus(row[1]);
    };
  }

  static Rule nesterov(double share) {
    return (row, g, rate, t) -> {
      row[1] = row[1].times(share).minus(g.times(rate));
      row[0] = row[0].plus(row[1].times(share).minus(g.times(rate)));
    };
  }

  static Rule adagrad(double epsilon) {
    return (row, g, rate, t) -> {
      row[1] = row[1].plus(g.times(g));
      row[0] = row[0].minus(g.times(rate).over(row[1].plus(epsilon).root()));
    };
  }

  static Rule torchAdagrad(double epsilon) {
    return (row, g, rate, t) -> {
      row[1] = row[1].plus(g.times(g));
      row[0] = row[0].minus(g.times(rate).over(row[1].root().plus(epsilon)));
    };
  }

  static Rule rowWiseAdagrad(double epsilon) {
    return (row, g, rate, t) -> {
      row[1] = row[1].plus(g.times(g).sum().over(g.values().length));
      Array pace = Array.full(1, rate).over(row[1].root().plus(epsilon));
      row[0] = row[0].minus(g.times(pace));
    };
  }

  static Rule adam(double beta1, double beta2, double epsilon) {
    return (row, g, rate, t) -> {
      double alpha =
          rate * Math.sqrt(1 - Math.pow(beta2, (double) t)) / (1 - Math.pow(beta1, (double) t));
      row[1] = row[1].plus(g.minus(row[1]).times(1 - beta1));
      row[2] = row[2].plus(g.times(g).minus(row[2]).times(1 - beta2));
      row[0] = row[0].minus(row[1].times(alpha).over(row[2].root().plus(epsilon)));
    };
  }

  static Rule adamW(double beta1, double beta2, double epsilon, double decay) {
    return (row, g, rate, t) -> {
      row[1] = row[1].plus(g.minus(row[1]).times(1 - beta1));
      row[2] = row[2].plus(g.times(g).minus(row[2]).times(1 - beta2));
      Array root = row[2].root().over(spread(beta2, t)).plus(epsilon);
      Array move = row[1].times(rate / (1 - Math.pow(beta1, (double) t))).over(root);
      row[0] = row[0].times(1 - rate * decay).minus(move);
    };
  }

  static Rule lamb(double beta1, double beta2, double epsilon, double decay) {
    return (row, g, rate, t) -> {
      row[1] = row[1].plus(g.minus(row[1]).times(1 - beta1));
      row[2] = row[2].plus(g.times(g).minus(row[2]).times(1 - beta2));
      Array root = row[2].root().over(spread(beta2, t)).plus(epsilon);
      Array change = row[1].over(1 - Math.pow(beta1, (double) t)).over(root);
      Array decayed = change.plus(row[0].times(decay));
      Array norm = row[0].times(row[0]).sum().root();
      Array length = decayed.times(decayed).sum().root();
      boolean isTrusted = norm.values()[0] > 0 && length.values()[0] > 0;
      Array trust = isTrusted ? norm.over(length) : Array.full(1, 1);
      row[0] = row[0].minus(decayed.times(Array.full(1, rate).times(trust)));
    };
  }

  private static double spread(double beta2, long t) {
    return Math.sqrt(1 - Math.pow(beta2, (double) t));
  }

  static Rule lion(double beta1, double beta2, double decay) {
    return (row, g, rate, t) -> {
      Array direction = row[1].times(beta1).plus(g.times(1 - beta1)).sign();
      row[1] = row[1].times(beta2).plus(g.times(1 - beta2));
      row[0] = row[0].minus(direction.plus(row[0].times(decay)).times(rate));
    };
  }

  static Rule adadelta(double rho, double epsilon) {
    return (row, g, rate, t) -> {
      row[1] = row[1].times(rho).plus(g.times(g).times(1 - rho));
      Array roots = row[2].plus(epsilon).root().over(row[1].plus(epsilon).root());
      Array change = roots.times(g);
      row[2] = row[2].times(rho).plus(change.times(change).times(1 - rho));
      row[0] = row[0].minus(change.times(rate));
    };
  }

  static Rule ftrl(double l1, double l2, double beta) {
    return ftrl(l1, l2, 0, beta);
  }

  static Rule ftrl(double l1, double l2, double shrinkage, double beta) {
    return (row, g, rate, t) -> {
      Array n = row[1].plus(g.times(g));
      Array sigma = n.root().minus(row[1].root()).over(rate);
      Array pulled = shrinkage == 0 ? g : g.plus(row[0].times(2 * shrinkage));
      Array z = row[2].plus(pulled.minus(sigma.times(row[0])));
      Array divisor = n.root().over(rate).plus(2 * l2 + beta / rate);
      row[0] = z.clipped(l1).minus(z).over(divisor);
      row[1] = n;
      row[2] = z;
    };
  }
}
