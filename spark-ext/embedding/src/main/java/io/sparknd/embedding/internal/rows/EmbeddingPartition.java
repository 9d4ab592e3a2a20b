/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.cluster.internal.partition.RawSerialized;
import io.sparknd.cluster.internal.spark.KnownSize;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one partition of one table version, and the requests for them. Immutable: a later
 * version shares untouched blocks. A block without written rows is absent, whatever the table's
 * size; its rows read as the initializer's values for their ids. If ids are keys, blocks contain
 * only written rows, in the order of their first write.
 */
public final class EmbeddingPartition extends RawSerialized implements KnownSize {
  private static final long serialVersionUID = 1;

  /**
   * Blocks in a page. Versions share pages, too: a version costs one reference per page, and one
   * per block of each page that it writes to.
   */
  static final int PAGE = 64;

  static final long PAGE_BYTES = 16 + 8 * PAGE;

  /** Bits of the counts of keys without a row that a written partition has. */
  private static final int CANDIDATES = 1;

  private static final int FILTER = 2;

  private Storage storage;
  private int index;
  private int blocks;
  private RowIndex rows;
  private RowBlock[][] pages;
  private List<RowRequest> requests;
  private long blockBytes;
  private EvictedIds evicted = EvictedIds.NONE;

  /** Keys that occurred and have no row yet, as rows with usage; null without admission. */
  private @Nullable EmbeddingPartition candidates;

  /** Counts of keys that have no row yet; null unless admission is by a filter. */
  private @Nullable CountingFilter filter;

  /** Null after deserialization, and for a partition that shares its blocks. */
  private @Nullable OwnedBlocks owned;

  /** For deserialization only. */
  @SuppressWarnings("NullAway.Init") // readExternal sets the fields
  public EmbeddingPartition() {}

  EmbeddingPartition(
      RowLayout layout,
      int index,
      RowIndex rows,
      RowBlock[][] pages,
      List<RowRequest> requests,
      long blockBytes) {
    this.storage = layout.storage();
    this.index = index;
    this.blocks = layout.blocks(rows.size());
    this.rows = rows;
    this.pages = pages;
    this.requests = requests;
    this.blockBytes = blockBytes;
  }

  /** Returns a partition without written rows. */
  public static EmbeddingPartition empty(RowLayout layout, RowDirectory directory, int index) {
    RowIndex rows = RowIndex.empty(directory, index);
    RowBlock[][] pages = new RowBlock[pages(layout.blocks(rows.size()))][];
    EmbeddingPartition empty = new EmbeddingPartition(layout, index, rows, pages, List.of(), 0);
    FilterShape shape = layout.filterShape();
    if (shape != null) {
      return empty.withFilter(CountingFilter.empty(shape, index, directory.partitions()));
    }
    return layout.hasCandidates()
        ? empty.withCandidates(empty(layout.candidates(), directory, index))
        : empty;
  }

  /** Returns the number of pages for {@code blocks} blocks. */
  static int pages(int blocks) {
    return (int) (((long) blocks + PAGE - 1) / PAGE);
  }

  /**
   * Returns the only partition of a task. Reads to the end of the iterator, so that Spark detects
   * it.
   *
   * @throws IllegalStateException if there is a second partition
   */
  public static EmbeddingPartition only(Iterator<EmbeddingPartition> partitions) {
    EmbeddingPartition partition = partitions.next();
    if (partitions.hasNext()) {
      throw new IllegalStateException("two partitions of a table in one Spark partition");
    }
    return partition;
  }

  /** Reads a partition that {@link #writeTo} wrote. */
  public static EmbeddingPartition readFrom(InputStream in) throws IOException {
    EmbeddingPartition partition = new EmbeddingPartition();
    partition.readRaw(in);
    return partition;
  }

  /** Writes the partition, including its requests. */
  public void writeTo(OutputStream out) throws IOException {
    writeRaw(out);
  }

  /** Returns the partition with the ids that were evicted from it. */
  EmbeddingPartition with(EvictedIds ids) {
    EmbeddingPartition copy = new EmbeddingPartition();
    copy.storage = storage;
    copy.index = index;
    copy.blocks = blocks;
    copy.rows = rows;
    copy.pages = pages;
    copy.requests = requests;
    copy.blockBytes = blockBytes;
    copy.evicted = ids;
    copy.candidates = candidates;
    copy.filter = filter;
    return copy;
  }

  /** Returns the partition with the candidates and the filter of another. */
  EmbeddingPartition withCountsOf(EmbeddingPartition other) {
    EmbeddingPartition copy = with(evicted);
    copy.candidates = other.candidates;
    copy.filter = other.filter;
    return copy;
  }

  /** Returns the partition with another filter. */
  EmbeddingPartition withFilter(CountingFilter other) {
    EmbeddingPartition copy = with(evicted);
    copy.filter = other;
    return copy;
  }

  /** Returns the partition with other candidates; null without admission. */
  EmbeddingPartition withCandidates(@Nullable EmbeddingPartition others) {
    EmbeddingPartition copy = with(evicted);
    copy.candidates = others;
    return copy;
  }

