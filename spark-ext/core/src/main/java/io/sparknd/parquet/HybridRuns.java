/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.io.ParquetDecodingException;

/** Reads parts of runs in Parquet's hybrid of run lengths and bit-packed groups of eight. */
final class HybridRuns {
  private HybridRuns() {}

  /**
   * Reads the header of a run, a varint.
   *
   * @param values what the run has, for the error message
   */
  static int header(ByteBuffer bytes, String values) {
    int bits = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = bytes.get();
      bits |= (next & 0x7f) << shift;
      if (next >= 0) {
        return bits;
      }
    }
    throw new ParquetDecodingException("a run of " + values + " has no length");
  }

  /**
   * Reads the value that a run repeats.
   *
   * @param width bits of a value, at most 32
   */
  static long repeated(ByteBuffer bytes, int width) {
    long value = 0;
    for (int i = 0; i < width; i += Byte.SIZE) {
      value |= (bytes.get() & 0xffL) << i;
    }
    return value;
  }
}
