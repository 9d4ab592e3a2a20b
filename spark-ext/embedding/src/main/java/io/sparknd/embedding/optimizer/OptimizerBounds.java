/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.internal.EmbeddingErrors;

/** Checks the bounds of optimizer parameters, as rounded to the float32 of the update rules. */
final class OptimizerBounds {
  private OptimizerBounds() {}

  static void finite(String name, double value) {
    check(Float.isFinite((float) value), name, value, "a finite float32");
  }

  static void positive(String name, double value) {
    float narrow = (float) value;
    check(narrow > 0 && Float.isFinite(narrow), name, value, "above 0 and finite in float32");
  }

  static void notNegative(String name, double value) {
    check(value >= 0 && Float.isFinite((float) value), name, value, "at least 0 and finite");
  }

  /** Checks that a value is at least 0, and below 1 in float32 too. */
  static void fraction(String name, double value) {
    check(value >= 0 && (float) value < 1, name, value, "at least 0 and below 1");
  }

  static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw EmbeddingErrors.tooFewSteps(name, value);
    }
  }

  private static void check(boolean holds, String name, double value, String bounds) {
    if (!holds) {
      throw EmbeddingErrors.outOfBounds(name, value, bounds);
    }
  }
}
