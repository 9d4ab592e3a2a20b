/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Parquet's codecs, but for zstd, whose pages are decompressed in one call: Parquet makes a stream
 * for each page, and copies what comes out of it. Not thread-safe.
 */
final class PageCodecs implements CompressionCodecFactory {
  private final CodecFactory others;
  private @Nullable ZstdPages zstd;

  PageCodecs(ParquetConfiguration configuration) {
    this.others = new CodecFactory(configuration, 0);
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    return others.getCompressor(codec);
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    if (codec != CompressionCodecName.ZSTD) {
      return others.getDecompressor(codec);
    }
    if (zstd == null) {
      zstd = new ZstdPages();
    }
    return zstd;
  }

  @Override
  public void release() {
    others.release();
    if (zstd != null) {
      zstd.release();
      zstd = null;
    }
  }

  private static final class ZstdPages implements BytesInputDecompressor {
    private static final ByteBufferAllocator HEAP = HeapByteBufferAllocator.getInstance();

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    @Override
    public BytesInput decompress(BytesInput page, int size) throws IOException {
      return BytesInput.from(plain(page.toByteBuffer(HEAP, buffer -> {}), size));
    }

    @Override
    public void decompress(ByteBuffer page, int compressedSize, ByteBuffer plain, int size)
        throws IOException {
      plain.put(plain(page.slice(page.position(), compressedSize), size));
      page.position(page.position() + compressedSize);
    }

    private byte[] plain(ByteBuffer page, int size) throws IOException {
      ByteBuffer inHeap =
          page.hasArray() ? page : ByteBuffer.allocate(page.remaining()).put(page).flip();
      int from = inHeap.arrayOffset() + inHeap.position();
      byte[] plain = new byte[size];
      int found;
      try {
        found =
            context.decompressByteArray(plain, 0, size, inHeap.array(), from, inHeap.remaining());
      } catch (ZstdException e) {
        throw new IOException(e);
      }
      if (found != size) {
        throw new IOException("a page has " + found + " bytes where its header says " + size);
      }
      return plain;
    }

    @Override
    public void release() {
      context.close();
    }
  }
}
