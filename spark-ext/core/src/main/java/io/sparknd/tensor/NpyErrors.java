/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static io.sparknd.tensor.ErrorCondition.INVALID_NPY_FILE;
import static io.sparknd.tensor.ErrorCondition.NPY_STRING_WIDTH;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_NPY_FILE;
import static io.sparknd.tensor.ErrorCondition.WRITER_CLOSED;
import static io.sparknd.tensor.ErrorCondition.WRONG_ELEMENT_COUNT;
import static io.sparknd.tensor.ErrorFactory.brief;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.state;

import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Errors of {@code .npy} files. */
public final class NpyErrors {
  private NpyErrors() {}

  public static SparkNdException notNpy(String source, byte[] found) {
    return file(
        INVALID_NPY_FILE.sub("NOT_NPY"),
        "<source> is not an .npy file: it starts with the bytes <found>, not with 93 4e 55 4d 50 59"
            + " (\\x93NUMPY)",
        source,
        HexFormat.ofDelimiter(" ").formatHex(found));
  }

  public static SparkNdException npzArchive(String source) {
    return file(
        INVALID_NPY_FILE.sub("NPZ_ARCHIVE"),
        "<source> is a zip archive, such as .npz, not an .npy file: unzip it, and read the .npy files in it",
        source);
  }

  public static SparkNdException npyVersion(String source, int major, int minor) {
    return file(
        INVALID_NPY_FILE.sub("VERSION"),
        "<source> has .npy format version <major>.<minor>; supported are 1.0, 2.0 and " + "3.0",
        source,
        major,
        minor);
  }

  public static SparkNdException npyTruncated(
      String source, String what, long expected, long found) {
    return file(
        INVALID_NPY_FILE.sub("TRUNCATED"),
        "<source> is truncated: <what> should have <expected> bytes, but has <found>",
        source,
        what,
        expected,
        found);
  }

  public static SparkNdException npyHeaderTooLong(String source, long length, int most) {
    return file(
        INVALID_NPY_FILE.sub("HEADER_TOO_LONG"),
        "<source> declares an .npy header of <length> bytes; at most <most> are " + "accepted",
        source,
        length,
        most);
  }

  public static SparkNdException npyHeaderSyntax(
      String source, String header, int position, String expected) {
    return file(
        INVALID_NPY_FILE.sub("HEADER_SYNTAX"),
        "<source> has a malformed .npy header: at character <position>, expected <expected>, found \"<found>\"",
        source,
        position,
        expected,
        brief(header.substring(position)));
  }

  public static SparkNdException npyKeys(String source, Set<?> keys) {
    return file(
        INVALID_NPY_FILE.sub("KEYS"),
        "<source> has a malformed .npy header: its keys are <keys>, not descr, fortran_order and shape",
        source,
        brief(keys.toString()));
  }

  public static SparkNdException npyValue(
      String source, String key, String expected, @Nullable Object found) {
    return file(
        INVALID_NPY_FILE.sub("VALUE"),
        "<source> has a malformed .npy header: <key> is <found>, not <expected>",
        source,
        key,
        brief(String.valueOf(found)),
        expected);
  }

  public static SparkNdException npyShape(String source, SparkNdException cause) {
    return failedFile(
        cause,
        INVALID_NPY_FILE.sub("SHAPE"),
        "<source> has an .npy header with an invalid shape: <reason>",
        source,
        brief(reason(cause), 200));
  }

  public static SparkNdException npyTooManyBytes(String source, Shape shape, String descr) {
    return file(
        INVALID_NPY_FILE.sub("TOO_MANY_BYTES"),
        "<source> has an .npy header that is too large: shape <shape> of <descr> is "
            + "more than 2^63 - 1 bytes",
        source,
        brief(shape.toString()),
        descr);
  }

