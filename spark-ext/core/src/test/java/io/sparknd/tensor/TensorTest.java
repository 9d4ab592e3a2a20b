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
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests local tensors. */
class TensorTest {
  private static final Shape ONE = Shape.of(1);

  @ParameterizedTest
  @EnumSource
  void zerosHaveTheArrayOfTheirDtype(DType dtype) {
    Tensor zeros = Tensor.zeros(dtype, Shape.of(2, 3));
    assertThat(zeros.dtype().storage().holds(zeros.array())).isTrue();
    assertThat(zeros.dtype().storage().length(zeros.array())).isEqualTo(6 * dtype.units());
    assertThat(zeros).isEqualTo(zeros.copy()).hasSameHashCodeAs(zeros.copy());
    assertThat(zeros.copy().array()).isNotSameAs(zeros.array());
    Object zero =
        switch (dtype.kind()) {
          case BOOL -> false;
          case COMPLEX -> new Complex(0, 0);
          case STRING -> "";
          default -> 0;
        };
    assertThat(Tensor.fill(dtype, Shape.of(2, 3), zero)).isEqualTo(zeros);
  }

  @Test
  void wrongArraysAreRefused() {
    refused(Kind.DTYPE, "int[]", () -> Tensor.wrap(DType.FLOAT32, ONE, new int[1]));
    refused(Kind.DTYPE, "null", () -> Tensor.wrap(DType.FLOAT32, ONE, null));
    refused(Kind.DTYPE, "Object[]", () -> Tensor.wrap(DType.STRING, ONE, new Object[] {"a"}));
    refused(
        Kind.SHAPE,
        "5 values given; a float32 tensor of shape [2, 3] needs 6",
        () -> Tensor.wrap(DType.FLOAT32, Shape.of(2, 3), new float[5]));
    refused(Kind.SHAPE, "needs 2", () -> Tensor.wrap(DType.COMPLEX64, ONE, new float[1]));
    refused(Kind.DTYPE, "string 1 is null", () -> Tensor.of(Shape.of(2), "a", (String) null));
  }

  @Test
  void moreElementsThanAnArrayHoldsAreRefused() {
    assertThat(Tensor.units(DType.INT8, Shape.of(Storage.MAX_LENGTH)))
        .isEqualTo(Storage.MAX_LENGTH);
    refused(
        Kind.SHAPE,
        "has 4611686018427387904 elements",
        () -> Tensor.zeros(DType.INT8, Shape.of(1L << 31, 1L << 31)));
    refused(
        Kind.SHAPE,
        "use a DistributedTensor",
        () -> Tensor.zeros(DType.COMPLEX64, Shape.of(Storage.MAX_LENGTH / 2 + 1)));
    refused(
        Kind.SHAPE,
        "[3000000000]",
        () -> Tensor.wrap(DType.INT8, Shape.of(3_000_000_000L), new byte[1]));
  }

