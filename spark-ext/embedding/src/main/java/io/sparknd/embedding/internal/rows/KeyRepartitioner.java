/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/** Moves keyed rows to another number of partitions, each to the owner of its key. */
record KeyRepartitioner(RowLayout layout, RowDirectory after) implements Repartitioner {

  @Override
  public List<EmbeddingPartition> split(EmbeddingPartition partition) {
    PartitionEdit[] edits = new PartitionEdit[after.partitions()];
    copy(
        partition,
        key -> {
          int owner = after.owner(key);
          edits[owner] = edits[owner] == null ? empty(owner) : edits[owner];
          return edits[owner];
        });
    return Arrays.stream(edits).filter(Objects::nonNull).map(edit -> edit.done(List.of())).toList();
  }

  @Override
  public EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts) {
    PartitionEdit edit = empty(index);
    parts.forEachRemaining(part -> copy(part, key -> edit));
    return edit.done(List.of());
  }

  private PartitionEdit empty(int index) {
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, after, index);
    return new PartitionEdit(empty, layout, new InitialRows(layout, after, index));
  }

  private void copy(EmbeddingPartition from, LongFunction<PartitionEdit> to) {
    for (int block = 0; block < from.blocks(); block++) {
      long first = (long) block * layout.perBlock();
      RowBlock rows = Objects.requireNonNull(from.block(block)); // every key has a row
      for (int i = 0; i < from.rowsIn(block, layout); i++) {
        long key = from.rows().address(first + i);
        to.apply(key).add(key, rows, i);
      }
    }
  }
}
