/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import java.io.Serializable;

/**
 * One scatter of a commit, as the tasks apply it.
 *
 * @param pieces pieces of its updates: rows of the table, or parts of rows
 * @param perRow pieces in a row
 */
public record ScatterStage(Scatter how, Pieces pieces, int perRow) implements Serializable {

  /** Returns whether an updated row's new value depends on its old value. */
  boolean readsRows() {
    boolean isReplaced = how.reduction() == Reduction.NONE || how.self() == IncludeSelf.EXCLUDED;
    return perRow > 1 || !isReplaced;
  }
}
