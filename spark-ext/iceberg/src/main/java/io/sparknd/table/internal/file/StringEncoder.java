/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Encodes PLAIN pages of strings, each preceded by its length. */
final class StringEncoder implements PageEncoder {
  private final LeafColumn leaf;
  private final int pageBytes;
  private ByteArrayOutputStream page = new ByteArrayOutputStream();
  private @Nullable Statistics<?> statistics;
  private int rows;

  StringEncoder(LeafColumn leaf, int pageBytes) {
    this.leaf = leaf;
    this.pageBytes = pageBytes;
    this.statistics = newStatistics();
  }

  private @Nullable Statistics<?> newStatistics() {
    return leaf.pattern().depth() > 0
        ? null
        : Statistics.createStats(leaf.column().getPrimitiveType());
  }

  /** Returns 1 until the page is full: the length of the next row is unknown. */
  @Override
  public int room() {
    return page.size() < pageBytes ? 1 : 0;
  }

  @Override
  public void append(Object source, int at, int count) {
    String[] strings = (String[]) source;
    for (int i = 0; i < count * leaf.elements(); i++) {
      append(strings[at + i * leaf.stride()].getBytes(StandardCharsets.UTF_8));
    }
    rows += count;
  }

  private void append(byte[] text) {
    page.writeBytes(LevelBytes.littleEndian(text.length));
    page.writeBytes(text);
    if (statistics != null) {
      statistics.updateStats(Binary.fromConstantByteArray(text));
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long bytes() {
    return page.size();
  }

  @Override
  public Values finish() {
    Values finished = new Values(BytesInput.from(page.toByteArray()), Encoding.PLAIN, statistics);
    page = new ByteArrayOutputStream();
    statistics = newStatistics();
    rows = 0;
    return finished;
  }
}