  public static SparkNdException npyObjects(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("OBJECTS"),
        "<source> holds Python objects ('<descr>'), which only Python can unpickle, and which may run any code"
            + " there: save it with a dtype of numbers or strings",
        source,
        brief(descr));
  }

  public static SparkNdException npyStructured(String source) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("STRUCTURED"),
        "<source> holds a structured dtype; a tensor has one dtype: save each field to a file of its own",
        source);
  }

  public static SparkNdException npyTimes(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("TIMES"),
        "<source> holds times ('<descr>'), which are not a tensor dtype: save "
            + "array.view('i8') instead",
        source,
        brief(descr));
  }

  public static SparkNdException npyOpaque(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("OPAQUE"),
        "<source> declares only the size of its elements ('<descr>'), as ml_dtypes does"
            + " for bfloat16: pass the dtype to read it as, such as DType.BFLOAT16",
        source,
        brief(descr));
  }

  public static SparkNdException npyUnknownDescr(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("UNKNOWN_DESCR"),
        "<source> has dtype '<descr>', which is not a tensor dtype; supported are b1, "
            + "i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16, U and S: convert it with "
            + "array.astype",
        source,
        brief(descr));
  }

  public static SparkNdException npyCannotReadAs(String source, String descr, DType as) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("CANNOT_READ_AS"),
        "<source> has dtype '<descr>', which cannot be read as <as>: only dtypes of the same element"
            + " size and Java array type can be reinterpreted, and bool only as bool",
        source,
        brief(descr),
        as);
  }

  public static SparkNdException npyNotUtf8(
      String source, String what, CharacterCodingException cause) {
    return failedFile(
        cause,
        INVALID_NPY_FILE.sub("NOT_UTF8"),
        "<source> is malformed: <what> is not UTF-8 (<reason>); save strings of other "
            + "encodings with dtype U",
        source,
        what,
        reason(cause));
  }

  public static SparkNdException npyBadCodePoint(String source, int codePoint) {
    return file(
        INVALID_NPY_FILE.sub("BAD_CODE_POINT"),
        "<source> is malformed: a string has code point <codePoint>; the last is 0x0010ffff",
        source,
        String.format("0x%08x", codePoint));
  }

  public static SparkNdException npyStringEndsInNul(String string) {
    return file(
        NPY_STRING_WIDTH.sub("STRING_ENDS_IN_NUL"),
        "string \"<string>\" ends in U+0000, which a .npy file would lose, since it pads strings with that: remove it, or write Arrow",
        brief(string));
  }

  public static SparkNdException npyStringTooLong(
      String descr, String string, int needed, int width) {
    return file(
        NPY_STRING_WIDTH.sub("STRING_TOO_LONG"),
        "string \"<string>\" has length <needed>; the .npy header declares <descr>, at most <width>: declare the longest",
        brief(string),
        needed,
        descr,
        width);
  }

  public static SparkNdException npyNeedsWidth() {
    return dtype(
        NPY_STRING_WIDTH.sub("NEEDS_WIDTH"),
        "an .npy file of strings declares their greatest length: use NpyHeader.ofStrings");
  }

  public static SparkNdException npyBadWidth(int width) {
    return dtype(
        NPY_STRING_WIDTH.sub("BAD_WIDTH"),
        "an .npy file cannot hold strings of width <width>; the limit is <limit>",
        width,
        Storage.MAX_LENGTH / 4);
  }

  public static SparkNdException npyWrongTotal(
      String target, Shape shape, long expected, long given) {
    return file(
        WRONG_ELEMENT_COUNT.sub("NPY_WRONG_TOTAL"),
        "<target> was given <given> units; shape <shape> takes <expected>: append all of them, and no more",
        target,
        given,
        shape,
        expected);
  }

  public static SparkNdException npyWriterClosed(String target) {
    return state(
        WRITER_CLOSED.sub("NPY_WRITER_CLOSED"),
        "<target> is closed; nothing can be appended to it",
        target);
  }
}
