/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowUpdate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The checks of an optimizer on plain arrays. */
final class RuleChecks {
  private static final int ROWS = 7;
  private static final int STEPS = 20;
  private static final int[] DIMS = {1, 8, 13};
  private static final long[] ZERO_STEPS = {0, 1, 1_000_000};
  private static final Initializer INITIALIZER = Initializer.uniform(-1, 1, 7);

  private final Supplier<? extends Optimizer> optimizer;

  RuleChecks(Supplier<? extends Optimizer> optimizer) {
    this.optimizer = optimizer;
  }

  List<OptimizerFailure> failures() {
    FailureList failures = new FailureList();
    failures.check("slots", this::slots);
    for (int dim : DIMS) {
      SampleGradients gradients = new SampleGradients(ROWS, dim);
      failures.check("repeatability", () -> repeated(gradients));
      failures.check("steps", () -> outOfOrder(gradients));
      failures.check("order of rows", () -> reversed(gradients));
      failures.check("zero gradients", () -> withoutGradient(dim));
    }
    return failures.all();
  }

  private Optional<String> slots() {
    Optimizer one = optimizer.get();
    List<OptimizerSlot> first = one.slots();
    List<OptimizerSlot> second = one.slots();
    List<OptimizerSlot> other = optimizer.get().slots();
    return first.equals(second) && first.equals(other)
        ? Optional.empty()
        : Optional.of(first + ", then " + second + ", and of a new optimizer " + other);
  }

  private Optional<String> repeated(SampleGradients gradients) {
    Optimizer used = optimizer.get();
    DenseRows first = trained(used, gradients);
    Optional<String> again =
        first.difference("at first", trained(used, gradients), "when repeated");
    return again.isPresent()
        ? again
        : first.difference("of one optimizer", trained(optimizer.get(), gradients), "of a new one");
  }

  private static DenseRows trained(Optimizer optimizer, SampleGradients gradients) {
    DenseRows rows = rows(optimizer, gradients.dim());
    for (long step = 0; step < STEPS; step++) {
      ascending(rows, optimizer.update(step, gradients.dim()), gradients, step);
    }
    return rows;
  }

  private static DenseRows rows(Optimizer optimizer, int dim) {
    return DenseRows.of(ROWS, dim, INITIALIZER, optimizer.slots());
  }

  private static void ascending(
      DenseRows rows, RowUpdate update, SampleGradients gradients, long step) {
    for (long row : gradients.ids(step)) {
      rows.apply(update, (int) row, gradients.of(step, row));
    }
  }

  /** A used optimizer, which was asked for other steps, must agree with a new one. */
  private Optional<String> outOfOrder(SampleGradients gradients) {
    Optimizer used = optimizer.get();
    DenseRows before = rows(used, gradients.dim());
    DenseRows aside = rows(used, gradients.dim());
    for (long step = 0; step < STEPS; step++) {
      DenseRows expected = copy(before);
      ascending(expected, optimizer.get().update(step, gradients.dim()), gradients, step);
      ascending(aside, used.update(3 * STEPS - step, gradients.dim()), gradients, step);
      ascending(before, used.update(step, gradients.dim()), gradients, step);
      Optional<String> difference =
          expected.difference(
              "after step " + step + " of a new optimizer", before, "of one used for other steps");
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static DenseRows copy(DenseRows rows) {
    float[][] state = rows.state().clone();
    for (int i = 0; i < state.length; i++) {
      state[i] = state[i].clone();
    }
    return new DenseRows(rows.dim(), rows.weights().clone(), rows.slots(), state);
  }

  private Optional<String> reversed(SampleGradients gradients) {
    Optimizer one = optimizer.get();
    DenseRows rows = rows(one, gradients.dim());
    for (long step = 0; step < STEPS; step++) {
      RowUpdate update = one.update(step, gradients.dim());
      long[] ids = gradients.ids(step);
      for (int i = ids.length - 1; i >= 0; i--) {
        rows.apply(update, (int) ids[i], gradients.of(step, ids[i]));
      }
    }
    return trained(optimizer.get(), gradients)
        .difference("with rows in ascending order", rows, "in descending order");
  }

  private Optional<String> withoutGradient(int dim) {
    Optimizer one = optimizer.get();
    for (long step : ZERO_STEPS) {
      for (Initializer initial : List.of(Initializer.zeros(), INITIALIZER)) {
        DenseRows rows = DenseRows.of(1, dim, initial, one.slots());
        RowUpdate update = one.update(step, dim);
        for (int time = 0; time < 3; time++) {
          rows.apply(update, 0, new float[dim]);
        }
        Optional<String> problem = rows.notFinite();
        if (problem.isPresent()) {
          return problem.map(found -> found + " after gradients of 0 in step " + step);
        }
      }
    }
    return Optional.empty();
  }
}
