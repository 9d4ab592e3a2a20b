/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.io.LZ4CompressionCodec;
import org.junit.jupiter.api.Test;

/** Tests which blocks are compressed, and that Spark's codec reads all. */
class SampledCompressorTest {
  private static final int BLOCK = 32 << 10;

  /** Bytes of a block's header. */
  private static final int HEADER = 21;

  private static byte[] random(int blocks) {
    byte[] bytes = new byte[blocks * BLOCK];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  private static byte[] written(SampledCompressor compressor, byte[]... parts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4BlockOutputStream to = new LZ4BlockOutputStream(out, BLOCK, compressor)) {
      for (byte[] part : parts) {
        to.write(part);
      }
    }
    return out.toByteArray();
  }

  private static void assertThatSparkReads(byte[] written, byte[]... parts) throws IOException {
    LZ4CompressionCodec codec = new LZ4CompressionCodec(new SparkConf(false));
    try (InputStream in = codec.compressedInputStream(new ByteArrayInputStream(written))) {
      for (byte[] part : parts) {
        assertThat(Arrays.equals(in.readNBytes(part.length), part)).isTrue();
      }
      assertThat(in.read()).isNegative();
    }
  }

  @Test
  void blocksThatCompressAreCompressed() throws IOException {
    byte[] zeros = new byte[10 * BLOCK];
    byte[] written = written(SampledCompressor.ofSamples(), zeros);
    assertThat(written.length).isLessThan(zeros.length / 50);
    assertThatSparkReads(written, zeros);
  }

  @Test
  void blocksAfterOneThatDoesNotCompressAreStored() throws IOException {
    byte[] random = random(1);
    byte[] zeros = new byte[31 * BLOCK];
    byte[] written = written(SampledCompressor.ofSamples(), random, zeros);
    assertThat(written).hasSize(32 * (BLOCK + HEADER) + HEADER);
    assertThatSparkReads(written, random, zeros);
  }

  @Test
  void anotherSampleFollows() throws IOException {
    byte[] random = random(32);
    byte[] zeros = new byte[1000 * BLOCK];
    byte[] written = written(SampledCompressor.ofSamples(), random, zeros);
    assertThat(written.length).isBetween(32 * (BLOCK + HEADER), 50 * BLOCK);
    assertThatSparkReads(written, random, zeros);
  }

  @Test
  void noneIsCompressed() throws IOException {
    byte[] zeros = new byte[100 * BLOCK];
    byte[] written = written(SampledCompressor.ofNone(), zeros);
    assertThat(written).hasSize(100 * (BLOCK + HEADER) + HEADER);
    assertThatSparkReads(written, zeros);
  }
}
