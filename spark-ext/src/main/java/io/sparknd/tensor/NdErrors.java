/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;
import java.util.Set;

/**
 * Every error that a user of SparkND can meet, in one place. A message states the problem with its
 * values, then why, then what to do.
 */
public final class NdErrors {
  private NdErrors() {}

  // ---- shapes

  public static SparkNdException negativeDimension(long[] dims) {
    return shape("shape %s has a negative dimension", Shape.show(dims));
  }

  public static SparkNdException tooManyElements(long[] dims) {
    return shape("shape %s has more than 2^63 - 1 elements", Shape.show(dims));
  }

  public static SparkNdException tooLargeForOneArray(DType dtype, Shape shape) {
    return shape(
        "a %s tensor of shape %s has %d elements; a local tensor is one Java array of at most %d:"
            + " use a DistributedTensor",
        dtype, shape, shape.elements(), Storage.MAX_LENGTH / dtype.units());
  }

  public static SparkNdException wrongLength(DType dtype, Shape shape, long units) {
    return shape(
        "%d values given; a %s tensor of shape %s needs %d",
        units, dtype, shape, shape.elements() * dtype.units());
  }

  public static SparkNdException cannotReshape(Shape from, Shape to) {
    return shape(
        "a tensor of shape %s has %d elements; it cannot take shape %s with %d",
        from, from.elements(), to, to.elements());
  }

  // ---- dtypes

  public static SparkNdException unknownDType(String name, String known) {
    return dtype("dtype '%s' is not known; known are %s", name, known);
  }

  public static SparkNdException wrongStorage(DType dtype, Object array) {
    return dtype(
        "%s is carried in %s arrays, not in %s",
        dtype, dtype.storage(), array == null ? "null" : array.getClass().getSimpleName());
  }

  public static SparkNdException valueDoesNotFit(Object value, DType dtype) {
    return dtype("value %s is not a %s", value, dtype);
  }

  public static SparkNdException cannotBitcast(DType from, DType to) {
    return dtype(
        "the bits of %s are not those of %s: both must be carried in the same arrays (%s, %s) with"
            + " as many units to an element, and bool can only come from bool",
        from, to, from.storage(), to.storage());
  }

  public static SparkNdException nullString(int position) {
    return dtype("string %d is null; a string tensor has no nulls, only empty strings", position);
  }

  // ---- files

  public static SparkNdException unreadableFile(String source, IOException cause) {
    return cause instanceof NoSuchFileException
        ? file("there is no file %s", source)
        : failedFile(cause, "%s cannot be read: %s", source, cause);
  }

  public static SparkNdException unwritableFile(String target, IOException cause) {
    return cause instanceof NoSuchFileException
        ? failedFile(cause, "%s cannot be written: there is no such directory; make it", target)
        : failedFile(cause, "%s cannot be written: %s", target, cause);
  }

  public static SparkNdException isDirectory(String target) {
    return file("%s cannot be written: it is a directory; name a file in it", target);
  }

  // ---- .npy files

  public static SparkNdException notNpy(String source, byte[] found) {
    return file(
        "%s is not an .npy file: it starts with the bytes %s, not with 93 4e 55 4d 50 59"
            + " (\\x93NUMPY)",
        source, HexFormat.ofDelimiter(" ").formatHex(found));
  }

  public static SparkNdException npzArchive(String source) {
    return file(
        "%s is a zip archive, maybe .npz, not an .npy file: unzip it, and read the .npy files in it",
        source);
  }

  public static SparkNdException npyVersion(String source, int major, int minor) {
    return file(
        "%s has .npy format version %d.%d; known are 1.0, 2.0 and 3.0", source, major, minor);
  }

  public static SparkNdException npyTruncated(
      String source, String what, long expected, long found) {
    return file(
        "%s is truncated: %s should have %d bytes, and %d are there",
        source, what, expected, found);
  }

  public static SparkNdException npyHeaderTooLong(String source, long length, int most) {
    return file(
        "%s claims an .npy header of %d bytes; more than %d are not believed",
        source, length, most);
  }

  public static SparkNdException npyHeaderSyntax(
      String source, String header, int position, String expected) {
    return file(
        "%s has a malformed .npy header: at character %d, expected %s, found \"%s\"",
        source, position, expected, brief(header.substring(position)));
  }

  public static SparkNdException npyKeys(String source, Set<?> keys) {
    return file(
        "%s has a malformed .npy header: its keys are %s, not descr, fortran_order and shape",
        source, brief(keys.toString()));
  }

