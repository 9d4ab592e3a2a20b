/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Collects the first failure of each check. */
final class FailureList {
  private final Map<String, OptimizerFailure> failures = new LinkedHashMap<>();

  /** Runs a check, which returns what is wrong. An exception of the optimizer is a failure. */
  void check(String name, Callable<Optional<String>> check) {
    if (failures.containsKey(name)) {
      return;
    }
    try {
      check.call().ifPresent(problem -> failures.put(name, new OptimizerFailure(name, problem)));
    } catch (Exception e) {
      failures.put(name, new OptimizerFailure(name, "threw " + e));
    }
  }

  List<OptimizerFailure> all() {
    return List.copyOf(failures.values());
  }
}
