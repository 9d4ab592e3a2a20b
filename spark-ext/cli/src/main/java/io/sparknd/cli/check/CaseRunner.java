/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs cases on engines.
 *
 * @param engines in the order in which they run; the first wrong result fails the case
 * @param optional whether to run cases that encode a quirk of a peer
 */
public record CaseRunner(List<CaseEngine> engines, Optionals optional) {
  /** Runs per engine of a case whose bytes must be identical. */
  private static final int REPEATS = 3;

  /** How optional cases are treated. */
  public enum Optionals {
    SKIP,
    RUN
  }

  public CaseRunner {
    engines = List.copyOf(engines);
  }

  /** Runs the case in {@code folder}. Thread-safe. */
  public CaseVerdict run(CaseFolder folder) {
    try {
      OperatorCase source = OperatorCase.read(folder);
      if (optional == Optionals.SKIP && source.attributes().flag("optional").orElse(false)) {
        return new CaseVerdict.Skipped("optional; use --optional run to run it");
      }
      return run(source);
    } catch (CaseException e) {
      return e.verdict();
    }
  }

  private CaseVerdict run(OperatorCase source) {
    ExpectedOutcome expectation = ExpectedOutcome.of(source);
    boolean repeat = source.attributes().flag("repeat_identical").orElse(false);
    @Nullable CaseOutcome first = null;
    for (CaseEngine engine : engines) {
      for (int i = 0; i < (repeat ? REPEATS : 1); i++) {
        CaseOutcome outcome = CaseOutcome.of(() -> engine.run(CaseOperators.call(source)));
        Optional<String> difference = expectation.difference(outcome);
        if (difference.isEmpty() && repeat) {
          difference = changed(first, outcome);
        }
        if (difference.isPresent()) {
          return new CaseVerdict.Failed(engine.name() + ": " + difference.get());
        }
        first = first == null ? outcome : first;
      }
    }
    return new CaseVerdict.Passed();
  }

  private static Optional<String> changed(@Nullable CaseOutcome first, CaseOutcome later) {
    if (first instanceof CaseOutcome.Result before
        && later instanceof CaseOutcome.Result now
        && !now.hasBytesOf(before)) {
      return Optional.of(
          "bytes differ from those of an earlier run\nearlier  "
              + ResultComparison.shortened(before.tensor().toString())
              + "\nnow      "
              + ResultComparison.shortened(now.tensor().toString()));
    }
    return Optional.empty();
  }
}
