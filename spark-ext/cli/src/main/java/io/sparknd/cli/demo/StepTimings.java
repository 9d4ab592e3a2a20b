/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Measures the time of each step, in the order in which the steps end. */
final class StepTimings {
  private final List<Step> steps = new ArrayList<>();

  /** A step and its wall-clock time. */
  record Step(String name, Duration time) {}

  /** Runs {@code step} and records its time. */
  <T> T measure(String name, Supplier<T> step) {
    long start = System.nanoTime();
    T result = step.get();
    steps.add(new Step(name, Duration.ofNanos(System.nanoTime() - start)));
    return result;
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  Duration total() {
    return steps.stream().map(Step::time).reduce(Duration.ZERO, Duration::plus);
  }
}
