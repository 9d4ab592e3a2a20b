/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.optimizer.Rules.Reference;
import java.util.stream.Stream;

/**
 * An optimizer with its reference rule in Java. {@code optimizers/make_golden.py} has the rule in
 * NumPy under the same name.
 */
record OptimizerCase(String name, Optimizer optimizer, Reference reference) {
  @Override
  public String toString() {
    return name;
  }

  static Stream<OptimizerCase> all() {
    return Stream.of(
            descent(),
            schedules(),
            momentum(),
            adagrad(),
            adam(),
            adamW(),
            lamb(),
            lionAndAdadelta(),
            ftrl())
        .flatMap(cases -> cases);
  }

  private static Stream<OptimizerCase> descent() {
    Optimizer sgd = Optimizer.sgd(0.05);
    Reference reference = Reference.of(Rules.SGD, 0.05);
    return Stream.of(
        new OptimizerCase("sgd", sgd, reference),
        new OptimizerCase("sgd_l2", sgd.withL2(0.01), reference.l2(0.01)),
        new OptimizerCase("sgd_value", sgd.withClip(Clip.byValue(0.5)), reference.byValue(0.5)),
        new OptimizerCase("sgd_norm", sgd.withClip(Clip.byNorm(4)), reference.byNorm(4)),
        new OptimizerCase(
            "sgd_l2_norm", sgd.withClip(Clip.byNorm(4)).withL2(0.3), reference.l2(0.3).byNorm(4)));
  }

  private static Stream<OptimizerCase> schedules() {
    Optimizer sgd = Optimizer.sgd(1);
    Reference reference = Reference.of(Rules.SGD, 1);
    return Stream.of(
        new OptimizerCase(
            "sgd_warm_exponential",
            sgd.withSchedule(
                LearningRateSchedule.warmUp(
                    0.01, 10, LearningRateSchedule.exponentialDecay(0.1, 30, 0.5))),
            reference.at(
                s -> s < 10 ? 0.01 + (0.1 - 0.01) * s / 10 : 0.1 * Math.pow(0.5, (s - 10) / 30.0))),
        new OptimizerCase(
            "sgd_inverse",
            sgd.withSchedule(LearningRateSchedule.inverseTimeDecay(0.1, 20, 0.5)),
            reference.at(s -> 0.1 / (1 + 0.5 * s / 20))),
        new OptimizerCase(
            "sgd_piecewise",
            sgd.withSchedule(
                LearningRateSchedule.piecewiseConstant(
                    new long[] {10, 60}, new double[] {0.1, 0.03, 0.01})),
            reference.at(s -> s <= 10 ? 0.1 : s <= 60 ? 0.03 : 0.01)));
  }

  private static Stream<OptimizerCase> momentum() {
    Momentum momentum = Optimizer.momentum(0.01, 0.9);
    return Stream.of(
        new OptimizerCase("momentum", momentum, Reference.of(Rules.momentum(0.9), 0.01)),
        new OptimizerCase(
            "nesterov",
            momentum.withNesterov().withL2(0.001),
            Reference.of(Rules.nesterov(0.9), 0.01).l2(0.001)));
  }

  private static Stream<OptimizerCase> adagrad() {
    return Stream.of(
        new OptimizerCase(
            "adagrad", Optimizer.adagrad(0.1), Reference.of(Rules.adagrad(1e-7), 0.1)),
        new OptimizerCase(
            "adagrad_options",
            Optimizer.adagrad(0.1)
                .withEpsilon(1e-3)
                .withInitialAccumulator(0.5)
                .withClip(Clip.byNorm(3)),
            Reference.of(Rules.adagrad(1e-3), 0.1).byNorm(3)),
        new OptimizerCase(
            "adagrad_torch",
            Optimizer.torchAdagrad(0.1).withEpsilon(1e-3).withL2(0.01),
            Reference.of(Rules.torchAdagrad(1e-3), 0.1).l2(0.01)),
        new OptimizerCase(
            "row_wise",
            Optimizer.rowWiseAdagrad(0.1),
            Reference.of(Rules.rowWiseAdagrad(1e-8), 0.1)),
        new OptimizerCase(
            "row_wise_options",
            Optimizer.rowWiseAdagrad(0.1)
                .withEpsilon(1e-4)
                .withInitialAccumulator(0.2)
                .withL2(0.01)
                .withClip(Clip.byValue(1)),
            Reference.of(Rules.rowWiseAdagrad(1e-4), 0.1).l2(0.01).byValue(1)));
  }

