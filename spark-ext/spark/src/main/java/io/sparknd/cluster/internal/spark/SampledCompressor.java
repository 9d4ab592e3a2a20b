/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Compresses blocks of a stream, unless they are like a recent one that LZ4 made hardly smaller, as
 * it does random mantissas. A block whose "compressed" length is its own is stored as it is by
 * {@link net.jpountz.lz4.LZ4BlockOutputStream}, and every reader of its format takes it.
 */
final class SampledCompressor extends LZ4Compressor {
  /** Blocks that are stored after one that does not compress. */
  private static final int STORED = 31;

  private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
  private int stored;

  private SampledCompressor(int stored) {
    this.stored = stored;
  }

  static SampledCompressor ofSamples() {
    return new SampledCompressor(0);
  }

  /** Compresses no block. */
  static SampledCompressor ofNone() {
    return new SampledCompressor(Integer.MAX_VALUE);
  }

  @Override
  public int compress(
      byte[] source, int from, int length, byte[] target, int start, int maxLength) {
    if (stored > 0) {
      stored -= stored == Integer.MAX_VALUE ? 0 : 1;
      return length;
    }
    int compressed = compressor.compress(source, from, length, target, start, maxLength);
    if (compressed > length - length / 8) {
      stored = STORED;
      return length;
    }
    return compressed;
  }

  @Override
  public int compress(
      ByteBuffer source, int from, int length, ByteBuffer target, int start, int maxLength) {
    throw new UnsupportedOperationException("only arrays are compressed");
  }
}