  static Stream<Arguments> valuesThatFit() {
    BigInteger maxUint64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    return Stream.of(
        Arguments.of(DType.BOOL, true, true),
        Arguments.of(DType.BOOL, 1.0, true),
        Arguments.of(DType.BOOL, -0.0, false),
        Arguments.of(DType.INT8, -128, -128L),
        Arguments.of(DType.INT8, 127, 127L),
        Arguments.of(DType.UINT8, 255, 255L),
        Arguments.of(DType.INT16, -32768, -32768L),
        Arguments.of(DType.UINT16, 65535, 65535L),
        Arguments.of(DType.INT32, Integer.MIN_VALUE, (long) Integer.MIN_VALUE),
        Arguments.of(DType.UINT32, 4294967295L, 4294967295L),
        Arguments.of(DType.INT64, Long.MIN_VALUE, Long.MIN_VALUE),
        Arguments.of(DType.INT64, -0x1p63, Long.MIN_VALUE),
        Arguments.of(DType.UINT64, 0, BigInteger.ZERO),
        Arguments.of(DType.UINT64, maxUint64, maxUint64),
        Arguments.of(DType.UINT64, 0x1p63, BigInteger.ONE.shiftLeft(63)),
        Arguments.of(DType.UINT64, new BigDecimal("1e3"), BigInteger.valueOf(1000)),
        Arguments.of(DType.FLOAT16, 65504, 65504f),
        Arguments.of(DType.FLOAT16, 65520, Float.POSITIVE_INFINITY),
        Arguments.of(DType.FLOAT16, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-10f),
        Arguments.of(DType.BFLOAT16, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-7f),
        Arguments.of(DType.BFLOAT16, (1L << 62) + (1L << 54) + 1, 0x1p62f + 0x1p55f),
        Arguments.of(DType.BFLOAT16, -(1L << 62) - (1L << 54) - 1, -0x1p62f - 0x1p55f),
        Arguments.of(DType.BFLOAT16, (1L << 62) + (1L << 54), 0x1p62f),
        Arguments.of(
            DType.BFLOAT16,
            BigInteger.ONE.shiftLeft(90).add(BigInteger.ONE.shiftLeft(82)).add(BigInteger.ONE),
            0x1p90f + 0x1p83f),
        Arguments.of(
            DType.FLOAT16, new BigDecimal(1 + 0x1p-11).add(new BigDecimal("1e-30")), 1 + 0x1p-10f),
        Arguments.of(DType.FLOAT16, new BigDecimal("1e-999999"), 0f),
        Arguments.of(DType.FLOAT16, new BigDecimal("-1e999999"), Float.NEGATIVE_INFINITY),
        Arguments.of(
            DType.COMPLEX64,
            (1L << 62) + (1L << 38) + 1,
            new Complex((float) ((1L << 62) + (1L << 38) + 1), 0)),
        Arguments.of(DType.FLOAT32, 1e300, Float.POSITIVE_INFINITY),
        Arguments.of(DType.FLOAT64, 0.1, 0.1),
        Arguments.of(DType.COMPLEX64, new Complex(1.5, -2), new Complex(1.5, -2)),
        Arguments.of(DType.COMPLEX128, 3, new Complex(3, 0)),
        Arguments.of(DType.STRING, "x", "x"));
  }

  @ParameterizedTest
  @MethodSource("valuesThatFit")
  void fillPutsTheValueEverywhere(DType dtype, Object value, Object element) {
    Tensor filled = Tensor.fill(dtype, Shape.of(3), value);
    assertThat(filled.element(0)).isEqualTo(element);
    assertThat(filled.element(2)).isEqualTo(element);
  }

  static Stream<Arguments> valuesThatDoNotFit() {
    return Stream.of(
        Arguments.of(DType.BOOL, 2),
        Arguments.of(DType.BOOL, Double.NaN),
        Arguments.of(DType.BOOL, "true"),
        Arguments.of(DType.INT8, 128),
        Arguments.of(DType.INT8, -129),
        Arguments.of(DType.UINT8, 256),
        Arguments.of(DType.UINT8, -1),
        Arguments.of(DType.INT16, 32768),
        Arguments.of(DType.UINT16, 65536),
        Arguments.of(DType.INT32, 1L << 31),
        Arguments.of(DType.UINT32, 1L << 32),
        Arguments.of(DType.INT64, BigInteger.ONE.shiftLeft(63)),
        Arguments.of(DType.INT64, 0x1p63),
        Arguments.of(DType.UINT64, BigInteger.ONE.shiftLeft(64)),
        Arguments.of(DType.UINT64, -1),
        Arguments.of(DType.INT32, 1.5),
        Arguments.of(DType.INT32, new BigDecimal("1.5")),
        Arguments.of(DType.INT64, new BigDecimal("1e30")),
        Arguments.of(DType.INT32, Float.NaN),
        Arguments.of(DType.INT32, Double.POSITIVE_INFINITY),
        Arguments.of(DType.INT32, true),
        Arguments.of(DType.FLOAT16, "1"),
        Arguments.of(DType.BFLOAT16, new Complex(1, 0)),
        Arguments.of(DType.FLOAT32, new Complex(1, 0)),
        Arguments.of(DType.FLOAT64, true),
        Arguments.of(DType.COMPLEX64, "1"),
        Arguments.of(DType.COMPLEX128, false),
        Arguments.of(DType.STRING, 1),
        Arguments.of(DType.STRING, null));
  }

