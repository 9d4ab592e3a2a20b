/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading of ranges and writing of chunks. */
class NpyStreamTest {
  @TempDir Path directory;

  @Test
  void rangesNearTheEndOfAFileBeyondTwoGibAreRead() throws IOException {
    Path path = directory.resolve("large.npy");
    NpyHeader written = NpyHeader.of(DType.INT8, Shape.of(3_000_000_000L));
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(written.encoded());
      file.setLength(written.dataOffset() + written.dataBytes());
      file.seek(written.position(2_999_999_998L));
      file.write(new byte[] {7, 8});
    }
    NpyHeader header = NpyHeader.read(path);
    assertThat(header.shape()).isEqualTo(Shape.of(3_000_000_000L));
    header.checkFileSize(Files.size(path));
    byte[] array = new byte[6];
    readRange(path, header, 2_999_999_997L, 3, array, 2);
    assertThat(array).containsExactly(0, 0, 0, 7, 8, 0);
    refused(Kind.SHAPE, "use a DistributedTensor", () -> Npy.read(path));
    refused(
        Kind.FILE,
        "large.npy is truncated",
        () -> readRange(path, header, 2_999_999_998L, 3, array, 0));
  }

  private static void readRange(
      Path path, NpyHeader header, long from, int elements, Object array, int unit)
      throws IOException {
    try (FileChannel channel = FileChannel.open(path);
        InputStream in = Channels.newInputStream(channel.position(header.position(from)))) {
      new NpyDecoder(header).read(in, elements, array, unit);
    }
  }

  @Test
  void rangesOfComplexAndStringsAreStoredAtTheirOffset() throws IOException {
    Path path = directory.resolve("t.npy");
    Npy.write(Tensor.wrap(DType.COMPLEX64, Shape.of(3), new float[] {1, 2, 3, 4, 5, 6}), path);
    float[] floats = new float[6];
    readRange(path, NpyHeader.read(path), 1, 2, floats, 2);
    assertThat(floats).containsExactly(0, 0, 3, 4, 5, 6);

    Npy.write(Tensor.of(Shape.of(3), "a", "\ud83d\ude00", "ccc"), path);
    String[] strings = {"", "", ""};
    readRange(path, NpyHeader.read(path), 1, 2, strings, 0);
    assertThat(strings).containsExactly("\ud83d\ude00", "ccc", "");
  }

  @Test
  void buffersAreDecodedAndEncodedFromTheirPosition() {
    NpyHeader header = NpyHeader.of(DType.INT16, Shape.of(4));
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 0, 2, 1, 9});
    short[] array = new short[3];
    bytes.position(1);
    new NpyDecoder(header).decode(bytes, 2, array, 1);
    assertThat(array).containsExactly((short) 0, (short) 1, (short) 0x102);
    assertThat(bytes.position()).isEqualTo(5);

    ByteBuffer encoded = ByteBuffer.allocate(6).position(1);
    new NpyEncoder(header).encode(array, 1, 3, encoded);
    assertThat(encoded.position()).isEqualTo(5);
    assertThat(encoded.array()).containsExactly(0, 1, 0, 2, 1, 0);
  }

  @Test
  void encodingFollowsTheHeaderThatWasRead() throws IOException {
    for (String name : new String[] {"big_complex64", "big_string", "bytes"}) {
      byte[] file;
      try (InputStream in = NpyStreamTest.class.getResourceAsStream("/npy/" + name + ".npy")) {
        file = in.readAllBytes();
      }
      Tensor tensor = Npy.read(new ByteArrayInputStream(file), name);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      NpyHeader header = NpyHeader.read(new ByteArrayInputStream(file), name);
      try (NpyWriter writer = NpyWriter.open(out, name, header)) {
        writer.append(tensor.array(), 0, tensor.elements() * tensor.dtype().units());
      }
      assertThat(out.toByteArray()).as(name).isEqualTo(file);
    }
  }

  @Test
  void encodingChecksArrayAndWidth() {
    NpyHeader bytes = NpyHeader.of(DType.INT8, Shape.of(2));
    ByteBuffer buffer = ByteBuffer.allocate(64);
    refused(Kind.DTYPE, "byte", () -> new NpyEncoder(bytes).encode(new int[2], 0, 2, buffer));
    NpyEncoder points = new NpyEncoder(NpyHeader.ofStrings(Shape.of(1), 1));
    refused(Kind.FILE, "has length 2", () -> points.encode(new String[] {"ab"}, 0, 1, buffer));
    NpyEncoder utf8 =
        new NpyEncoder(
            NpyHeader.read(NpyStreamTest.class.getResourceAsStream("/npy/bytes.npy"), "t"));
    String threeInFourBytes = "\u017eab";
    refused(
        Kind.FILE,
        "has length 4",
        () -> utf8.encode(new String[] {threeInFourBytes}, 0, 1, buffer));
    assertThat(buffer.position()).isZero();
  }

  @Test
  void decodingChecksArrayAndLength() {
    NpyDecoder decoder = new NpyDecoder(NpyHeader.of(DType.INT16, Shape.of(4)));
    ByteBuffer bytes = ByteBuffer.allocate(3);
    refused(Kind.FILE, "truncated", () -> decoder.decode(bytes, 2, new short[2], 0));
    refused(Kind.DTYPE, "short", () -> decoder.decode(bytes, 1, new int[2], 0));
  }

  @Test
  void codePointsBeyondUnicodeAreRefused() {
    NpyDecoder decoder = new NpyDecoder(NpyHeader.ofStrings(Shape.of(1), 2));
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {'a', 0, 0, 0, 0, 0, 0x11, 0});
    refused(Kind.FILE, "code point 0x00110000", () -> decoder.decode(bytes, 1, new String[1], 0));
  }

  @Test
  void stringsLongerThanAChunkAreReadAndWritten() {
    Tensor strings = Tensor.of(Shape.of(2), "x".repeat(100_000), "y");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(strings, out);
    assertThat(Npy.read(new ByteArrayInputStream(out.toByteArray()), "long")).isEqualTo(strings);
  }

  @Test
  void chunkedWriteEqualsTheWholeWrite() throws IOException {
    int[] values = IntStream.range(0, 200_000).toArray();
    Tensor whole = Tensor.wrap(DType.INT32, Shape.of(1000, 200), values);
    Path expected = directory.resolve("expected.npy");
    Path chunked = directory.resolve("chunked.npy");
    Npy.write(whole, expected);
    try (NpyWriter writer = NpyWriter.open(chunked, NpyHeader.of(DType.INT32, whole.shape()))) {
      for (int from = 0; from < values.length; from += 7919) {
        writer.append(values, from, Math.min(values.length, from + 7919));
        assertThat(chunked).doesNotExist();
      }
    }
    assertThat(chunked).hasSameBinaryContentAs(expected);
    assertThat(Npy.read(chunked)).isEqualTo(whole);
  }

  @Test
  void incompleteFileIsNeverVisible() throws IOException {
    Path path = directory.resolve("t.npy");
    Files.writeString(path, "before");
    NpyWriter writer = NpyWriter.open(path, NpyHeader.of(DType.COMPLEX64, Shape.of(3)));
    writer.append(new float[4], 0, 4);
    refused(
        Kind.FILE,
        "t.npy was given 7 units; shape [3] takes 6",
        () -> writer.append(new float[4], 0, 3));
    refused(Kind.FILE, "was given 4 units; shape [3] takes 6", writer::close);
    writer.close();
    refused(Kind.STATE, "closed", () -> writer.append(new float[2], 0, 2));
    assertThat(path).hasContent("before");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(path);
    }
  }

  @Test
  void appendChecksArrayRangeAndWidth() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NpyWriter writer = NpyWriter.open(out, "t.npy", NpyHeader.ofStrings(Shape.of(2), 3));
    refused(Kind.DTYPE, "string", () -> writer.append(new int[2], 0, 2));
    assertThatThrownBy(() -> writer.append(new String[] {"a"}, 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    refused(
        Kind.FILE,
        "string \"abcd\" has length 4; the .npy header declares <U3, at most 3",
        () -> writer.append(new String[] {"abcd"}, 0, 1));
    writer.append(new String[] {"\ud83d\ude00bc", ""}, 0, 2);
    writer.close();
    assertThat(Npy.read(new ByteArrayInputStream(out.toByteArray()), "t.npy"))
        .isEqualTo(Tensor.of(Shape.of(2), "\ud83d\ude00bc", ""));
  }

  /** The bad string is in a later chunk than the first. */
  @Test
  void nothingIsWrittenOfStringsThatAreRefused() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] strings = new String[100_000];
    Arrays.fill(strings, "ab");
    strings[90_000] = "abcde";
    NpyWriter writer =
        NpyWriter.open(out, "t.npy", NpyHeader.ofStrings(Shape.of(strings.length), 4));
    int before = out.size();
    refused(Kind.FILE, "has length 5", () -> writer.append(strings, 0, strings.length));
    assertThat(out.size()).isEqualTo(before);
    strings[90_000] = "abcd";
    writer.append(strings, 0, strings.length);
    writer.close();
    assertThat(Npy.read(new ByteArrayInputStream(out.toByteArray()), "t.npy"))
        .isEqualTo(Tensor.wrap(DType.STRING, Shape.of(strings.length), strings));
  }

  @Test
  void nothingFollowsAChunkThatWasNotWritten() {
    OutputStream full =
        new OutputStream() {
          private int left = 300_000;

          @Override
          public void write(int b) throws IOException {
            if (left-- == 0) {
              throw new IOException("no space left");
            }
          }
        };
    NpyWriter writer =
        NpyWriter.open(full, "t.npy", NpyHeader.of(DType.INT32, Shape.of(1_000_000)));
    int[] elements = new int[1_000_000];
    refused(Kind.FILE, "no space left", () -> writer.append(elements, 0, elements.length));
    refused(Kind.STATE, "closed", () -> writer.append(elements, 0, elements.length));
  }

  private static void refused(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message)
        .extracting(e -> ((SparkNdException) e).kind())
        .isEqualTo(kind);
  }
}
