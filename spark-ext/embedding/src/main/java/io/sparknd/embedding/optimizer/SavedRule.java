/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.databind.util.StdConverter;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.List;

/**
 * What a saved table has of a rule. A table that was loaded without the rule can be read, not
 * trained.
 */
record SavedRule(String name, List<OptimizerSlot> slots) implements OptimizerRule {
  SavedRule {
    slots = List.copyOf(slots);
  }

  @Override
  public RowRule at(long step, double rate) {
    throw EmbeddingErrors.ruleNotLoaded(name);
  }

  /** Converts any rule for JSON, so that Jackson does not look into classes of the application. */
  static final class Converter extends StdConverter<OptimizerRule, SavedRule> {
    @Override
    public SavedRule convert(OptimizerRule rule) {
      return new SavedRule(rule.name(), rule.slots());
    }
  }
}
