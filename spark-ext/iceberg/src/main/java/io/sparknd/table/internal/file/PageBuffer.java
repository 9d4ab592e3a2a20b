/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of an open page of rows of equal length; it grows up to the length of a full page. */
final class PageBuffer {
  private final int rowBytes;
  private final int rowsPerPage;
  private ByteBuffer page = ByteBuffer.allocate(0);
  private int rows;

  /**
   * @param pageBytes bytes of a full page; a longer row has a page of its own
   */
  PageBuffer(int rowBytes, int pageBytes) {
    this.rowBytes = rowBytes;
    this.rowsPerPage = Math.max(1, pageBytes / rowBytes);
  }

  /** Returns how many more rows fit. */
  int room() {
    return rowsPerPage - rows;
  }

  int rows() {
    return rows;
  }

  int bytes() {
    return page.position();
  }

  /** Adds {@code count} rows; the caller writes them to the buffer, which is little-endian. */
  ByteBuffer add(int count) {
    int bytes = count * rowBytes;
    if (page.remaining() < bytes) {
      long doubled = Math.min(2L * page.capacity(), (long) rowsPerPage * rowBytes);
      int capacity = (int) Math.max(doubled, page.position() + bytes);
      page = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(page.flip());
    }
    rows += count;
    return page;
  }

  /** Returns the written bytes, in an array of their own from its start, and opens a new page. */
  ByteBuffer take() {
    ByteBuffer taken = page.flip();
    page = ByteBuffer.allocate(0);
    rows = 0;
    return taken;
  }
}
