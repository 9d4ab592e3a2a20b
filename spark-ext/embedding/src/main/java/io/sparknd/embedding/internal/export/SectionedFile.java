/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A new file in which several tensors of known size are written at the same time. */
final class SectionedFile implements Closeable {
  private static final int BUFFER = 1 << 18;

  private final FileChannel channel;
  private long end;

  private SectionedFile(FileChannel channel) {
    this.channel = channel;
  }

  static SectionedFile create(Path file) throws IOException {
    return new SectionedFile(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** Appends bytes. */
  void append(byte[] bytes) throws IOException {
    try (OutputStream out = new Section(end, bytes.length)) {
      out.write(bytes);
    }
    end += bytes.length;
  }

  /** Appends zeros up to a multiple of {@code bytes}, and returns the position. */
  long align(int bytes) throws IOException {
    append(new byte[(int) Math.floorMod(-end, (long) bytes)]);
    return end;
  }

  /** Appends room for a tensor; elements are little-endian. */
  ElementOutput reserve(ExportTensor tensor) {
    Section section = new Section(end, tensor.bytes());
    end += tensor.bytes();
    return new SectionOutput(
        tensor.dtype().storage(), new RawArrays(), new BufferedOutputStream(section, BUFFER));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private record SectionOutput(Storage storage, RawArrays raw, OutputStream out)
      implements ElementOutput {
    @Override
    public void append(Object array, int count) throws IOException {
      raw.write(out, storage, array, 0, count);
    }

    @Override
    public void finish() throws IOException {
      out.close();
    }

    /** The file is closed instead. */
    @Override
    public void release() {}
  }

  /** Writes to a range of the file. */
  private final class Section extends OutputStream {
    private long position;
    private final long sectionEnd;

    Section(long start, long bytes) {
      this.position = start;
      this.sectionEnd = start + bytes;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (count > sectionEnd - position) {
        throw new IOException("more elements than the tensor has");
      }
      ByteBuffer rest = ByteBuffer.wrap(bytes, from, count);
      while (rest.hasRemaining()) {
        position += channel.write(rest, position);
      }
    }

    @Override
    public void close() throws IOException {
      if (position != sectionEnd) {
        throw new IOException((sectionEnd - position) + " bytes of a tensor are missing");
      }
    }
  }
}