  private static Stream<OptimizerCase> adam() {
    return Stream.of(
        new OptimizerCase(
            "adam", Optimizer.adam(0.001), Reference.of(Rules.adam(0.9, 0.999, 1e-7), 0.001)),
        new OptimizerCase(
            "adam_options",
            Optimizer.adam(1)
                .withBetas(0.8, 0.99)
                .withEpsilon(1e-4)
                .withSchedule(LearningRateSchedule.cosineDecay(0.05, 80, 0.1))
                .withL2(0.01)
                .withClip(Clip.byNorm(3)),
            Reference.of(Rules.adam(0.8, 0.99, 1e-4), 1)
                .at(OptimizerCase::cosine)
                .l2(0.01)
                .byNorm(3)));
  }

  private static Stream<OptimizerCase> adamW() {
    return Stream.of(
        new OptimizerCase(
            "adam_w",
            Optimizer.adamW(0.001),
            Reference.of(Rules.adamW(0.9, 0.999, 1e-8, 0.01), 0.001)),
        new OptimizerCase(
            "adam_w_options",
            Optimizer.adamW(1)
                .withBetas(0.8, 0.99)
                .withEpsilon(1e-4)
                .withWeightDecay(0.2)
                .withSchedule(LearningRateSchedule.cosineDecay(0.05, 80, 0.1))
                .withL2(0.01)
                .withClip(Clip.byNorm(3)),
            Reference.of(Rules.adamW(0.8, 0.99, 1e-4, 0.2), 1)
                .at(OptimizerCase::cosine)
                .l2(0.01)
                .byNorm(3)));
  }

  private static Stream<OptimizerCase> lamb() {
    return Stream.of(
        new OptimizerCase(
            "lamb", Optimizer.lamb(0.01), Reference.of(Rules.lamb(0.9, 0.999, 1e-7, 0), 0.01)),
        new OptimizerCase(
            "lamb_options",
            Optimizer.lamb(1)
                .withBetas(0.8, 0.99)
                .withEpsilon(1e-4)
                .withWeightDecay(0.2)
                .withSchedule(LearningRateSchedule.cosineDecay(0.05, 80, 0.1))
                .withL2(0.01)
                .withClip(Clip.byNorm(3)),
            Reference.of(Rules.lamb(0.8, 0.99, 1e-4, 0.2), 1)
                .at(OptimizerCase::cosine)
                .l2(0.01)
                .byNorm(3)));
  }

  private static Stream<OptimizerCase> lionAndAdadelta() {
    return Stream.of(
        new OptimizerCase(
            "lion", Optimizer.lion(0.001), Reference.of(Rules.lion(0.9, 0.99, 0), 0.001)),
        new OptimizerCase(
            "lion_options",
            Optimizer.lion(1)
                .withBetas(0.6, 0.8)
                .withWeightDecay(0.2)
                .withSchedule(LearningRateSchedule.cosineDecay(0.05, 80, 0.1))
                .withL2(0.01)
                .withClip(Clip.byValue(1)),
            Reference.of(Rules.lion(0.6, 0.8, 0.2), 1)
                .at(OptimizerCase::cosine)
                .l2(0.01)
                .byValue(1)),
        new OptimizerCase(
            "adadelta", Optimizer.adadelta(1), Reference.of(Rules.adadelta(0.95, 1e-7), 1)),
        new OptimizerCase(
            "adadelta_options",
            Optimizer.adadelta(0.5)
                .withRho(0.8)
                .withEpsilon(1e-3)
                .withL2(0.01)
                .withClip(Clip.byValue(1)),
            Reference.of(Rules.adadelta(0.8, 1e-3), 0.5).l2(0.01).byValue(1)));
  }

  private static double cosine(long step) {
    double half = 0.5 * (1 + Math.cos(Math.PI * Math.min(step, 80) / 80));
    return 0.05 * ((1 - 0.1) * half + 0.1);
  }

  private static Stream<OptimizerCase> ftrl() {
    return Stream.of(
        new OptimizerCase("ftrl", Optimizer.ftrl(0.05), Reference.of(Rules.ftrl(0, 0, 0), 0.05)),
        new OptimizerCase(
            "ftrl_shrinkage",
            Optimizer.ftrl(0.1).withShrinkage(0.05).withProximal(0.1, 0.2).withBeta(0.5),
            Reference.of(Rules.ftrl(0.1, 0.2, 0.05, 0.5), 0.1)),
        new OptimizerCase(
            "ftrl_options",
            Optimizer.ftrl(0.2)
                .withProximal(0.4, 0.1)
                .withBeta(1)
                .withInitialAccumulator(0)
                .withL2(0.01)
                .withClip(Clip.byValue(1)),
            Reference.of(Rules.ftrl(0.4, 0.1, 1), 0.2).l2(0.01).byValue(1)));
  }
}
