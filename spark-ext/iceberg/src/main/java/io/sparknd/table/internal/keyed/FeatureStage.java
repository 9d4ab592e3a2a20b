/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.CellFold;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * One scatter of a commit, as the tasks apply it.
 *
 * @param inputs columns of its rows
 * @param targets columns of the table that it changes
 */
public record FeatureStage(List<Input> inputs, List<Target> targets) implements Serializable {
  public FeatureStage {
    inputs = List.copyOf(inputs);
    targets = List.copyOf(targets);
  }

  /**
   * A column of the rows.
   *
   * @param column ordinal of the table's column whose cells it holds
   * @param type the column's type in the rows
   */
  public record Input(int column, DataType type) implements Serializable {}

  /**
   * A column of the table that is changed.
   *
   * @param column ordinal of the column
   * @param state ordinals of its state columns
   * @param value number of the input with the updates
   * @param order number of the input that orders the updates; -1 if there is none
   * @param latest the latest time that the order may be, as {@link EventTimeLimit#latest} returns
   *     it
   */
  public record Target(
      int column, List<Integer> state, CellFold fold, int value, int order, long latest)
      implements Serializable {
    boolean hasLatest() {
      return latest < Long.MAX_VALUE;
    }
  }
}
