/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import java.io.Serializable;

/**
 * One of the scatters of a commit.
 *
 * @param pieces of its updates: rows of the table, or parts of them
 * @param perRow pieces in a row
 */
public record ScatterStage(Scatter how, Pieces pieces, int perRow) implements Serializable {

  /** Whether what an updated row held before has a part in what it holds then. */
  boolean readsRows() {
    boolean isReplaced = how.reduction() == Reduction.NONE || how.self() == IncludeSelf.EXCLUDED;
    return perRow > 1 || !isReplaced;
  }
}
