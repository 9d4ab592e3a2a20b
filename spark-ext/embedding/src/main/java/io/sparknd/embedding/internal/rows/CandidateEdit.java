/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.RowAdmission;
import java.util.List;
import java.util.Objects;

/**
 * Builds the next version of a partition's candidates: counts the steps in which each key without a
 * row occurs. A key that is admitted stays with a count of 0, the same as if it were absent; such
 * keys are removed now and then.
 */
final class CandidateEdit {
  private final EmbeddingPartition before;
  private final RowRemoval removal;
  private final PartitionEdit edit;

  CandidateEdit(EmbeddingPartition before, RowLayout layout, RowDirectory directory) {
    RowLayout candidates = layout.candidates();
    this.before = Objects.requireNonNull(before.candidates());
    this.removal = new RowRemoval(candidates, directory);
    this.edit =
        new PartitionEdit(
            this.before, candidates, new InitialRows(candidates, directory, before.index()));
  }

  /** Counts a key that has no row, once in a step, and returns whether it gets one. */
  boolean admits(long key, long step, RowAdmission.Counted admission) {
    long row = edit.row(key);
    RowBlock block = edit.own(row);
    int at = at(block, row);
    block.count(at, step);
    if (block.updates(at) < admission.steps()) {
      return false;
    }
    block.setUsage(at, 0, 0);
    return true;
  }

  /** Sets the count of a key to 0. */
  void forget(long key) {
    if (edit.has(key)) {
      long row = edit.row(key);
      RowBlock block = edit.own(row);
      block.setUsage(at(block, row), 0, 0);
    }
  }

  private int at(RowBlock block, long row) {
    return block.at(row, removal.layout().perBlock());
  }

  /** Returns the next version. The edit must not be used afterwards. */
  EmbeddingPartition done() {
    EmbeddingPartition after = edit.done(List.of());
    long size = after.rows().size();
    // each doubling may compact once, so a key is copied a constant number of times on average
    boolean isDoubled = Long.highestOneBit(size) > Long.highestOneBit(before.rows().size());
    boolean isSparse = isDoubled && 2 * after.updated(removal.layout()) < size;
    return isSparse ? removal.compacted(after) : after;
  }
}
