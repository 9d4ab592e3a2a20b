/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import static io.sparknd.tensor.ErrorCondition.CANNOT_WRITE_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARROW_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_ELEMENT;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.WRITER_CLOSED;
import static io.sparknd.tensor.ErrorCondition.WRONG_ELEMENT_COUNT;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;

/** Errors of Arrow streams and files. */
public final class ArrowErrors {
  private ArrowErrors() {}

  public static SparkNdException arrowCellTooLarge(DType dtype, Shape shape) {
    return shape(
        TOO_LARGE.sub("ARROW_CELL_TOO_LARGE"),
        "a row of a <dtype> tensor of shape <shape> has more elements than an Arrow list can have, 2^31 - 1"
            + " (half of it for complex): reshape to smaller rows",
        dtype,
        shape);
  }

  public static SparkNdException arrowTooManyUnits(
      DType dtype, Shape shape, long appended, int more) {
    return shape(
        WRONG_ELEMENT_COUNT.sub("ARROW_TOO_MANY_UNITS"),
        "<more> values after <appended> others are too many; a <dtype> tensor of shape <shape> needs <needed>",
        more,
        appended,
        dtype,
        shape,
        shape.elements() * dtype.units());
  }

  public static SparkNdException arrowIncomplete(DType dtype, Shape shape, long appended) {
    return shape(
        WRONG_ELEMENT_COUNT.sub("ARROW_INCOMPLETE"),
        "the stream is closed after <appended> values; a <dtype> tensor of shape <shape> needs <needed>",
        appended,
        dtype,
        shape,
        shape.elements() * dtype.units());
  }

  public static SparkNdException arrowWriterClosed() {
    return state(
        WRITER_CLOSED.sub("ARROW_WRITER_CLOSED"),
        "the Arrow stream is closed: create another writer");
  }

  public static SparkNdException arrowTextTooLong(int cell) {
    return shape(
        TOO_LARGE.sub("ARROW_TEXT_TOO_LONG"),
        "the strings of one record batch, of rows of <cell> each, exceed 2^31 - 1 bytes"
            + " of UTF-8, the limit of Arrow's offsets: reshape to smaller rows",
        cell);
  }

  public static SparkNdException notUnicode(String string) {
    return dtype(
        INVALID_ELEMENT.sub("NOT_UNICODE"),
        "string '<string>' has an unpaired surrogate, which UTF-8 cannot encode: correct the string",
        string);
  }

  public static SparkNdException notArrow(String source) {
    return file(
        INVALID_ARROW_FILE.sub("NOT_ARROW"),
        "<source> is not an Arrow IPC stream or file: it starts with neither FF FF FF FF nor ARROW1"
            + " (streams from before Arrow 0.15 are not read)",
        source);
  }

  public static SparkNdException unreadableArrow(String source, Throwable cause) {
    return failedFile(
        cause,
        INVALID_ARROW_FILE.sub("UNREADABLE_ARROW"),
        "<source> cannot be read as an Arrow IPC stream: <reason>",
        source,
        reason(cause));
  }

  public static SparkNdException arrowNeedsMemory(String source, OutOfMemoryError cause) {
    return failedFile(
        cause,
        INVALID_ARROW_FILE.sub("NEEDS_MEMORY"),
        "<source> needs more memory than this JVM has, <reason>: the file is damaged, "
            + "or the heap is too small",
        source,
        reason(cause));
  }

  public static SparkNdException cannotWriteArrow(Path target, Exception cause) {
    return failedFile(
        cause,
        CANNOT_WRITE_FILE.sub("CANNOT_WRITE_ARROW"),
        "<target> cannot be written: <reason>",
        target,
        reason(cause));
  }

  public static SparkNdException arrowTensorColumns(String source, List<String> columns) {
    return file(
        INVALID_ARROW_FILE.sub("TENSOR_COLUMNS"),
        "<source> does not have exactly one column of type arrow.fixed_shape_tensor; its columns are <columns>:"
            + " write the tensor's column alone",
        source,
        columns);
  }

  public static SparkNdException arrowElementType(String source, String column, String type) {
    return file(
        INVALID_ARROW_FILE.sub("ELEMENT_TYPE"),
        "column '<column>' of <source> has elements of Arrow type <type>, which is not "
            + "a tensor dtype: cast it first",
        column,
        source,
        type);
  }

  public static SparkNdException arrowPermuted(String source, String column, String metadata) {
    return file(
        INVALID_ARROW_FILE.sub("PERMUTED"),
        "the cells of column '<column>' of <source> have permuted dimensions, <metadata>, and only row-major ones are"
            + " read: make the array contiguous before it is written",
        column,
        source,
        metadata);
  }

  public static SparkNdException arrowNulls(String source, String column) {
    return file(
        INVALID_ARROW_FILE.sub("NULLS"),
        "column '<column>' of <source> has nulls, which a tensor cannot have: fill them first",
        column,
        source);
  }

  public static SparkNdException arrowShapeMismatch(
      String source, Shape declared, DType dtype, Shape cell) {
    return file(
        INVALID_ARROW_FILE.sub("SHAPE_MISMATCH"),
        "<source> declares a <dtype> tensor of shape <declared>, and cells of shape <cell>, which cannot be its rows",
        source,
        dtype,
        declared,
        cell);
  }

  public static SparkNdException arrowRowsMismatch(
      String source, Shape declared, long rows, Shape cell) {
    return file(
        INVALID_ARROW_FILE.sub("ROWS_MISMATCH"),
        "<source> declares a tensor of shape <declared> and has <rows> rows of shape <cell>: the stream is truncated, or its"
            + " rows were changed but the metadata sparknd.shape was not",
        source,
        declared,
        rows,
        cell);
  }
}
