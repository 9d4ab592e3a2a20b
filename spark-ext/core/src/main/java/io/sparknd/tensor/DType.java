/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The sixteen element types of ONNX, with ONNX's names. */
public enum DType {
  BOOL("bool", Storage.BYTE, Kind.BOOL),
  INT8("int8", Storage.BYTE, Kind.SIGNED),
  INT16("int16", Storage.SHORT, Kind.SIGNED),
  INT32("int32", Storage.INT, Kind.SIGNED),
  INT64("int64", Storage.LONG, Kind.SIGNED),
  UINT8("uint8", Storage.BYTE, Kind.UNSIGNED),
  UINT16("uint16", Storage.SHORT, Kind.UNSIGNED),
  UINT32("uint32", Storage.INT, Kind.UNSIGNED),
  UINT64("uint64", Storage.LONG, Kind.UNSIGNED),
  /** IEEE 754 binary16, stored as its bits. */
  FLOAT16("float16", Storage.SHORT, Kind.FLOAT),
  /** The upper half of a float32, stored as its bits. */
  BFLOAT16("bfloat16", Storage.SHORT, Kind.FLOAT),
  FLOAT32("float32", Storage.FLOAT, Kind.FLOAT),
  FLOAT64("float64", Storage.DOUBLE, Kind.FLOAT),
  /** Two float32, real part first. */
  COMPLEX64("complex64", Storage.FLOAT, Kind.COMPLEX),
  /** Two float64, real part first. */
  COMPLEX128("complex128", Storage.DOUBLE, Kind.COMPLEX),
  STRING("string", Storage.STRING, Kind.STRING);

  /** The kind of a dtype's values. */
  public enum Kind {
    BOOL,
    SIGNED,
    UNSIGNED,
    FLOAT,
    COMPLEX,
    STRING
  }

  private final String onnxName;
  private final Storage storage;
  private final Kind kind;

  DType(String onnxName, Storage storage, Kind kind) {
    this.onnxName = onnxName;
    this.storage = storage;
    this.kind = kind;
  }

  /**
   * Returns the dtype with the ONNX name {@code name}.
   *
   * @throws SparkNdException if there is none
   */
  public static DType named(String name) {
    for (DType dtype : values()) {
      if (dtype.onnxName.equals(name)) {
        return dtype;
      }
    }
    throw TensorErrors.unknownDType(
        name, Arrays.stream(values()).map(DType::toString).collect(Collectors.joining(", ")));
  }

  public Storage storage() {
    return storage;
  }

  public Kind kind() {
    return kind;
  }

  /** Units of {@link #storage()} per element: 2 for complex, else 1. */
  public int units() {
    return kind == Kind.COMPLEX ? 2 : 1;
  }

  /** Bytes of one element; 0 for strings, whose width varies. */
  public int bytes() {
    return storage.bytes() * units();
  }

  /** Whether values of this dtype can index a tensor. */
  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  /** Whether an array of this dtype is also a valid array of {@code other}, bit for bit. */
  boolean canBitcastTo(DType other) {
    boolean sameUnits = storage == other.storage && units() == other.units();
    return this == other || (sameUnits && other != BOOL);
  }

  /** ONNX's name, such as {@code float32}. */
  @Override
  public String toString() {
    return onnxName;
  }
}