  public static SparkNdException npyValue(
      String source, String key, String expected, Object found) {
    return file(
        "%s has a malformed .npy header: %s is %s, not %s",
        source, key, brief(found.toString()), expected);
  }

  public static SparkNdException npyShape(String source, SparkNdException cause) {
    return failedFile(
        cause,
        "%s has an .npy header that no tensor fits: %s",
        source,
        brief(cause.getMessage(), 200));
  }

  public static SparkNdException npyTooManyBytes(String source, Shape shape, String descr) {
    return file(
        "%s has an .npy header that no file fits: shape %s of %s is more than 2^63 - 1 bytes",
        source, brief(shape.toString()), descr);
  }

  public static SparkNdException npyObjects(String source, String descr) {
    return file(
        "%s holds Python objects ('%s'), which only Python can unpickle, and which may run any code"
            + " there: save it with a dtype of numbers or strings",
        source, brief(descr));
  }

  public static SparkNdException npyStructured(String source) {
    return file(
        "%s holds a structured dtype; a tensor has one dtype: save each field to a file of its own",
        source);
  }

  public static SparkNdException npyTimes(String source, String descr) {
    return file(
        "%s holds times ('%s'), which are no dtype of a tensor: save array.view('i8') instead",
        source, brief(descr));
  }

  public static SparkNdException npyOpaque(String source, String descr) {
    return file(
        "%s says of its elements only how many bytes they have ('%s'); ml_dtypes saves bfloat16 so:"
            + " name the dtype to read it as, such as DType.BFLOAT16",
        source, brief(descr));
  }

  public static SparkNdException npyUnknownDescr(String source, String descr) {
    return file(
        "%s has dtype '%s', which no tensor has; known are b1, i1, i2, i4, i8, u1, u2, u4, u8, f2,"
            + " f4, f8, c8, c16, U and S: convert it with array.astype",
        source, brief(descr));
  }

  public static SparkNdException npyCannotReadAs(String source, String descr, DType as) {
    return file(
        "%s has dtype '%s', which cannot be read as %s: that takes elements of other bytes",
        source, brief(descr), as);
  }

  public static SparkNdException npyNotUtf8(
      String source, String what, CharacterCodingException cause) {
    return failedFile(
        cause,
        "%s is malformed: %s is not UTF-8 (%s); strings in another encoding are to be saved with"
            + " dtype U",
        source,
        what,
        cause.getMessage());
  }

  public static SparkNdException npyBadCodePoint(String source, int codePoint) {
    return file(
        "%s is malformed: a string has code point 0x%08x; the last is 0x0010ffff",
        source, codePoint);
  }

  public static SparkNdException npyStringTooLong(
      String descr, String string, int needed, int width) {
    return file(
        "string \"%s\" has length %d; the .npy header declares %s, at most %d: declare the longest",
        brief(string), needed, descr, width);
  }

  public static SparkNdException npyNeedsWidth() {
    return dtype("an .npy file of strings declares their greatest length: use NpyHeader.ofStrings");
  }

  public static SparkNdException npyBadWidth(int width) {
    return dtype(
        "an .npy file cannot hold strings of width %d; 0 to %d can be",
        width, Storage.MAX_LENGTH / 4);
  }

  public static SparkNdException npyWrongTotal(
      String target, Shape shape, long expected, long given) {
    return file(
        "%s was given %d units; shape %s takes %d: append all of them, and no more",
        target, given, shape, expected);
  }

  public static SparkNdException npyWriterClosed(String target) {
    return error(Kind.STATE, "%s is closed; nothing can be appended to it", target);
  }

  // ---- makers

  /** At most 60 characters of what came from a file. */
  private static String brief(String text) {
    return brief(text, 60);
  }

  private static String brief(String text, int most) {
    String shown = text.strip();
    return shown.length() <= most ? shown : shown.substring(0, most - 3) + "...";
  }

  private static SparkNdException file(String message, Object... values) {
    return error(Kind.FILE, message, values);
  }

  private static SparkNdException failedFile(Exception cause, String message, Object... values) {
    return error(Kind.FILE, cause, message, values);
  }

  private static SparkNdException shape(String message, Object... values) {
    return error(Kind.SHAPE, message, values);
  }

  private static SparkNdException dtype(String message, Object... values) {
    return error(Kind.DTYPE, message, values);
  }

  private static SparkNdException error(Kind kind, String message, Object... values) {
    return error(kind, null, message, values);
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  private static SparkNdException error(
      Kind kind, Exception cause, String message, Object... values) {
    return new SparkNdException(kind, String.format(message, values), cause);
  }
}
