/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests reading and writing of whole tensors. NumPy wrote the files under {@code npy/} ({@code
 * make_golden.py}).
 */
class NpyTest {
  private static final Shape MATRIX = Shape.of(2, 3);

  @TempDir Path directory;

  /** Returns the tensors that {@code make_golden.py} writes for each dtype. */
  static Stream<Tensor> goldenTensors() {
    float inf = Float.POSITIVE_INFINITY;
    return Stream.of(
        Tensor.wrap(DType.BOOL, MATRIX, new byte[] {1, 0, 1, 1, 0, 0}),
        Tensor.wrap(DType.INT8, MATRIX, new byte[] {-128, 1, 2, 42, 126, 127}),
        Tensor.wrap(DType.UINT8, MATRIX, new byte[] {0, 1, 2, 42, -2, -1}),
        Tensor.wrap(DType.INT16, MATRIX, new short[] {-32768, 1, 2, 42, 32766, 32767}),
        Tensor.wrap(DType.UINT16, MATRIX, new short[] {0, 1, 2, 42, -2, -1}),
        Tensor.of(MATRIX, Integer.MIN_VALUE, 1, 2, 42, 2147483646, 2147483647),
        Tensor.wrap(DType.UINT32, MATRIX, new int[] {0, 1, 2, 42, -2, -1}),
        Tensor.of(MATRIX, Long.MIN_VALUE, 1, 2, 42, Long.MAX_VALUE - 1, Long.MAX_VALUE),
        Tensor.wrap(DType.UINT64, MATRIX, new long[] {0, 1, 2, 42, -2, -1}),
        Tensor.wrap(
            DType.FLOAT16,
            MATRIX,
            new short[] {0, (short) 0x8000, 0x3e00, (short) 0xfc00, 0x7e00, 0x7bff}),
        Tensor.of(MATRIX, 0f, -0f, 1.5f, -inf, Float.NaN, Float.MAX_VALUE),
        Tensor.of(MATRIX, 0d, -0d, 1.5d, -inf, Double.NaN, Double.MAX_VALUE),
        Tensor.wrap(
            DType.COMPLEX64,
            MATRIX,
            new float[] {0, 0, -0f, 1, 1.5f, -2, inf, -inf, Float.NaN, 0, -1, -1}),
        Tensor.wrap(
            DType.COMPLEX128,
            MATRIX,
            new double[] {0, 0, -0d, 1, 1.5, -2, inf, -inf, Double.NaN, 0, -1, -1}),
        Tensor.of(
            MATRIX, "", "a", "\u017elu\u0165", "\ud83d\ude00x", "a\0b", "\u65e5\u672c\u8a9e"));
  }

  @Test
  void goldenFilesCoverEveryDtypeOfNumpy() {
    assertThat(goldenTensors().map(Tensor::dtype))
        .containsExactlyInAnyOrder(
            Arrays.stream(DType.values())
                .filter(dtype -> dtype != DType.BFLOAT16)
                .toArray(DType[]::new));
  }

  @ParameterizedTest
  @MethodSource("goldenTensors")
  void readsWhatNumpyWroteInEitherByteOrder(Tensor tensor) {
    assertThat(Npy.read(golden("little_" + tensor.dtype()))).isEqualTo(tensor);
    assertThat(Npy.read(golden("big_" + tensor.dtype()))).isEqualTo(tensor);
  }

  @ParameterizedTest
  @MethodSource("goldenTensors")
  void readsFortranOrderAsRowMajor(Tensor tensor) throws IOException {
    Path file = golden("fortran_" + tensor.dtype());
    NpyHeader header = NpyHeader.read(file);
    assertThat(header.fortranOrder()).isTrue();
    assertThat(Files.readAllBytes(file)).startsWith(header.encoded());
    assertThat(Npy.read(file)).isEqualTo(tensor);
  }

  @Test
  void vectorInFortranOrderIsReadAsItIs() {
    byte[] file = bytes(Tensor.of(Shape.of(3), 1, 2, 3));
    byte[] fortran = new String(file, ISO_8859_1).replace("False", "True ").getBytes(ISO_8859_1);
    assertThat(Npy.read(new ByteArrayInputStream(fortran), "fortran"))
        .isEqualTo(Tensor.of(Shape.of(3), 1, 2, 3));
  }

  @ParameterizedTest
  @MethodSource("goldenTensors")
  void writesTheBytesThatNumpyWrites(Tensor tensor) throws IOException {
    byte[] numpys = Files.readAllBytes(golden("little_" + tensor.dtype()));
    assertThat(bytes(tensor)).isEqualTo(numpys);
    Path file = directory.resolve("t.npy");
    Npy.write(tensor, file);
    assertThat(file).hasBinaryContent(numpys);
  }