  /** Returns the same rows, of which no step updates any in place: another version has them. */
  public EmbeddingPartition shared() {
    return with(evicted);
  }

  /** Returns the partition with the pages and blocks that no other version has. */
  EmbeddingPartition withOwned(OwnedBlocks own) {
    EmbeddingPartition copy = with(evicted);
    copy.owned = own;
    return copy;
  }

  /**
   * Returns the pages and blocks that no other version has. One who writes to them takes the
   * partition: nobody may read it afterwards.
   */
  OwnedBlocks owned() {
    return owned == null ? OwnedBlocks.none() : owned;
  }

  @Nullable EmbeddingPartition candidates() {
    return candidates;
  }

  @Nullable CountingFilter filter() {
    return filter;
  }

  /**
   * Returns this partition, after a check of what was read from a file.
   *
   * @throws IOException if the partition has other counts of keys without a row than the layout
   */
  public EmbeddingPartition checked(RowLayout layout) throws IOException {
    boolean isFilter = CountingFilter.fits(filter, index, layout.filterShape());
    if (!isFilter || layout.hasCandidates() != (candidates != null)) {
      throw new IOException(
          "its counts of keys without a row are not those of the saved admission "
              + layout.admission());
    }
    return this;
  }

  /** Returns the partition with a filter without idle counts, see {@link CountingFilter}. */
  public EmbeddingPartition withoutIdleCounts(long cutoff, long now) {
    return filter == null ? this : withFilter(filter.withoutIdle(cutoff, now));
  }

  /** Returns the partition without the ids that were evicted from it. */
  public EmbeddingPartition withoutEvicted() {
    EmbeddingPartition copy = with(EvictedIds.NONE);
    return candidates == null ? copy : copy.withCandidates(candidates.withoutEvicted());
  }

  EvictedIds evicted() {
    return evicted;
  }

  public int index() {
    return index;
  }

  /** Returns the requests that were sent with the updates of this version. */
  public List<RowRequest> requests() {
    return requests;
  }

  Storage storage() {
    return storage;
  }

  RowIndex rows() {
    return rows;
  }

  int blocks() {
    return blocks;
  }

  /** Returns the number of rows of {@code block}; the last block may be partly filled. */
  int rowsIn(int block, RowLayout layout) {
    long before = (long) block * layout.perBlock();
    return (int) Math.max(0, Math.min(layout.perBlock(), rows.size() - before));
  }

  /** Returns the number of rows that were updated; without usage, of all rows in written blocks. */
  public long updated(RowLayout layout) {
    return UpdatedRows.count(this, layout);
  }

  RowBlock[][] pages() {
    return pages;
  }

  /**
   * Returns the block or the slab with the rows of a block; null if none of them was ever written.
   */
  @Nullable RowBlock block(int block) {
    RowBlock[] page = pages[block / PAGE];
    return page == null ? null : page[block % PAGE];
  }

  /** Returns the bytes of the written blocks and their pages. */
  long blockBytes() {
    return blockBytes;
  }

  /**
   * Returns all bytes, including blocks shared with the previous version, which training usually
   * releases once the next is computed.
   */
  @Override
  public long estimatedSize() {
    long requested = requests.stream().mapToLong(RowRequest::bytes).sum();
    long candidateBytes = candidates == null ? 0 : candidates.estimatedSize();
    long filterBytes = filter == null ? 0 : filter.bytes();
    return 8L * pages.length
        + 8L * evicted.ids().length
        + candidateBytes
        + filterBytes
        + blockBytes
        + rows.bytes()
        + requested;
  }

  @Override
  protected void writeRaw(OutputStream out) throws IOException {
    RawArrays raw = new RawArrays();
    raw.writeInt(out, storage.ordinal());
    raw.writeInt(out, index);
    rows.writeTo(raw, out);
    raw.writeInt(out, blocks);
    for (int block = 0; block < blocks; block++) {
      RowBlock written = block(block);
      if (written != null) {
        raw.writeInt(out, block);
        write(raw, out, written, block % written.blocks());
      }
    }
    raw.writeInt(out, blocks);
    boolean isPlain = evicted.isEmpty() && candidates == null && filter == null;
    // the complement says that evicted ids and counts follow
    raw.writeInt(out, isPlain ? requests.size() : ~requests.size());
    for (RowRequest request : requests) {
      raw.writeInt(out, request.shard());
      raw.writeInt(out, request.positions().length);
      raw.write(out, Storage.LONG, request.addresses(), 0, request.positions().length);
      raw.write(out, Storage.INT, request.positions(), 0, request.positions().length);
    }
    if (!isPlain) {
      writeLifecycle(raw, out);
    }
  }

