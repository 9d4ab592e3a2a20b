/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.SparkNdException.Kind;
import java.nio.file.Path;
import java.util.List;

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

  // ---- Arrow

  public static SparkNdException arrowCellTooLarge(DType dtype, Shape shape) {
    return shape(
        "a row of a %s tensor of shape %s has more elements than an Arrow list can have, 2^31 - 1"
            + " (half of it for complex): reshape to smaller rows",
        dtype, shape);
  }

  public static SparkNdException arrowTooManyUnits(
      DType dtype, Shape shape, long appended, int more) {
    return shape(
        "%d values after %d others are too many; a %s tensor of shape %s needs %d",
        more, appended, dtype, shape, shape.elements() * dtype.units());
  }

  public static SparkNdException arrowIncomplete(DType dtype, Shape shape, long appended) {
    return shape(
        "the stream is closed after %d values; a %s tensor of shape %s needs %d",
        appended, dtype, shape, shape.elements() * dtype.units());
  }

  public static SparkNdException arrowWriterClosed() {
    return error(
        Kind.STATE, null, "the Arrow stream is closed and takes no more values: write another");
  }

  public static SparkNdException arrowTextTooLong(int cell) {
    return shape(
        "the strings of one record batch, of rows of %d each, pass 2^31 - 1 bytes of UTF-8, the most"
            + " that Arrow's offsets reach: reshape to smaller rows",
        cell);
  }

  public static SparkNdException notUnicode(String string, Exception cause) {
    return error(
        Kind.DTYPE,
        cause,
        "string '%s' has a surrogate without its partner, which UTF-8 cannot carry: repair it first",
        string);
  }

  public static SparkNdException notArrow(String source) {
    return file(
        null,
        "%s is not an Arrow IPC stream or file: it starts with neither FF FF FF FF nor ARROW1"
            + " (streams from before Arrow 0.15 are not read)",
        source);
  }

  public static SparkNdException unreadableArrow(String source, Throwable cause) {
    return file(cause, "%s cannot be read as an Arrow IPC stream: %s", source, reason(cause));
  }

  public static SparkNdException arrowNeedsMemory(String source, OutOfMemoryError cause) {
    return file(
        cause,
        "%s asks for more memory than this JVM has, %s: it is damaged, or read it where there is"
            + " more",
        source,
        reason(cause));
  }

  public static SparkNdException cannotWriteArrow(Path target, Exception cause) {
    return file(cause, "%s cannot be written: %s", target, reason(cause));
  }

  public static SparkNdException arrowTensorColumns(String source, List<String> columns) {
    return file(
        null,
        "%s does not have exactly one column of type arrow.fixed_shape_tensor; its columns are %s:"
            + " write the tensor's column alone",
        source,
        columns);
  }

  public static SparkNdException arrowElementType(String source, String column, String type) {
    return file(
        null,
        "column '%s' of %s has elements of Arrow type %s, which is no dtype's: cast it first",
        column,
        source,
        type);
  }

  public static SparkNdException arrowPermuted(String source, String column, String metadata) {
    return file(
        null,
        "the cells of column '%s' of %s have permuted dimensions, %s, and only row-major ones are"
            + " read: make the array contiguous before it is written",
        column,
        source,
        metadata);
  }

  public static SparkNdException arrowNulls(String source, String column) {
    return file(
        null,
        "column '%s' of %s has nulls, which a tensor cannot have: fill them first",
        column,
        source);
  }

  public static SparkNdException arrowShapeMismatch(
      String source, Shape declared, DType dtype, Shape cell) {
    return file(
        null,
        "%s declares a %s tensor of shape %s, and cells of shape %s, which cannot be its rows",
        source,
        dtype,
        declared,
        cell);
  }

  public static SparkNdException arrowRowsMismatch(
      String source, Shape declared, long rows, Shape cell) {
    return file(
        null,
        "%s declares a tensor of shape %s and has %d rows of shape %s: it was cut, or its rows were"
            + " changed without the metadata sparknd.shape",
        source,
        declared,
        rows,
        cell);
  }

  // ---- makers

  private static SparkNdException shape(String message, Object... values) {
    return error(Kind.SHAPE, null, message, values);
  }

  private static SparkNdException dtype(String message, Object... values) {
    return error(Kind.DTYPE, null, message, values);
  }

  private static SparkNdException file(Throwable cause, String message, Object... values) {
    return error(Kind.FILE, cause, message, values);
  }

  /** What {@code cause} says, or its class where it says nothing. */
  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static SparkNdException error(
      Kind kind, Throwable cause, String message, Object... values) {
    return new SparkNdException(kind, String.format(message, values), cause);
  }
}
