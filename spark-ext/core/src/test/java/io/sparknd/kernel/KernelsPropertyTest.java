/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;

/**
 * Tests local scatters and gathers of every provider, with one thread and with several, against the
 * oracle.
 */
class KernelsPropertyTest {
  private static final List<Kernels> PROVIDERS = TestedKernels.all();

  @Property(tries = 500)
  void scatterMatchesTheOracle(@ForAll("scatters") ScatterCase scatter) {
    checkScatter(scatter);
    Statistics.label("outcome")
        .collect(CallOutcome.of(scatter).isRejected() ? "refused" : "answered")
        .coverage(KernelsPropertyTest::bothOften);
  }

  @Property(tries = 500)
  void gatherMatchesTheOracle(@ForAll("gathers") GatherCase gather) {
    checkGather(gather);
    Statistics.label("outcome")
        .collect(CallOutcome.of(gather).isRejected() ? "refused" : "answered")
        .coverage(KernelsPropertyTest::bothOften);
  }

  private static void bothOften(StatisticsCoverage coverage) {
    coverage.check("refused").percentage(share -> share > 3);
    coverage.check("answered").percentage(share -> share > 50);
  }

  @Property(tries = 15_000)
  @Tag("slow")
  void scatterMatchesTheOracleInManyTries(@ForAll("scatters") ScatterCase scatter) {
    checkScatter(scatter);
  }

  @Property(tries = 15_000)
  @Tag("slow")
  void gatherMatchesTheOracleInManyTries(@ForAll("gathers") GatherCase gather) {
    checkGather(gather);
  }

  @Property(tries = 200)
  void undefinedReductionIsRejectedBeforeIndicesAreRead(
      @ForAll("scatters") ScatterCase scatter, @ForAll Reduction reduction) {
    DType dtype = scatter.data().dtype();
    Assume.that(!reduction.isDefinedFor(dtype));
    ScatterCall call =
        new ScatterCall(
            Scatter.of(reduction),
            scatter.call().where(),
            scatter.call().indices(),
            scatter.call().updates());
    for (Kernels kernels : PROVIDERS) {
      assertThatThrownBy(() -> kernels.scatter(scatter.data(), call))
          .hasMessage(reduction + " is not defined for " + dtype);
    }
  }

  private static void checkScatter(ScatterCase scatter) {
    CallOutcome outcome = CallOutcome.of(scatter);
    Tensor before = scatter.data().copy();
    for (Kernels kernels : PROVIDERS) {
      outcome.assertGivenBy(() -> kernels.scatter(scatter.data(), scatter.call()));
      TensorAssert.assertSameBits(scatter.data(), before);
      checkInPlace(kernels, scatter, outcome);
    }
  }

  private static void checkInPlace(Kernels kernels, ScatterCase scatter, CallOutcome outcome) {
    Tensor target = scatter.data().copy();
    outcome.assertGivenBy(
        () -> {
          kernels.scatterInPlace(target, scatter.call());
          return target;
        });
    if (outcome.isRejected()) {
      TensorAssert.assertSameBits(target, scatter.data());
    }
  }

  private static void checkGather(GatherCase gather) {
    CallOutcome outcome = CallOutcome.of(gather);
    Tensor before = gather.data().copy();
    for (Kernels kernels : PROVIDERS) {
      outcome.assertGivenBy(() -> kernels.gather(gather.data(), gather.call()));
      TensorAssert.assertSameBits(gather.data(), before);
    }
    if (!outcome.isRejected()) {
      TensorAssert.assertSameBits(
          PROVIDERS.get(0).gather(gather.data(), gather.call()),
          PROVIDERS.get(1).gather(gather.data(), gather.call()));
    }
  }

  @Provide
  Arbitrary<ScatterCase> scatters() {
    return Combinators.combine(
            Arbitraries.of(DType.class), Arbitraries.integers().between(0, 8), Arbitraries.longs())
        .as((dtype, rank, seed) -> RandomCalls.scatter(dtype, rank, new Random(seed)));
  }

  @Provide
  Arbitrary<GatherCase> gathers() {
    return Combinators.combine(
            Arbitraries.of(DType.class), Arbitraries.integers().between(0, 8), Arbitraries.longs())
        .as((dtype, rank, seed) -> RandomCalls.gather(dtype, rank, new Random(seed)));
  }
}