  private void writeLifecycle(RawArrays raw, OutputStream out) throws IOException {
    raw.write(out, Storage.STRING, new String[] {evicted.checkpoint()}, 0, 1);
    raw.writeInt(out, evicted.ids().length);
    raw.write(out, Storage.LONG, evicted.ids(), 0, evicted.ids().length);
    raw.writeInt(out, (candidates == null ? 0 : CANDIDATES) + (filter == null ? 0 : FILTER));
    if (candidates != null) {
      candidates.writeRaw(out);
    }
    if (filter != null) {
      filter.writeTo(raw, out);
    }
  }

  /** Writes block {@code part} of those in the arrays. */
  private void write(RawArrays raw, OutputStream out, RowBlock block, int part) throws IOException {
    int weights = storage.length(block.weights()) / block.blocks();
    raw.writeInt(out, weights);
    raw.write(out, storage, block.weights(), part * weights, (part + 1) * weights);
    long[] usage = block.usage();
    // the complement says that usage follows; tables had none in earlier versions
    raw.writeInt(out, usage == null ? block.state().length : ~block.state().length);
    for (Object slot : block.state()) {
      int length = RowBlock.stored(slot).length(slot) / block.blocks();
      writeSlot(raw, out, slot, part * length, length);
    }
    if (usage != null) {
      int length = usage.length / block.blocks();
      raw.writeInt(out, length);
      raw.write(out, Storage.LONG, usage, part * length, (part + 1) * length);
    }
  }

  /** Writes the length of a slot of float32, or its complement for bfloat16, then the values. */
  private static void writeSlot(RawArrays raw, OutputStream out, Object slot, int from, int length)
      throws IOException {
    Storage stored = RowBlock.stored(slot);
    raw.writeInt(out, stored == Storage.FLOAT ? length : ~length);
    raw.write(out, stored, slot, from, from + length);
  }

  @Override
  protected void readRaw(InputStream in) throws IOException {
    RawArrays raw = new RawArrays();
    storage = Storage.values()[raw.readInt(in)];
    index = raw.readInt(in);
    rows = RowIndex.readFrom(raw, in);
    blocks = raw.readInt(in);
    pages = new RowBlock[pages(blocks)][];
    blockBytes = 0;
    for (int block = raw.readInt(in); block < blocks; block = raw.readInt(in)) {
      RowBlock read = readBlock(raw, in);
      if (pages[block / PAGE] == null) {
        pages[block / PAGE] = new RowBlock[PAGE];
        blockBytes += PAGE_BYTES;
      }
      pages[block / PAGE][block % PAGE] = read;
      blockBytes += read.bytes(storage);
    }
    requests = new ArrayList<>();
    int count = raw.readInt(in);
    for (int i = 0; i < (count < 0 ? ~count : count); i++) {
      requests.add(readRequest(raw, in));
    }
    if (count < 0) {
      readLifecycle(raw, in);
    }
  }

  private void readLifecycle(RawArrays raw, InputStream in) throws IOException {
    String[] checkpoint = new String[1];
    raw.read(in, Storage.STRING, checkpoint, 0, 1);
    long[] ids = new long[raw.readInt(in)];
    raw.read(in, Storage.LONG, ids, 0, ids.length);
    evicted = new EvictedIds(checkpoint[0], ids);
    int counts = raw.readInt(in);
    candidates = (counts & CANDIDATES) == 0 ? null : readFrom(in);
    filter = (counts & FILTER) == 0 ? null : CountingFilter.readFrom(raw, in);
  }

  private RowBlock readBlock(RawArrays raw, InputStream in) throws IOException {
    Object weights = storage.allocate(raw.readInt(in));
    raw.read(in, storage, weights, 0, storage.length(weights));
    int slots = raw.readInt(in);
    Object[] state = new Object[slots < 0 ? ~slots : slots];
    for (int slot = 0; slot < state.length; slot++) {
      state[slot] = readSlot(raw, in);
    }
    boolean isNarrow = Arrays.stream(state).anyMatch(slot -> slot instanceof short[]);
    return new RowBlock(
        1,
        weights,
        isNarrow ? state : Arrays.copyOf(state, state.length, float[][].class),
        slots < 0 ? readUsage(raw, in) : null);
  }

  private static long[] readUsage(RawArrays raw, InputStream in) throws IOException {
    long[] usage = new long[raw.readInt(in)];
    raw.read(in, Storage.LONG, usage, 0, usage.length);
    return usage;
  }

  private static Object readSlot(RawArrays raw, InputStream in) throws IOException {
    int length = raw.readInt(in);
    Storage stored = length < 0 ? Storage.SHORT : Storage.FLOAT;
    Object slot = stored.allocate(length < 0 ? ~length : length);
    raw.read(in, stored, slot, 0, stored.length(slot));
    return slot;
  }

  private static RowRequest readRequest(RawArrays raw, InputStream in) throws IOException {
    int shard = raw.readInt(in);
    int count = raw.readInt(in);
    long[] addresses = new long[count];
    raw.read(in, Storage.LONG, addresses, 0, count);
    int[] positions = new int[count];
    raw.read(in, Storage.INT, positions, 0, count);
    return new RowRequest(shard, addresses, positions);
  }
}