  static Stream<Arguments> goldenShapes() {
    short[] range = new short[48];
    IntStream.range(0, 48).forEach(i -> range[i] = (short) i);
    long[] manyOnes = LongStream.generate(() -> 1).limit(14).toArray();
    manyOnes[0] = 0;
    manyOnes[13] = 100;
    long[] growing = manyOnes.clone();
    growing[0] = 10;
    growing[13] = 0;
    return Stream.of(
        Arguments.of("scalar", Tensor.of(Shape.of(), 2.5)),
        Arguments.of("empty", Tensor.zeros(DType.INT32, Shape.of(0, 3))),
        Arguments.of("empty_strings", Tensor.of(Shape.of(2), "", "")),
        Arguments.of("rank8", Tensor.wrap(DType.INT16, Shape.of(2, 1, 3, 1, 2, 2, 1, 2), range)),
        Arguments.of("aligned", Tensor.zeros(DType.INT8, Shape.of(manyOnes))),
        Arguments.of("growing", Tensor.zeros(DType.INT8, Shape.of(growing))));
  }

  @ParameterizedTest
  @MethodSource("goldenShapes")
  void everyShapeIsReadAndWrittenAsByNumpy(String name, Tensor tensor) throws IOException {
    assertThat(Npy.read(golden(name))).isEqualTo(tensor);
    assertThat(bytes(tensor)).isEqualTo(Files.readAllBytes(golden(name)));
  }

  @Test
  void fortranOrderOfFourDimensionsIsUndone() {
    int[] range = IntStream.range(0, 120).toArray();
    assertThat(Npy.read(golden("fortran_rank4")))
        .isEqualTo(Tensor.wrap(DType.INT32, Shape.of(2, 3, 4, 5), range));
  }

  @Test
  void fortranOrderLargerThanATileIsUndone() {
    Shape shape = Shape.of(70, 3, 45);
    int[] file = new int[(int) shape.elements()];
    for (int i = 0; i < file.length; i++) {
      long[] at = shape.coordinates(i);
      file[(int) (at[0] + 70 * (at[1] + 3 * at[2]))] = i;
    }
    assertThat((int[]) FortranOrder.toRowMajor(DType.INT32, shape, file))
        .isEqualTo(IntStream.range(0, file.length).toArray());
  }

  @Test
  void readsFormatVersions2And3() {
    Tensor range = Tensor.of(MATRIX, 0f, 1f, 2f, 3f, 4f, 5f);
    assertThat(NpyHeader.read(golden("version2")).version()).isEqualTo(2);
    assertThat(Npy.read(golden("version2"))).isEqualTo(range);
    assertThat(NpyHeader.read(golden("version3")).version()).isEqualTo(3);
    assertThat(Npy.read(golden("version3"))).isEqualTo(range);
  }

  @Test
  void byteStringsAreUtf8() {
    assertThat(Npy.read(golden("bytes")))
        .isEqualTo(Tensor.of(Shape.of(4), "", "a", "abc", "\u017e"));
    refused("a byte string is not UTF-8", () -> Npy.read(golden("latin1_bytes")));
  }

  static final Shape[] SHAPES = {
    Shape.of(),
    Shape.of(0),
    Shape.of(1),
    Shape.of(7),
    Shape.of(0, 5),
    Shape.of(4, 5),
    Shape.of(1, 2, 1, 3, 1, 2, 1, 2),
    Shape.of(70_000, 2)
  };

  @ParameterizedTest
  @FieldSource("SHAPES")
  void tensorsOfEveryDtypeSurviveARoundTrip(Shape shape) {
    for (DType dtype : DType.values()) {
      Tensor tensor = random(dtype, shape);
      assertThat(Npy.read(new ByteArrayInputStream(bytes(tensor)), "bytes", dtype).equals(tensor))
          .as("%s %s", dtype, shape)
          .isTrue();
    }
  }

  private static Tensor random(DType dtype, Shape shape) {
    Random random = new Random(shape.elements());
    Tensor tensor = Tensor.zeros(dtype, shape);
    int units = (int) shape.elements() * dtype.units();
    for (int i = 0; i < units; i++) {
      long bits = random.nextLong();
      switch (dtype.storage()) {
        case BYTE -> ((byte[]) tensor.array())[i] = (byte) (dtype == DType.BOOL ? bits & 1 : bits);
        case SHORT -> ((short[]) tensor.array())[i] = (short) bits;
        case INT -> ((int[]) tensor.array())[i] = (int) bits;
        case LONG -> ((long[]) tensor.array())[i] = bits;
        case FLOAT -> ((float[]) tensor.array())[i] = Float.intBitsToFloat((int) bits);
        case DOUBLE -> ((double[]) tensor.array())[i] = Double.longBitsToDouble(bits);
        case STRING -> ((String[]) tensor.array())[i] = Long.toString(bits >>> i % 64, 36);
      }
    }
    return tensor;
  }

