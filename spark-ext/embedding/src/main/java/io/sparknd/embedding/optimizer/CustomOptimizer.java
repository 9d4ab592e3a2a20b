/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.List;

/**
 * An optimizer with the rule of an application. Its JSON has name and slots of the rule.
 *
 * @param descent learning rate, L2 and clip
 * @param rule the rule; its name is not blank and its slots have distinct names
 */
public record CustomOptimizer(
    DescentOptions descent,
    @JsonSerialize(converter = SavedRule.Converter.class) @JsonDeserialize(as = SavedRule.class)
        OptimizerRule rule)
    implements Optimizer {
  public CustomOptimizer {
    List<String> names = rule.slots().stream().map(OptimizerSlot::name).toList();
    if (rule.name().isBlank() || names.stream().distinct().count() < names.size()) {
      throw EmbeddingErrors.badRule(rule.name(), names);
    }
  }

  @Override
  public CustomOptimizer withDescent(DescentOptions other) {
    return new CustomOptimizer(other, rule);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return rule.slots();
  }

  @Override
  public RowUpdate update(long step, int dim) {
    RowRule update = rule.at(step, descent.schedule().rate(step));
    return descent.before(new CopiedRow(rule.name(), update, slots(), dim), dim);
  }
}
