/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.raw.RawArrays;
import io.sparknd.cluster.raw.RawSerialized;
import io.sparknd.cluster.spark.KnownSize;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The rows of one partition of one version of a table, and who asks for which of them. Never
 * written after it is made: a later version shares the blocks that it leaves untouched. A block of
 * which no row was ever written is absent, whatever the table's size: its rows are what the
 * initializer makes of their ids. Where ids are keys, blocks have the rows that were written, in
 * the order in which they first were.
 */
public final class EmbeddingPartition extends RawSerialized implements KnownSize {
  private static final long serialVersionUID = 1;

  /**
   * Blocks in a page. Versions share pages, too: a version costs a reference for every page, and
   * for every block of those pages that it writes to.
   */
  static final int PAGE = 64;

  static final long PAGE_BYTES = 16 + 8 * PAGE;

  private Storage storage;
  private int index;
  private int blocks;
  private RowIndex rows;
  private RowBlock[][] pages;
  private List<RowRequest> asks;
  private long blockBytes;

  /** For deserialization only. */
  public EmbeddingPartition() {}

  EmbeddingPartition(
      RowLayout layout,
      int index,
      RowIndex rows,
      RowBlock[][] pages,
      List<RowRequest> asks,
      long blockBytes) {
    this.storage = layout.storage();
    this.index = index;
    this.blocks = layout.blocks(rows.size());
    this.rows = rows;
    this.pages = pages;
    this.asks = asks;
    this.blockBytes = blockBytes;
  }

  /** A partition of which no row was written. */
  public static EmbeddingPartition empty(RowLayout layout, RowDirectory ids, int index) {
    RowIndex rows = RowIndex.empty(ids, index);
    RowBlock[][] pages = new RowBlock[pages(layout.blocks(rows.size()))][];
    return new EmbeddingPartition(layout, index, rows, pages, List.of(), 0);
  }

  /** Pages that blocks take. */
  static int pages(int blocks) {
    return (int) (((long) blocks + PAGE - 1) / PAGE);
  }

  /** The one partition that a task gets; asks for a second, so that Spark sees the end. */
  public static EmbeddingPartition only(Iterator<EmbeddingPartition> partitions) {
    EmbeddingPartition partition = partitions.next();
    if (partitions.hasNext()) {
      throw new IllegalStateException("two partitions of a table in one Spark partition");
    }
    return partition;
  }

  /** A partition that {@link #writeTo} wrote. */
  public static EmbeddingPartition readFrom(InputStream in) throws IOException {
    EmbeddingPartition partition = new EmbeddingPartition();
    partition.readRaw(in);
    return partition;
  }

  /** Writes all of it, who asks among it. */
  public void writeTo(OutputStream out) throws IOException {
    writeRaw(out);
  }

  public int index() {
    return index;
  }

  /** What was asked together with the updates that made this version. */
  public List<RowRequest> asks() {
    return asks;
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

  /** Rows of block {@code block}: the last one may have fewer than it has room for. */
  int rowsIn(int block, RowLayout layout) {
    long before = (long) block * layout.perBlock();
    return (int) Math.max(0, Math.min(layout.perBlock(), rows.size() - before));
  }

  /** Rows in blocks that were written. */
  public long written(RowLayout layout) {
    long written = 0;
    for (int block = 0; block < blocks; block++) {
      written += block(block) == null ? 0 : rowsIn(block, layout);
    }
    return written;
  }

  RowBlock[][] pages() {
    return pages;
  }

  /** Null where no row of it was ever written. */
  RowBlock block(int block) {
    RowBlock[] page = pages[block / PAGE];
    return page == null ? null : page[block % PAGE];
  }

  /** Bytes of the blocks that were written, and of their pages. */
  long blockBytes() {
    return blockBytes;
  }

  /**
   * All bytes, those among them that it shares with the version before: that one is given back as
   * soon as there is a next.
   */
  @Override
  public long estimatedSize() {
    long asked = asks.stream().mapToLong(RowRequest::bytes).sum();
    return 8L * pages.length + blockBytes + rows.bytes() + asked;
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
        write(raw, out, written);
      }
    }
    raw.writeInt(out, blocks);
    raw.writeInt(out, asks.size());
    for (RowRequest ask : asks) {
      raw.writeInt(out, ask.shard());
      raw.writeInt(out, ask.places().length);
      raw.write(out, Storage.LONG, ask.addresses(), 0, ask.places().length);
      raw.write(out, Storage.INT, ask.places(), 0, ask.places().length);
    }
  }

  private void write(RawArrays raw, OutputStream out, RowBlock block) throws IOException {
    raw.writeInt(out, storage.length(block.weights()));
    raw.write(out, storage, block.weights(), 0, storage.length(block.weights()));
    raw.writeInt(out, block.state().length);
    for (float[] slot : block.state()) {
      raw.writeInt(out, slot.length);
      raw.write(out, Storage.FLOAT, slot, 0, slot.length);
    }
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
    asks = new ArrayList<>();
    int count = raw.readInt(in);
    for (int i = 0; i < count; i++) {
      asks.add(readAsk(raw, in));
    }
  }

  private RowBlock readBlock(RawArrays raw, InputStream in) throws IOException {
    Object weights = storage.allocate(raw.readInt(in));
    raw.read(in, storage, weights, 0, storage.length(weights));
    float[][] state = new float[raw.readInt(in)][];
    for (int slot = 0; slot < state.length; slot++) {
      state[slot] = new float[raw.readInt(in)];
      raw.read(in, Storage.FLOAT, state[slot], 0, state[slot].length);
    }
    return new RowBlock(weights, state);
  }

  private static RowRequest readAsk(RawArrays raw, InputStream in) throws IOException {
    int shard = raw.readInt(in);
    int count = raw.readInt(in);
    long[] addresses = new long[count];
    raw.read(in, Storage.LONG, addresses, 0, count);
    int[] places = new int[count];
    raw.read(in, Storage.INT, places, 0, count);
    return new RowRequest(shard, addresses, places);
  }
}