  @ParameterizedTest
  @MethodSource("valuesThatDoNotFit")
  void fillRefusesWhatTheDtypeCannotHold(DType dtype, Object value) {
    String message = "value " + value + " is not a " + dtype;
    refused(Kind.DTYPE, message, () -> Tensor.fill(dtype, Shape.of(3), value));
  }

  @Test
  void elementsOfUnsignedDtypesAreNeverNegative() {
    assertThat(Tensor.wrap(DType.UINT8, ONE, new byte[] {-1}).element(0)).isEqualTo(255L);
    assertThat(Tensor.wrap(DType.UINT16, ONE, new short[] {-1}).element(0)).isEqualTo(65535L);
    assertThat(Tensor.wrap(DType.UINT32, ONE, new int[] {-1}).element(0)).isEqualTo(4294967295L);
    assertThat(Tensor.wrap(DType.UINT64, ONE, new long[] {-1}).element(0))
        .isEqualTo(new BigInteger("18446744073709551615"));
  }

  @Test
  void allNansAreEqualAndMinusZeroDiffersFromZero() {
    float otherNan = Float.intBitsToFloat(0x7fc0_0001);
    assertSame(floats(Float.NaN), floats(otherNan));
    assertThat(floats(0f)).isNotEqualTo(floats(-0f));
    assertSame(halves(DType.FLOAT16, 0x7e00), halves(DType.FLOAT16, 0xfe01));
    assertSame(halves(DType.BFLOAT16, 0x7fc0), halves(DType.BFLOAT16, 0xff81));
    assertThat(halves(DType.FLOAT16, 0)).isNotEqualTo(halves(DType.FLOAT16, 0x8000));
    assertThat(halves(DType.FLOAT16, 0x7c00)).isNotEqualTo(halves(DType.FLOAT16, 0x7c01));
    assertThat(halves(DType.FLOAT16, 0x7f80)).isNotEqualTo(halves(DType.FLOAT16, 0x3c00));
    assertThat(halves(DType.FLOAT16, 0x7e00)).isNotEqualTo(halves(DType.FLOAT16, 0x7bff));
    assertThat(halves(DType.BFLOAT16, 0x7fc0)).isNotEqualTo(halves(DType.BFLOAT16, 0x7f7f));
    assertThat(halves(DType.UINT16, 0x7e00)).isNotEqualTo(halves(DType.UINT16, 0x7e01));
  }

  private static Tensor floats(float value) {
    return Tensor.of(ONE, value);
  }

  private static Tensor halves(DType dtype, int bits) {
    return Tensor.wrap(dtype, ONE, new short[] {(short) bits});
  }

  private static void assertSame(Tensor left, Tensor right) {
    assertThat(left).isEqualTo(right).hasSameHashCodeAs(right);
  }

  @Test
  void tensorsOfOtherDtypeOrShapeDiffer() {
    Tensor bytes = Tensor.wrap(DType.INT8, Shape.of(2), new byte[2]);
    assertThat(bytes).isNotEqualTo(Tensor.wrap(DType.UINT8, Shape.of(2), new byte[2]));
    assertThat(bytes).isNotEqualTo(bytes.reshape(Shape.of(1, 2)));
    assertThat(bytes).isNotEqualTo(Tensor.wrap(DType.INT8, Shape.of(3), new byte[3]));
  }

