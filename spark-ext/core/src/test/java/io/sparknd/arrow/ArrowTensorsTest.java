/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.flatbuffers.FlatBufferBuilder;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.SparkNdException.Kind;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests reading and writing tensors as Arrow streams and files. */
class ArrowTensorsTest {
  private static final List<Shape> SHAPES =
      List.of(
          Shape.of(),
          Shape.of(1),
          Shape.of(13),
          Shape.of(7, 3),
          Shape.of(2, 1, 3, 2, 1, 2, 1, 3),
          Shape.of(0),
          Shape.of(4, 0),
          Shape.of(0, 5),
          Shape.of(3, 0, 2));

  private final BufferAllocator root = new RootAllocator();

  @AfterEach
  void everyBufferIsClosed() {
    assertThat(root.getAllocatedMemory()).isZero();
    root.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyShapeOfEveryDTypeComesBackBitForBit(DType dtype) {
    for (Shape shape : SHAPES) {
      checkRoundTrip(Streams.random(dtype, shape));
    }
  }

  @ParameterizedTest
  @EnumSource
  void severalBatchesComeBackBitForBit(DType dtype) {
    checkRoundTrip(Streams.random(dtype, Shape.of(70_001, 5)));
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(names = {"BOOL", "FLOAT64", "STRING"})
  void rowLargerThanABatchSurvivesARoundTrip(DType dtype) {
    checkRoundTrip(Streams.random(dtype, Shape.of(2, 400_001)));
  }

  private void checkRoundTrip(Tensor tensor) {
    Tensor read = Streams.tensor(Streams.bytes(tensor, root), root);
    assertThat(read.dtype()).isEqualTo(tensor.dtype());
    assertThat(read.shape()).isEqualTo(tensor.shape());
    assertThat(Streams.bits(read)).isEqualTo(Streams.bits(tensor));
  }

  @Test
  void aFileIsReadBackAndReplacedWhole(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weights.arrows");
    ArrowTensors.write(Tensor.of(Shape.of(3), 1, 2, 3), file);
    Tensor tensor = Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f);
    ArrowTensors.write(tensor, file);
    try (var in = Files.newInputStream(file)) {
      assertThat(ArrowTensors.read(in, file.toString())).isEqualTo(tensor);
    }
    assertThat(folder).isDirectoryContaining(file::equals);
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void writingGoesThroughASymbolicLink(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("weights.arrows"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    Tensor tensor = Tensor.of(Shape.of(3), 1, 2, 3);
    ArrowTensors.write(tensor, link);
    assertThat(link).isSymbolicLink();
    try (var in = Files.newInputStream(file)) {
      assertThat(ArrowTensors.read(in, file.toString())).isEqualTo(tensor);
    }
  }

  @Test
  void aFailedWriteLeavesTheFileAsItWas(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("kept"), "before");
    Tensor loneSurrogate = Tensor.of(Shape.of(1), "\ud800");
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> ArrowTensors.write(loneSurrogate, file))
        .withMessageContaining("surrogate");
    assertThat(file).hasContent("before");
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void missingFolderIsAFileError(@TempDir Path folder) {
    Tensor tensor = Tensor.of(Shape.of(1), 1);
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> ArrowTensors.write(tensor, folder.resolve("none").resolve("t")))
        .withMessageContaining("cannot be written")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FILE));
  }

  @Test
  void streamsOfTheCallerStayOpen() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ArrowTensors.write(Tensor.of(Shape.of(2), 1, 2), out);
    ArrowTensors.write(Tensor.of(Shape.of(1), 7L), out);
    var in =
        new ByteArrayInputStream(out.toByteArray()) {
          boolean closed;

          @Override
          public void close() {
            closed = true;
          }
        };
    assertThat(ArrowTensors.read(in, "first")).isEqualTo(Tensor.of(Shape.of(2), 1, 2));
    assertThat(ArrowTensors.read(in, "second")).isEqualTo(Tensor.of(Shape.of(1), 7L));
    assertThat(in.closed).isFalse();
  }

  @Test
  void aStreamCutAnywhereBeforeItsEndIsAFileError() {
    byte[] stream = Streams.bytes(Streams.random(DType.STRING, Shape.of(5, 3)), root);
    int endMarker = 8;
    for (int length = 0; length < stream.length - endMarker; length++) {
      checkRefused(Arrays.copyOf(stream, length), "test.arrows");
    }
  }

  @Tag("slow")
  @Test
  void damagedStreamGivesATensorOrAFileError() {
    byte[] stream = Streams.bytes(Streams.random(DType.STRING, Shape.of(5, 3)), root);
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = stream.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      readOrRefuse(damaged);
    }
  }

  private void readOrRefuse(byte[] stream) {
    try {
      Streams.tensor(stream, root);
    } catch (SparkNdException e) {
      assertThat(e.kind()).isEqualTo(Kind.FILE);
    }
  }

  @Test
  void streamWithTooManyElementsForAnArrayIsAShapeError() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Shape shape = Shape.of(1L << 20, 1L << 20);
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> new ArrowTensorWriter(out, DType.INT8, shape).close());
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> Streams.tensor(out.toByteArray(), root))
        .withMessageContaining("use a DistributedTensor")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.SHAPE));
  }

  @Test
  void otherFormatsAreRefusedByTheirFirstBytes() {
    checkRefused("index,value\n0,1\n".getBytes(StandardCharsets.UTF_8), "not an Arrow IPC stream");
    checkRefused(new byte[0], "not an Arrow IPC stream");
  }

  /** Arrow's reader would read the values as little-endian. */
  @Test
  void bigEndianValuesAreRefused() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int fields = Schema.createFieldsVector(builder, new int[0]);
    Schema.startSchema(builder);
    Schema.addEndianness(builder, Endianness.Big);
    Schema.addFields(builder, fields);
    int schema = Schema.endSchema(builder);
    Message.startMessage(builder);
    Message.addVersion(builder, MetadataVersion.V5);
    Message.addHeaderType(builder, MessageHeader.Schema);
    Message.addHeader(builder, schema);
    builder.finish(Message.endMessage(builder));
    byte[] message = builder.sizedByteArray();
    int padded = (message.length + 7) / 8 * 8;
    ByteBuffer stream = ByteBuffer.allocate(8 + padded).order(ByteOrder.LITTLE_ENDIAN);
    stream.putInt(-1).putInt(padded).put(message);
    checkRefused(stream.array(), "its values are big-endian");
  }

  private void checkRefused(byte[] stream, String message) {
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> Streams.tensor(stream, root))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.FILE));
  }

  @Test
  void rowLargerThanArrowsListsIsRejectedBeforeAnyWrite() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Shape shape : List.of(Shape.of(2, 1L << 31), Shape.of(0, 1L << 40, 1L << 40))) {
      assertThatExceptionOfType(SparkNdException.class)
          .isThrownBy(() -> new ArrowTensorWriter(out, DType.INT8, shape).close())
          .withMessageContaining("more elements than an Arrow list")
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.SHAPE));
    }
    assertThat(out.size()).isZero();
  }

  @Test
  void aStreamClosedEarlyIsAnError() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(
            () -> {
              try (var writer = new ArrowTensorWriter(out, DType.INT32, Shape.of(2, 3))) {
                writer.append(new int[] {1, 2, 3, 4}, 0, 4);
              }
            })
        .withMessageContaining("closed after 4 values")
        .withMessageContaining("needs 6");
  }

  @Test
  void moreValuesThanTheShapeHasAreAnError() throws IOException {
    try (var writer =
        new ArrowTensorWriter(new ByteArrayOutputStream(), DType.INT32, Shape.of(2))) {
      writer.append(new int[] {1}, 0, 1);
      assertThatExceptionOfType(SparkNdException.class)
          .isThrownBy(() -> writer.append(new int[] {2, 3}, 0, 2))
          .withMessageContaining("2 values after 1 others are too many");
      writer.append(new int[] {2}, 0, 1);
    }
  }

  @Test
  void aChunkThatFailsHalfwayClosesTheStream() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    var writer = new ArrowTensorWriter(out, DType.STRING, Shape.of(3));
    int schema = out.size();
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> writer.append(new String[] {"a", "b\ud800", "c"}, 0, 3))
        .withMessageContaining("unpaired surrogate");
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> writer.append(new String[] {"a", "b", "c"}, 0, 3))
        .withMessageContaining("closed");
    writer.close();
    assertThat(out.size()).as("neither rows nor an end").isEqualTo(schema);
  }

  @Test
  void chunksOfAnotherTypeOrAfterCloseAreRejected() throws IOException {
    var writer = new ArrowTensorWriter(new ByteArrayOutputStream(), DType.INT32, Shape.of(0));
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> writer.append(new long[1], 0, 1))
        .withMessageContaining("int arrays, not in long[]");
    writer.close();
    assertThatExceptionOfType(SparkNdException.class)
        .isThrownBy(() -> writer.append(new int[0], 0, 0))
        .withMessageContaining("closed");
  }

  @Tag("slow")
  @Test
  void batchesAreAboutAMebibyte() throws IOException {
    byte[] stream = Streams.bytes(Tensor.zeros(DType.FLOAT32, Shape.of(10_000, 100)), root);
    List<Integer> rows = ForeignStreams.batchRows(stream, root);
    assertThat(rows).hasSize(4).startsWith(2621, 2621, 2621);
    assertThat(IntStream.range(0, 4).map(rows::get).sum()).isEqualTo(10_000);
  }
}
