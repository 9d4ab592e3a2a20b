/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser and writer of {@code .npy} headers. */
class NpyHeaderTest {
  private static final String GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

  @ParameterizedTest
  @ValueSource(
      strings = {
        GOOD,
        "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        "  { \"descr\" : \"<f4\" ,\n'shape' : ( 2 , 3 , ) ,\t'fortran_order':False,}\n",
        "{'descr': u'<f4', 'fortran_order': False, 'shape': (2L, 3L), }",
        "{'descr': b'<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{\"descr\": U\"<f4\", 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': ('<f4'), 'fortran_order': (False), 'shape': ((2), +3)}",
        "{'descr': '>f8', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
      })
  void equivalentPythonDictsGiveTheSameHeader(String dict) {
    NpyHeader header = read(file(1, dict));
    assertThat(header.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(header.descr()).isEqualTo("<f4");
    assertThat(header.byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(header.fortranOrder()).isFalse();
    assertThat(header.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(header.dataOffset()).isEqualTo(10 + dict.length());
    assertThat(header.itemBytes()).isEqualTo(4);
    assertThat(header.position(5)).isEqualTo(10 + dict.length() + 20);
    assertThat(header.dataBytes()).isEqualTo(24);
  }

  @Test
  void parenthesizedNumberIsNotATuple() {
    assertThat(read(shape("()")).shape()).isEqualTo(Shape.of());
    assertThat(read(shape("( )")).shape()).isEqualTo(Shape.of());
    assertThat(read(shape("(5,)")).shape()).isEqualTo(Shape.of(5));
    assertThat(read(shape("(5 , )")).shape()).isEqualTo(Shape.of(5));
    refused("shape is 5, not a tuple", shape("(5)"));
    refused("shape is 5, not a tuple", shape("( 5 )"));
  }

  private static byte[] shape(String tuple) {
    return file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': " + tuple + "}");
  }

  @ParameterizedTest
  @CsvSource({
    "|b1, bool, 1",
    "b1, bool, 1",
    "<i1, int8, 1",
    ">u1, uint8, 1",
    "<i2, int16, 2",
    ">u2, uint16, 2",
    ">i4, int32, 4",
    "<u4, uint32, 4",
    "<i8, int64, 8",
    ">u8, uint64, 8",
    "<f2, float16, 2",
    ">f4, float32, 4",
    "=f8, float64, 8",
    "<c8, complex64, 8",
    ">c16, complex128, 16",
    "<U0, string, 0",
    ">U12, string, 48",
    "<U9, string, 36",
    "<U536870909, string, 2147483636",
    "|S5, string, 5",
    "bfloat16, bfloat16, 2"
  })
  void everyDescrHasItsDtypeAndWidth(String descr, String dtype, int bytes) {
    NpyHeader header = read(descr(descr));
    assertThat(header.dtype()).hasToString(dtype);
    assertThat(header.itemBytes()).isEqualTo(bytes);
    boolean big = descr.startsWith(">");
    assertThat(header.byteOrder()).isEqualTo(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'<f4x'; has dtype '<f4x', which is not a tensor dtype",
        "''; has dtype ''",
        "'<'; has dtype '<'",
        "'<f'; has dtype '<f'",
        "'<f16'; '<f16', which is not a tensor dtype",
        "'<i3'; has dtype '<i3'",
        "'|T16'; has dtype '|T16'",
        "'<U536870910'; has dtype",
        "'<U999999999'; has dtype",
        "'<U99999999999'; has dtype",
        "'<U-1'; has dtype",
        "'|O'; Python objects",
        "'<M8[ns]'; holds times",
        "'<m8'; holds times",
        "'<V2'; as ml_dtypes does for bfloat16",
        "[('a', '<f4')]; structured",
        "('<f4', (2,)); structured",
        "4; descr is 4, not a string",
        "None; descr is None"
      })
  void otherDescrsAreRefused(String descr, String message) {
    String python =
        descr.isEmpty() || "<|".indexOf(descr.charAt(0)) >= 0 ? "'" + descr + "'" : descr;
    refused(message, file(1, "{'descr': " + python + ", 'fortran_order': False, 'shape': (2,)}"));
  }

  private static byte[] descr(String descr) {
    return file(1, "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,)}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; its keys are [], not descr",
        "{'descr': '<f4', 'shape': (2,)}; its keys are [descr, shape]",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}; x]",
        "{1: 2}; as the key of a dict",
        "(1, 2); expected a dict",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}; fortran_order is 0, not True or False",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}; shape is [2], not a tuple",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}; shape is (2, -3)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2.5,)}; expected ',' or ')', found \".5,)}\"",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ('2',)}; shape is (2,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}; shape is (true,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}; 64 bits",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}; 2^63 - 1 elements",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}; 2^63 - 1 bytes",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,); expected ',' or '}'",
        "{'descr: 1; expected the closing '",
        "{'de\\scr': 1}; expected an escaped quote",
        "{'descr' '<f4'}; expected ':'",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x; expected the end of the header",
        "{'descr': __import__('os')}; expected a Python literal",
        "{'descr': f'<f4'}; expected a Python literal",
        "{'descr': -}; expected a digit",
        "{,}; expected a Python literal",
        "{'descr': '<f4',, }; expected a Python literal",
        "``; expected a Python literal"
      })
  void malformedDictsAreRejectedWithTheirPosition(String dict, String message) {
    refused(message, file(1, dict));
  }

  @Test
  void deepNestingIsRefusedBeforeTheStackOverflows() {
    refused("at most 64 nested brackets", file(2, "[".repeat(500_000)));
    String fields = "('a', '<f4'), ".repeat(100);
    refused(
        "structured",
        file(1, "{'descr': [" + fields + "], 'fortran_order': False, 'shape': (2,)}"));
  }

  @Test
  void wrongHeaderLengthsAreRejected() {
    byte[] good = file(1, GOOD);
    good[8] = (byte) (good[8] - 3);
    refused("expected ',' or '}'", good);
    good[8] = (byte) (good[8] + 6);
    refused("the header should have", good);
    byte[] huge = file(2, GOOD);
    huge[11] = (byte) 0x7f;
    refused("declares an .npy header of 2130706491 bytes", huge);
    huge[11] = (byte) 0xff;
    refused("at most 1048576 are accepted", huge);
  }

  @Test
  void headerLengthThatReachesIntoTheDataIsRejected() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] header = file(1, GOOD);
    header[8] = (byte) (header[8] + 4);
    out.write(header);
    out.write(new byte[24]);
    refused("expected the end of the header", out.toByteArray());
  }

  @Test
  void otherFilesAndVersionsAreRefused() {
    refused("zip archive, such as .npz", "PK\3\4abcdef".getBytes(StandardCharsets.ISO_8859_1));
    refused(
        "starts with the bytes 7b 22 61 22 3a 31",
        "{\"a\":1}".getBytes(StandardCharsets.ISO_8859_1));
    refused("\\x93NUMPY", "{\"a\":1}".getBytes(StandardCharsets.ISO_8859_1));
    byte[] good = file(1, GOOD);
    good[6] = 4;
    refused("format version 4.0", good);
    good[6] = 1;
    good[7] = 1;
    refused("format version 1.1; supported are 1.0, 2.0 and 3.0", good);
  }

  @Test
  void version3HeadersAreUtf8() {
    String dict = "{'descr': '\u00e9', 'fortran_order': False, 'shape': ()}";
    byte[] utf8 =
        file(3, new String(dict.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    refused("dtype '\u00e9'", utf8);
    refused("the header is not UTF-8", file(3, dict));
    refused("dtype '\u00e9'", file(2, dict));
  }

  @Test
  void headerTooLongForVersion1IsVersion2() {
    Shape shape = Shape.of(LongStream.generate(() -> 1).limit(30_000).toArray());
    NpyHeader header = NpyHeader.of(DType.INT8, shape);
    byte[] bytes = header.encoded();
    assertThat(header.version()).isEqualTo(2);
    assertThat(header.dataOffset()).isEqualTo(bytes.length).matches(offset -> offset % 64 == 0);
    assertThat(read(bytes).shape()).isEqualTo(shape);
    assertThat(read(bytes).dataOffset()).isEqualTo(bytes.length);
  }

  @Test
  void longestHeadersOfVersion1AreWritten() {
    Shape shape = Shape.of(LongStream.generate(() -> 1).limit(21_800).toArray());
    NpyHeader header = NpyHeader.of(DType.INT8, shape);
    assertThat(header.dataOffset()).isEqualTo(1 << 16);
    assertThat(header.version()).isEqualTo(1);
    assertThat(read(header.encoded()).shape()).isEqualTo(shape);
  }

  @Test
  void headerSurvivesSerialization() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(read(descr(">U3")));
    }
    Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertThat(copy).hasToString(">U3[2]");
    assertThat(((NpyHeader) copy).byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
  }

  @Test
  void stringsNeedAWidth() {
    assertThatThrownBy(() -> NpyHeader.of(DType.STRING, Shape.of(1)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("NpyHeader.ofStrings");
    assertThatThrownBy(() -> NpyHeader.ofStrings(Shape.of(1), -1))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("width -1");
    assertThat(NpyHeader.ofStrings(Shape.of(1), 0).descr()).isEqualTo("<U1");
    int widest = Storage.MAX_LENGTH / 4;
    assertThat(NpyHeader.ofStrings(Shape.of(1), widest).descr()).isEqualTo("<U" + widest);
    assertThatThrownBy(() -> NpyHeader.ofStrings(Shape.of(1), widest + 1))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("width " + (widest + 1));
  }

  @Test
  void fileSizeIsCheckedAgainstTheHeader() {
    NpyHeader header = read(file(1, GOOD));
    header.checkFileSize(header.dataOffset() + 24);
    header.checkFileSize(header.dataOffset() + 25);
    assertThatThrownBy(() -> header.checkFileSize(header.dataOffset() + 23))
        .isInstanceOf(SparkNdException.class)
        .hasMessage("t.npy is truncated: the data should have 24 bytes, but has 23");
  }

  @Property(tries = 6_000)
  void damagedHeadersGiveAHeaderOrAFileError(
      @ForAll @From("dicts") String dict, @ForAll @Size(max = 3) byte[] data, @ForAll int damage) {
    byte[] file = file(1 + (damage & 3) % 3, dict + new String(data, StandardCharsets.ISO_8859_1));
    assertReadOrRefused(file);
    file[Math.floorMod(damage, file.length)] ^= (byte) (damage >>> 24);
    assertReadOrRefused(file);
  }

  /**
   * Returns random sequences of header tokens, which reach more parser states than random bytes.
   */
  @Provide
  Arbitrary<String> dicts() {
    return Arbitraries.of(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ",",
            ":",
            "'descr'",
            "'fortran_order'",
            "'shape'",
            "'<f4'",
            "True",
            "False",
            "None",
            "-1",
            "3L",
            "9999999999",
            "'",
            "\"",
            "\\",
            " ",
            "\n",
            "u'x'",
            "\uffff",
            "'descr': '<f4', ",
            "'fortran_order': False, ",
            "'shape': (2, 3), ",
            "(3,)")
        .list()
        .ofMaxSize(12)
        .map(pieces -> "{" + String.join("", pieces) + "}");
  }

  @Property(tries = 6_000)
  void damagedByteOfAValidFileGivesAHeaderOrAFileError(@ForAll int at, @ForAll byte value) {
    byte[] file = NpyHeader.of(DType.INT32, Shape.of(1, 4)).encoded();
    file = ByteBuffer.allocate(file.length + 16).put(file).array();
    file[Math.floorMod(at, file.length)] = value;
    assertReadOrRefused(file);
  }

  private static void assertReadOrRefused(byte[] file) {
    try {
      Tensor read = Npy.read(new ByteArrayInputStream(file), "t.npy");
      assertThat(read.elements()).isLessThan(1 << 20);
    } catch (SparkNdException e) {
      assertThat(e.kind()).isIn(EnumSet.of(Kind.FILE, Kind.SHAPE));
    }
  }

  private static NpyHeader read(byte[] file) {
    return NpyHeader.read(new ByteArrayInputStream(file), "t.npy");
  }

  private static void refused(String message, byte[] file) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("t.npy ")
        .hasMessageContaining(message)
        .extracting(e -> ((SparkNdException) e).kind())
        .isEqualTo(Kind.FILE);
  }

  private static byte[] file(int version, String dict) {
    byte[] text = dict.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer file = ByteBuffer.allocate(12 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(NpyHeader.MAGIC.getBytes(StandardCharsets.ISO_8859_1));
    file.put((byte) version).put((byte) 0);
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    file.put(text);
    byte[] bytes = new byte[file.position()];
    file.flip().get(bytes);
    return bytes;
  }
}
