/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.LearningRateSchedule;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerRule;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the checks pass for every optimizer of the project and fail for broken ones. */
class OptimizerChecksTest {
  @TempDir private Path directory;

  static Stream<Optimizer> optimizers() {
    return Stream.of(
        Optimizer.sgd(0.1),
        Optimizer.momentum(0.1, 0.9).withNesterov(),
        Optimizer.adagrad(0.1),
        Optimizer.torchAdagrad(0.1),
        Optimizer.rowWiseAdagrad(0.1).withL2(0.01),
        Optimizer.adadelta(1),
        Optimizer.adam(0.01).withClip(Clip.byNorm(1)),
        Optimizer.adamW(0.01),
        Optimizer.lamb(0.01).withWeightDecay(0.1),
        Optimizer.lion(0.01)
            .withWeightDecay(0.1)
            .withSchedule(LearningRateSchedule.inverseTimeDecay(0.1, 20, 0.5)),
        Optimizer.ftrl(0.1).withProximal(0.1, 0.1));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void optimizersOfTheProjectPassTheChecksWithoutSpark(Optimizer optimizer) {
    assertThat(OptimizerChecks.of(() -> optimizer).failuresWithoutSpark()).isEmpty();
  }

  @Test
  void testCasesCoverAllOptimizersButThoseOfApplications() {
    assertThat(optimizers().map(Object::getClass).map(Class::getSimpleName))
        .hasSize(Optimizer.class.getPermittedSubclasses().length - 1)
        .doesNotHaveDuplicates();
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("optimizers")
  void optimizersOfTheProjectPass(Optimizer optimizer) {
    OptimizerChecks.of(() -> optimizer).verify(LocalSpark.session(), directory.toString());
  }

  @Test
  void oneOptimizerPasses() {
    OptimizerChecks.of(() -> Optimizer.lamb(0.1))
        .verify(LocalSpark.session(), directory.toString());
  }

  private static Arguments broken(Supplier<OptimizerRule> rule, String check, String message) {
    return Arguments.of(rule.get().name(), rule, check, message);
  }

  static Stream<Arguments> brokenRules() {
    return Stream.of(
        broken(BrokenRule.CountsCalls::new, "steps", "of one used for other steps"),
        broken(BrokenRule.CountsFromItsFirstStep::new, "steps", "weight [0, 0] is "),
        broken(BrokenRule.SharesMomentum::new, "order of rows", "in descending order"),
        broken(BrokenRule.DrawsAtRandom::new, "repeatability", "when repeated"),
        broken(BrokenRule.DividesByZero::new, "zero gradients", "slot m is [NaN"),
        broken(BrokenRule.RenamesSlots::new, "slots", "name=m1"),
        broken(BrokenRule.ReplacesState::new, "repeatability", "replaced the array state[0]"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenRules")
  void brokenRuleFailsItsCheck(
      String name, Supplier<OptimizerRule> rule, String check, String message) {
    List<OptimizerFailure> failures =
        OptimizerChecks.of(() -> Optimizer.custom(0.1, rule.get())).failuresWithoutSpark();
    assertThat(failures)
        .anySatisfy(
            failure -> {
              assertThat(failure.check()).isEqualTo(check);
              assertThat(failure.message()).contains(message);
            });
  }

  /** Returns the names of the checks in tables that a rule fails. */
  private List<String> failedInTables(Supplier<OptimizerRule> rule) {
    return new TableChecks(
            () -> Optimizer.custom(0.1, rule.get()), LocalSpark.session(), directory.toString())
        .failures().stream().map(OptimizerFailure::check).distinct().toList();
  }

  /** Each of these rules agrees with itself but for one of the checks. */
  @Test
  void checksInTablesFindWhatNoOtherTableCheckFinds() {
    assertThat(failedInTables(BrokenRule.CountsCalls::new)).containsExactly("save and load");
    assertThat(failedInTables(BrokenRule.SharesMomentum::new)).containsExactly("partitions");
    assertThat(failedInTables(BrokenRule.LosesItsParameter::new))
        .containsExactly("sparse equals dense");
  }

  @Test
  void slotsThatDifferInTasksAreRefused() {
    OptimizerChecks checks =
        OptimizerChecks.of(() -> Optimizer.custom(0.1, new BrokenRule.LosesItsSlots()));
    assertThat(checks.failuresWithoutSpark()).isEmpty();
    assertThatThrownBy(() -> checks.verify(LocalSpark.session(), directory.toString()))
        .hasMessageContaining("slots() of an OptimizerRule must always return the same");
  }

  @Test
  void allFailuresAreReportedInOneError() {
    OptimizerChecks checks =
        OptimizerChecks.of(() -> Optimizer.custom(0.1, new BrokenRule.CannotBeSent()));
    assertThat(checks.failuresWithoutSpark()).isEmpty();
    assertThatThrownBy(() -> checks.verify(LocalSpark.session(), directory.toString()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(
            "fails 3:", "sparse equals dense: threw ", "serializ", "save and load: threw ");
  }
}