  @Test
  void payloadsOfNanSurvive() {
    int[] bits = {0x7fc0_1234, 0xffc0_0001};
    Tensor nans =
        Tensor.of(Shape.of(2), Float.intBitsToFloat(bits[0]), Float.intBitsToFloat(bits[1]));
    float[] read = (float[]) Npy.read(new ByteArrayInputStream(bytes(nans)), "nans").array();
    assertThat(Float.floatToRawIntBits(read[0])).isEqualTo(bits[0]);
    assertThat(Float.floatToRawIntBits(read[1])).isEqualTo(bits[1]);
  }

  @Test
  void bfloat16IsWrittenAsUint16AndReadBackByName() {
    Tensor halves = Tensor.wrap(DType.BFLOAT16, Shape.of(2), new short[] {0x3f80, (short) 0xc000});
    Path file = directory.resolve("halves.npy");
    Npy.write(halves, file);
    assertThat(NpyHeader.read(file).descr()).isEqualTo("<u2");
    assertThat(Npy.read(file)).isEqualTo(halves.bitcast(DType.UINT16));
    assertThat(Npy.read(file, DType.BFLOAT16)).isEqualTo(halves);
    assertThat(Npy.read(golden("void"), DType.BFLOAT16)).isEqualTo(halves);
    refused("'|V2'", () -> Npy.read(golden("void")));
    refused("DType.BFLOAT16", () -> Npy.read(golden("void")));
    refused("cannot be read as float32", () -> Npy.read(golden("void"), DType.FLOAT32));
    refused("cannot be read as float32", () -> Npy.read(file, DType.FLOAT32));
  }

  @Test
  void everyByteButZeroIsTrue() throws IOException {
    byte[] file = Files.readAllBytes(golden("little_bool"));
    file[file.length - 1] = 2;
    file[file.length - 2] = -1;
    assertThat((byte[]) Npy.read(new ByteArrayInputStream(file), "bools").array())
        .containsExactly(1, 0, 1, 1, 1, 1);
  }

  static final String[] TRUNCATED = {
    "little_float32", "version2", "version3", "little_string", "bytes", "fortran_int16", "scalar"
  };

