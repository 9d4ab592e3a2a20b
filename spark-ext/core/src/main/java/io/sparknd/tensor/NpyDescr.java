/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The {@code descr} of an {@code .npy} header, NumPy's "array protocol type string": byte order,
 * kind, then bytes per element, or code points for {@code U}.
 *
 * @param text the text in the file
 * @param dtype the dtype of the tensor's elements
 * @param itemBytes bytes of one element in the file
 */
record NpyDescr(String text, DType dtype, Layout layout, int itemBytes) implements Serializable {
  /** How the bytes of an element are arranged. */
  enum Layout {
    LITTLE_ENDIAN,
    BIG_ENDIAN,
    /** UTF-8 bytes, padded with NUL. */
    BYTE_STRING;
  }

  ByteOrder byteOrder() {
    return layout == Layout.BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  /** The descr that NumPy on a little-endian machine writes; bfloat16 is declared as uint16. */
  static NpyDescr of(DType dtype) {
    int bytes = dtype.bytes();
    char order = bytes == 1 ? '|' : '<';
    return new NpyDescr("" + order + kind(dtype) + bytes, dtype, Layout.LITTLE_ENDIAN, bytes);
  }

  /** The descr of UTF-32 strings of at most {@code width} code points. */
  static NpyDescr strings(int width) {
    return new NpyDescr("<U" + width, DType.STRING, Layout.LITTLE_ENDIAN, 4 * width);
  }

  private static char kind(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> 'b';
      case SIGNED -> 'i';
      case UNSIGNED -> 'u';
      case FLOAT -> dtype == DType.BFLOAT16 ? 'u' : 'f';
      case COMPLEX -> 'c';
      case STRING -> 'U';
    };
  }

  /**
   * Parses {@code text}.
   *
   * @param as the dtype to read the elements as, or null for the dtype that {@code text} declares
   * @throws SparkNdException if SparkND has no such dtype; the message names {@code source}
   */
  static NpyDescr parse(String text, @Nullable DType as, String source) {
    NpyDescr found =
        text.equals("bfloat16")
            ? new NpyDescr(text, DType.BFLOAT16, Layout.LITTLE_ENDIAN, 2)
            : parseTypeString(text, as, source);
    if (as == null || as == found.dtype) {
      return found;
    }
    if (!found.dtype.canBitcastTo(as)) {
      throw NpyErrors.npyCannotReadAs(source, text, as);
    }
    return new NpyDescr(text, as, found.layout, found.itemBytes);
  }

  private static NpyDescr parseTypeString(String text, @Nullable DType as, String source) {
    boolean hasOrder = !text.isEmpty() && "<>|=".indexOf(text.charAt(0)) >= 0;
    Layout layout = hasOrder ? order(text.charAt(0)) : nativeOrder();
    int kindAt = hasOrder ? 1 : 0;
    char kind = kindAt < text.length() ? text.charAt(kindAt) : '?';
    reject(kind, text, source);
    int size = size(text, kindAt + 1, source);
    return switch (kind) {
      case 'U' -> new NpyDescr(text, DType.STRING, layout, 4 * size);
      case 'S' -> new NpyDescr(text, DType.STRING, Layout.BYTE_STRING, size);
      case 'V' -> new NpyDescr(text, opaque(size, as, text, source), layout, size);
      default -> new NpyDescr(text, dtype(kind, size, text, source), layout, size);
    };
  }

  private static void reject(char kind, String text, String source) {
    switch (kind) {
      case 'O' -> throw NpyErrors.npyObjects(source, text);
      case 'M', 'm' -> throw NpyErrors.npyTimes(source, text);
      default -> {}
    }
  }

  private static Layout order(char order) {
    return switch (order) {
      case '<' -> Layout.LITTLE_ENDIAN;
      case '>' -> Layout.BIG_ENDIAN;
      default -> nativeOrder();
    };
  }

  private static Layout nativeOrder() {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
        ? Layout.BIG_ENDIAN
        : Layout.LITTLE_ENDIAN;
  }

  private static int size(String text, int from, String source) {
    String digits = text.substring(Math.min(from, text.length()));
    boolean fits = !digits.isEmpty() && digits.length() <= 9;
    if (!fits || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw NpyErrors.npyUnknownDescr(source, text);
    }
    int size = Integer.parseInt(digits);
    // a UTF-32 code point takes four bytes
    if (size > Storage.MAX_LENGTH / 4) {
      throw NpyErrors.npyUnknownDescr(source, text);
    }
    return size;
  }

  /** Returns {@code as} for a {@code V} descr, which declares only a number of bytes. */
  private static DType opaque(int size, @Nullable DType as, String text, String source) {
    if (as == null) {
      throw NpyErrors.npyOpaque(source, text);
    }
    if (as.bytes() != size || as == DType.BOOL || as == DType.STRING) {
      throw NpyErrors.npyCannotReadAs(source, text, as);
    }
    return as;
  }

  private static DType dtype(char kind, int size, String text, String source) {
    for (DType dtype : DType.values()) {
      boolean named = dtype != DType.BFLOAT16 && dtype != DType.STRING;
      if (named && kind(dtype) == kind && dtype.bytes() == size) {
        return dtype;
      }
    }
    throw NpyErrors.npyUnknownDescr(source, text);
  }
}
