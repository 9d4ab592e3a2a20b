/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import java.util.Optional;

/**
 * A publication of one state of the table after another.
 *
 * @param from the state whose rows the store had; empty to send all rows, whatever the store has
 */
record PublishStep(Optional<TableState> from, TableState to) {
  private static final String ALL = "all";
  private static final String SEPARATOR = " ";

  /** Returns the step that sends all rows. */
  static PublishStep full(TableState to) {
    return new PublishStep(Optional.empty(), to);
  }

  /** Parses {@link #toString}. */
  static PublishStep parse(String text) {
    String[] parts = text.split(SEPARATOR, 2);
    return new PublishStep(
        parts[0].equals(ALL) ? Optional.empty() : Optional.of(TableState.parse(parts[0])),
        TableState.parse(parts[1]));
  }

  @Override
  public String toString() {
    return from.map(TableState::toString).orElse(ALL) + SEPARATOR + to;
  }
}
