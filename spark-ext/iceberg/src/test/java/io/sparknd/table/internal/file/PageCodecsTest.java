/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests pages that are decompressed in one call. */
class PageCodecsTest {
  private static final byte[] PAGE = page();

  private final PageCodecs codecs = new PageCodecs(new PlainParquetConfiguration());
  private final BytesInputDecompressor zstd = codecs.getDecompressor(CompressionCodecName.ZSTD);

  private static byte[] page() {
    byte[] page = new byte[100_000];
    for (int i = 0; i < page.length; i++) {
      page[i] = (byte) (i * i % 13);
    }
    return page;
  }

  @AfterEach
  void release() {
    codecs.release();
  }

  private byte[] read(byte[] compressed) throws IOException {
    return zstd.decompress(BytesInput.from(compressed), PAGE.length).toInputStream().readAllBytes();
  }

  @Test
  void pagesOfOneFrameOrSeveralAreRead() throws IOException {
    assertThat(read(Zstd.compress(PAGE))).isEqualTo(PAGE);
    byte[] first = Zstd.compress(Arrays.copyOf(PAGE, 1000));
    byte[] second = Zstd.compress(Arrays.copyOfRange(PAGE, 1000, PAGE.length));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(read(both)).isEqualTo(PAGE);
  }

  @Test
  void buffersAreReadWhereTheyAre() throws IOException {
    byte[] compressed = Zstd.compress(PAGE);
    for (boolean direct : new boolean[] {false, true}) {
      int length = compressed.length + 7;
      ByteBuffer from = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
      from.position(3).put(compressed).position(3);
      ByteBuffer to = ByteBuffer.allocate(PAGE.length + 5).position(5);
      zstd.decompress(from, compressed.length, to, PAGE.length);
      assertThat(from.position()).isEqualTo(3 + compressed.length);
      assertThat(Arrays.copyOfRange(to.array(), 5, PAGE.length + 5)).isEqualTo(PAGE);
    }
  }

  @Test
  void damagedPagesAreRejected() {
    byte[] cut = Arrays.copyOf(Zstd.compress(PAGE), 50);
    assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class);
    byte[] shorter = Zstd.compress(Arrays.copyOf(PAGE, 99_999));
    assertThatThrownBy(() -> read(shorter))
        .isInstanceOf(IOException.class)
        .hasMessage("a page has 99999 bytes where its header says 100000");
    byte[] longer = Zstd.compress(Arrays.copyOf(PAGE, 100_001));
    assertThatThrownBy(() -> read(longer)).isInstanceOf(IOException.class);
  }
}
