/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * Writes and applies what changed in a partition since a checkpoint: the ids that were evicted and
 * not added again, then each updated row with its id, usage, weights and state, in row order; then
 * the same for candidates; then the buckets of the counting filter that were changed.
 */
public record PartitionDelta(RowLayout layout, RowDirectory directory) implements Serializable {

  /**
   * Writes what changed.
   *
   * @param checkpoint id of the checkpoint
   * @param since steps of the table at the checkpoint; rows with a later update are written
   */
  public void write(EmbeddingPartition after, String checkpoint, long since, OutputStream to)
      throws IOException {
    RawArrays raw = new RawArrays();
    DataOutputStream out = new DataOutputStream(to);
    long[] evicted =
        Arrays.stream(after.evicted().since(checkpoint)).filter(id -> !has(after, id)).toArray();
    WritableUtils.writeVInt(out, evicted.length);
    raw.write(out, Storage.LONG, evicted, 0, evicted.length);
    WritableUtils.writeVLong(out, changed(after, since));
    long[] single = new long[1];
    UpdatedRows.<IOException>visit(
        after,
        layout,
        directory,
        (id, block, at) -> {
          if (block.lastStep(at) >= since) {
            single[0] = id;
            raw.write(out, Storage.LONG, single, 0, 1);
            WritableUtils.writeVLong(out, block.lastStep(at) - since);
            WritableUtils.writeVLong(out, block.updates(at));
            writeValues(raw, out, block, at);
          }
        });
    out.flush();
    if (after.candidates() != null) {
      ofCandidates().write(after.candidates(), checkpoint, since, to);
    }
    if (after.filter() != null) {
      after.filter().writeChanged(since, raw, to);
    }
  }

  private PartitionDelta ofCandidates() {
    return new PartitionDelta(layout.candidates(), directory);
  }

  private boolean has(EmbeddingPartition partition, long id) {
    long row = partition.rows().row(directory.address(id));
    RowBlock block =
        row == RowIndex.ABSENT ? null : partition.block((int) (row / layout.perBlock()));
    return block != null && block.isUpdated(block.at(row, layout.perBlock()));
  }

  private long changed(EmbeddingPartition partition, long since) {
    long[] count = new long[1];
    UpdatedRows.visit(
        partition,
        layout,
        directory,
        (id, block, at) -> count[0] += block.lastStep(at) >= since ? 1 : 0);
    return count[0];
  }

  private void writeValues(RawArrays raw, OutputStream out, RowBlock block, int at)
      throws IOException {
    int dim = layout.dim();
    raw.write(out, layout.storage(), block.weights(), at * dim, (at + 1) * dim);
    for (int i = 0; i < block.state().length; i++) {
      Object slot = block.state()[i];
      int width = layout.width(i);
      raw.write(out, RowBlock.stored(slot), slot, at * width, (at + 1) * width);
    }
  }

  /** Returns the partition after what {@link #write} wrote, with the same {@code since}. */
  public EmbeddingPartition applied(EmbeddingPartition before, long since, InputStream from)
      throws IOException {
    RawArrays raw = new RawArrays();
    DataInputStream in = new DataInputStream(from);
    long[] evicted = new long[WritableUtils.readVInt(in)];
    raw.read(in, Storage.LONG, evicted, 0, evicted.length);
    EmbeddingPartition rest = new RowRemoval(layout, directory).without(before, evicted);
    PartitionEdit edit =
        new PartitionEdit(rest, layout, new InitialRows(layout, directory, before.index()));
    CandidateEdit candidates =
        layout.hasCandidates() ? new CandidateEdit(before, layout, directory) : null;
    forget(candidates, evicted);
    long[] id = new long[1];
    for (long left = WritableUtils.readVLong(in); left > 0; left--) {
      raw.read(in, Storage.LONG, id, 0, 1);
      long row = edit.row(directory.address(id[0]));
      RowBlock block = edit.own(row);
      int at = block.at(row, layout.perBlock());
      block.setUsage(at, since + WritableUtils.readVLong(in), WritableUtils.readVLong(in));
      readValues(raw, in, block, at);
      forget(candidates, id);
    }
    EmbeddingPartition after = edit.done(List.of());
    if (after.filter() != null) {
      return after.withFilter(after.filter().withChanged(raw, in));
    }
    return candidates == null
        ? after
        : after.withCandidates(ofCandidates().applied(candidates.done(), since, in));
  }

  /** Forgets candidates that got rows since, even if these were evicted again. */
  private static void forget(@Nullable CandidateEdit candidates, long[] ids) {
    for (long id : ids) {
      if (candidates != null) {
        candidates.forget(id);
      }
    }
  }

  private void readValues(RawArrays raw, InputStream in, RowBlock block, int at)
      throws IOException {
    int dim = layout.dim();
    raw.read(in, layout.storage(), block.weights(), at * dim, (at + 1) * dim);
    for (int i = 0; i < block.state().length; i++) {
      Object slot = block.state()[i];
      int width = layout.width(i);
      raw.read(in, RowBlock.stored(slot), slot, at * width, (at + 1) * width);
    }
  }
}