  @Test
  void valuesAreCopiedAndReshapeSharesTheArray() {
    int[] values = {1, 2, 3, 4};
    Tensor tensor = Tensor.of(Shape.of(4), values);
    values[0] = 9;
    assertThat(tensor.element(0)).isEqualTo(1L);
    assertThat((byte[]) Tensor.of(Shape.of(3), true, false, true).array()).containsExactly(1, 0, 1);
    assertThat(tensor.reshape(Shape.of(2, 2)).array()).isSameAs(tensor.array());
    refused(Kind.SHAPE, "[2, 3] with 6", () -> tensor.reshape(Shape.of(2, 3)));
  }

  @ParameterizedTest
  @EnumSource
  void rangeOfUnitsIsCopied(Storage storage) {
    Object array = storage.allocate(4);
    Object value = storage == Storage.STRING ? "a" : (byte) 1;
    Array.set(array, 2, value);
    Object copy = storage.copyOfRange(array, 1, 3);
    assertThat(storage.length(copy)).isEqualTo(2);
    assertThat(Array.get(copy, 0)).isEqualTo(Array.get(array, 1));
    assertThat(Array.get(copy, 1)).isEqualTo(Array.get(array, 2));
  }

  @Test
  void bitcastKeepsTheArray() {
    Tensor bits = Tensor.wrap(DType.UINT16, ONE, new short[] {0x3f80});
    assertThat(bits.bitcast(DType.BFLOAT16).element(0)).isEqualTo(1f);
    assertThat(bits.bitcast(DType.BFLOAT16).array()).isSameAs(bits.array());
    refused(Kind.DTYPE, "uint16", () -> bits.bitcast(DType.INT32));
    refused(Kind.DTYPE, "bool", () -> Tensor.zeros(DType.INT8, ONE).bitcast(DType.BOOL));
    refused(Kind.DTYPE, "complex64", () -> floats(1).bitcast(DType.COMPLEX64));
    assertThat(Tensor.fill(DType.BOOL, ONE, true).bitcast(DType.UINT8).element(0)).isEqualTo(1L);
  }

  @Test
  void printsDtypeShapeAndTheFirstElements() {
    assertThat(Tensor.of(Shape.of(2), 1L, 2L)).hasToString("int64[2] [1, 2]");
    assertThat(Tensor.zeros(DType.BOOL, Shape.of(17)).toString()).endsWith("false, ...]");
    assertThat(Tensor.fill(DType.COMPLEX64, ONE, new Complex(1, -0.0)))
        .hasToString("complex64[1] [1.0-0.0j]");
  }

  @Test
  void unknownDtypeNameIsRefusedWithTheKnownOnes() {
    assertThat(DType.named("bfloat16")).isEqualTo(DType.BFLOAT16);
    refused(Kind.DTYPE, "'float8' is unknown; use one of bool, int8", () -> DType.named("float8"));
  }

  @ParameterizedTest
  @EnumSource
  void tensorsSurviveSerialization(DType dtype) throws Exception {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(2, 3));
    assertThat(deserialized(serialized(tensor))).isEqualTo(tensor);
  }

  @Test
  void serializationKeepsTheBitsOfNaNs() throws Exception {
    float[] floats = {Float.intBitsToFloat(0x7f80_0001), Float.intBitsToFloat(0xffc1_2345)};
    Tensor copy = (Tensor) deserialized(serialized(Tensor.of(Shape.of(2), floats)));
    assertThat(Float.floatToRawIntBits(((float[]) copy.array())[0])).isEqualTo(0x7f80_0001);
    assertThat(Float.floatToRawIntBits(((float[]) copy.array())[1])).isEqualTo(0xffc1_2345);
    double[] doubles = {Double.longBitsToDouble(0x7ff0_0000_0000_0001L)};
    Tensor wide = (Tensor) deserialized(serialized(Tensor.of(Shape.of(1), doubles)));
    assertThat(Double.doubleToRawLongBits(((double[]) wide.array())[0]))
        .isEqualTo(0x7ff0_0000_0000_0001L);
  }

  private static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object deserialized(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  private static void refused(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message)
        .extracting(e -> ((SparkNdException) e).kind())
        .isEqualTo(kind);
  }
}