  @ParameterizedTest
  @FieldSource("TRUNCATED")
  void truncationAtEveryByteIsAClearError(String name) throws IOException {
    byte[] whole = Files.readAllBytes(golden(name));
    Path file = directory.resolve("cut.npy");
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      refused("cut.npy is truncated", () -> Npy.read(new ByteArrayInputStream(cut), "cut.npy"));
      Files.write(file, cut);
      refused("cut.npy is truncated", () -> Npy.read(file));
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 3);
    assertThat(Npy.read(new ByteArrayInputStream(longer), "longer"))
        .isEqualTo(Npy.read(golden(name)));
  }

  @Test
  void arraysInOneStreamAreReadOneAfterTheOther() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Tensor first = random(DType.INT32, Shape.of(100, 3));
    Tensor second = random(DType.STRING, Shape.of(5));
    Npy.write(first, out);
    Npy.write(second, out);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    assertThat(Npy.read(in, "both")).isEqualTo(first);
    assertThat(Npy.read(in, "both")).isEqualTo(second);
  }

  @Test
  void truncatedStreamDoesNotAllocateTheDeclaredSize() {
    // the declared 16 GB exceed the heap of the tests
    byte[] header = NpyHeader.of(DType.FLOAT64, Shape.of(2_000_000_000)).encoded();
    refused("is truncated", () -> Npy.read(new ByteArrayInputStream(header), "liar"));
    byte[] strings = NpyHeader.ofStrings(Shape.of(1), 500_000_000).encoded();
    refused("is truncated", () -> Npy.read(new ByteArrayInputStream(strings), "liar"));
  }

  @Test
  void truncatedFileDoesNotAllocateTheDeclaredSize() throws IOException {
    Path file = directory.resolve("liar.npy");
    Files.write(file, NpyHeader.of(DType.FLOAT64, Shape.of(2_000_000_000)).encoded());
    refused("is truncated", () -> Npy.read(file));
  }

  /** More than the 64 MiB that are allocated before reading. */
  @Test
  void longStreamsAreReadWhole() {
    int elements = (1 << 23) + 5;
    byte[] header = NpyHeader.of(DType.COMPLEX64, Shape.of(elements)).encoded();
    byte[] data = new byte[8 * elements];
    ByteBuffer floats = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int[] units = {0, 2 * elements - 12, 2 * elements - 11, 2 * elements - 1};
    for (int unit : units) {
      floats.putFloat(4 * unit, unit + 1);
    }
    InputStream in =
        new SequenceInputStream(new ByteArrayInputStream(header), new ByteArrayInputStream(data));
    float[] read = (float[]) Npy.read(in, "long").array();
    for (int unit : units) {
      assertThat(read[unit]).isEqualTo(unit + 1);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void namedPipesAreRead() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Tensor tensor = Tensor.of(Shape.of(3), 1, 2, 3);
    Thread writer = new Thread(() -> Npy.write(tensor, pipe));
    writer.start();
    assertThat(Npy.read(pipe)).isEqualTo(tensor);
    writer.join();
  }

  @Test
  void moreElementsThanAnArrayHoldsAreRejected() {
    byte[] header = NpyHeader.of(DType.INT8, Shape.of(3_000_000_000L)).encoded();
    assertThatThrownBy(() -> Npy.read(new ByteArrayInputStream(header), "large"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("use a DistributedTensor");
  }

  @Test
  void unsupportedDtypesAreRejectedWithARemedy() {
    refused("Python objects", () -> Npy.read(golden("objects")));
    refused("save each field", () -> Npy.read(golden("structured")));
    refused("save each field", () -> Npy.read(golden("utf8_structured")));
    refused("array.view('i8')", () -> Npy.read(golden("datetime")));
  }

  @Test
  void missingFilesAndDirectoriesAreRefusedByName() {
    Path missing = directory.resolve("missing.npy");
    refused("file " + missing + " does not exist", () -> Npy.read(missing));
    refused("file " + missing + " does not exist", () -> NpyHeader.read(missing));
    refused(directory + " cannot be read", () -> Npy.read(directory));
    Tensor tensor = Tensor.of(Shape.of(1), 1);
    refused("it is a directory", () -> Npy.write(tensor, directory));
    refused("its directory does not exist", () -> Npy.write(tensor, missing.resolve("t.npy")));
  }

  @Test
  void writeReplacesTheFileAndLeavesNoOtherFile() throws IOException {
    Path file = directory.resolve("t.npy");
    Npy.write(random(DType.INT64, Shape.of(1000)), file);
    Tensor small = Tensor.of(Shape.of(1), 1);
    Npy.write(small, file);
    assertThat(Npy.read(file)).isEqualTo(small);
    assertThat(files()).containsExactly(file);
  }

  @Test
  void writingGoesThroughASymbolicLink() throws IOException {
    Path file = directory.resolve("t.npy");
    Path link = directory.resolve("link.npy");
    Files.createFile(file);
    Files.createSymbolicLink(link, file);
    Tensor tensor = Tensor.of(Shape.of(1), 1);
    Npy.write(tensor, link);
    assertThat(link).isSymbolicLink();
    assertThat(Npy.read(file)).isEqualTo(tensor);
  }

  @Test
  void streamFailuresAreReportedWithTheirCause() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    refused("no space left", () -> Npy.write(Tensor.of(Shape.of(1), 1), full));
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("connection reset");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("connection reset");
          }
        };
    refused("remote.npy cannot be read", () -> Npy.read(broken, "remote.npy"));
  }

  @Test
  void streamsAreFlushed() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Tensor tensor = Tensor.of(Shape.of(1), 1);
    Npy.write(tensor, new BufferedOutputStream(out));
    assertThat(out.toByteArray()).isEqualTo(bytes(tensor));
  }

  private Path[] files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toArray(Path[]::new);
    }
  }

  private static byte[] bytes(Tensor tensor) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(tensor, out);
    return out.toByteArray();
  }

  /** NumPy pads strings with NULs, and drops those at their end. */
  @Test
  void stringsThatEndInNulAreRefused() {
    refused("\" ends in U+0000", () -> bytes(Tensor.of(Shape.of(2), "a", "b\0")));
    byte[] file = bytes(Tensor.of(Shape.of(2), "a", "\0b"));
    assertThat(Npy.read(new ByteArrayInputStream(file), "file").element(1)).isEqualTo("\0b");
  }

  private static Path golden(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(NpyTest.class.getResource("/npy/" + name + ".npy")).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static void refused(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message)
        .extracting(e -> ((SparkNdException) e).kind())
        .isEqualTo(Kind.FILE);
  }
}
