/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Moves keyed rows and counts of keys without a row to another number of partitions, to the owner
 * of each key.
 */
record KeyRepartitioner(RowLayout layout, RowDirectory after, String checkpoint)
    implements Repartitioner {

  @Override
  public List<EmbeddingPartition> split(EmbeddingPartition partition) {
    PartitionEdit[] edits = new PartitionEdit[after.partitions()];
    copy(
        partition,
        key -> {
          int owner = after.owner(key);
          edits[owner] = edits[owner] == null ? edit(owner) : edits[owner];
          return edits[owner];
        });
    EmbeddingPartition[] parts =
        Arrays.stream(edits)
            .map(edit -> edit == null ? null : edit.done(List.of()))
            .toArray(EmbeddingPartition[]::new);
    if (partition.candidates() != null) {
      for (EmbeddingPartition part : ofCandidates().split(partition.candidates())) {
        int owner = part.index();
        EmbeddingPartition rows = parts[owner] == null ? empty(owner) : parts[owner];
        parts[owner] = rows.withCandidates(part);
      }
    }
    if (partition.filter() != null) {
      addCounts(partition.filter(), parts);
    }
    EvictedIds[] evicted = partition.evicted().split(checkpoint, after);
    for (int owner = 0; owner < parts.length; owner++) {
      if (!evicted[owner].isEmpty()) {
        EmbeddingPartition rows = parts[owner] == null ? empty(owner) : parts[owner];
        parts[owner] = rows.with(evicted[owner]);
      }
    }
    return Arrays.stream(parts).filter(Objects::nonNull).toList();
  }

  private void addCounts(CountingFilter filter, EmbeddingPartition[] parts) {
    filter.addTo(
        owner -> {
          parts[owner] = parts[owner] == null ? empty(owner) : parts[owner];
          return Objects.requireNonNull(parts[owner].filter());
        },
        after.partitions());
  }

  @Override
  public EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts) {
    PartitionEdit edit = edit(index);
    List<EmbeddingPartition> candidates = new ArrayList<>();
    List<CountingFilter> filters = new ArrayList<>();
    EvictedIds[] evicted = {EvictedIds.NONE};
    parts.forEachRemaining(
        part -> {
          copy(part, key -> edit);
          evicted[0] = evicted[0].and(checkpoint, part.evicted().ids());
          if (part.candidates() != null) {
            candidates.add(part.candidates());
          }
          if (part.filter() != null) {
            filters.add(part.filter());
          }
        });
    EmbeddingPartition rows = edit.done(List.of()).with(evicted[0]);
    if (rows.filter() != null) {
      return rows.withFilter(CountingFilter.merged(rows.filter(), filters.iterator()));
    }
    return layout.hasCandidates()
        ? rows.withCandidates(ofCandidates().merged(index, candidates.iterator()))
        : rows;
  }

  private KeyRepartitioner ofCandidates() {
    return new KeyRepartitioner(layout.candidates(), after, checkpoint);
  }

  private EmbeddingPartition empty(int index) {
    return EmbeddingPartition.empty(layout, after, index);
  }

  private PartitionEdit edit(int index) {
    return new PartitionEdit(empty(index), layout, new InitialRows(layout, after, index));
  }

  private void copy(EmbeddingPartition from, LongFunction<PartitionEdit> to) {
    UpdatedRows.visit(from, layout, after, (key, block, at) -> to.apply(key).add(key, block, at));
  }
}
