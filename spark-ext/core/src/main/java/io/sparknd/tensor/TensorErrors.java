/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static io.sparknd.tensor.ErrorCondition.CANNOT_BITCAST;
import static io.sparknd.tensor.ErrorCondition.CANNOT_READ_FILE;
import static io.sparknd.tensor.ErrorCondition.CANNOT_WRITE_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_ELEMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_SHAPE;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_DTYPE;
import static io.sparknd.tensor.ErrorCondition.WRONG_ELEMENT_COUNT;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.shape;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** Errors of shapes, dtypes, elements and files of tensors. */
public final class TensorErrors {
  private TensorErrors() {}

  public static SparkNdException negativeDimension(long[] dims) {
    return shape(
        INVALID_SHAPE.sub("NEGATIVE_DIMENSION"),
        "shape <shape> has a negative dimension",
        Shape.show(dims));
  }

  public static SparkNdException tooManyElements(long[] dims) {
    return shape(
        TOO_LARGE.sub("TOO_MANY_ELEMENTS"),
        "shape <shape> has more than 2^63 - 1 elements",
        Shape.show(dims));
  }

  public static SparkNdException tooLargeForOneArray(DType dtype, Shape shape) {
    return shape(
        TOO_LARGE.sub("TOO_LARGE_FOR_ONE_ARRAY"),
        "a <dtype> tensor of shape <shape> has <elements> elements; a local tensor is one Java array of at most <limit>:"
            + " use a DistributedTensor",
        dtype,
        shape,
        shape.elements(),
        Storage.MAX_LENGTH / dtype.units());
  }

  public static SparkNdException wrongLength(DType dtype, Shape shape, long units) {
    return shape(
        WRONG_ELEMENT_COUNT.sub("WRONG_LENGTH"),
        "<units> values given; a <dtype> tensor of shape <shape> needs <needed>",
        units,
        dtype,
        shape,
        shape.elements() * dtype.units());
  }

  public static SparkNdException cannotReshape(Shape from, Shape to) {
    return shape(
        INVALID_SHAPE.sub("CANNOT_RESHAPE"),
        "a tensor of shape <from> has <fromElements> elements; it cannot have shape "
            + "<to> with <toElements>",
        from,
        from.elements(),
        to,
        to.elements());
  }

  public static SparkNdException unknownDType(String name, String known) {
    return dtype(UNKNOWN_DTYPE, "dtype '<name>' is unknown; use one of <known>", name, known);
  }

  public static SparkNdException wrongStorage(DType dtype, Object array) {
    return dtype(
        INVALID_ELEMENT.sub("WRONG_STORAGE"),
        "<dtype> is stored in <storage> arrays, not in <found>",
        dtype,
        dtype.storage(),
        array == null ? "null" : array.getClass().getSimpleName());
  }

  public static SparkNdException valueDoesNotFit(Object value, DType dtype) {
    return dtype(
        INVALID_ELEMENT.sub("VALUE_DOES_NOT_FIT"), "value <value> is not a <dtype>", value, dtype);
  }

  public static SparkNdException cannotBitcast(DType from, DType to) {
    return dtype(
        CANNOT_BITCAST,
        "cannot bitcast <from> to <to>: both need the same Java array type (<fromStorage>, <toStorage>) and number of units"
            + " per element, and only bool can become bool",
        from,
        to,
        from.storage(),
        to.storage());
  }

  public static SparkNdException nullString(int position) {
    return dtype(
        INVALID_ELEMENT.sub("NULL_STRING"),
        "string <position> is null; a string tensor has no nulls, only empty strings",
        position);
  }

  public static SparkNdException unreadableFile(String source, IOException cause) {
    return cause instanceof NoSuchFileException
        ? file(CANNOT_READ_FILE.sub("FILE_NOT_FOUND"), "file <source> does not exist", source)
        : failedFile(
            cause,
            CANNOT_READ_FILE.sub("UNREADABLE_FILE"),
            "<source> cannot be read: <reason>",
            source,
            cause);
  }

  public static SparkNdException unwritableFile(String target, IOException cause) {
    return cause instanceof NoSuchFileException
        ? failedFile(
            cause,
            CANNOT_WRITE_FILE.sub("DIRECTORY_NOT_FOUND"),
            "<target> cannot be written: its directory does not exist; create it",
            target)
        : failedFile(
            cause,
            CANNOT_WRITE_FILE.sub("UNWRITABLE_FILE"),
            "<target> cannot be written: <reason>",
            target,
            cause);
  }

  public static SparkNdException isDirectory(String target) {
    return file(
        CANNOT_WRITE_FILE.sub("IS_DIRECTORY"),
        "<target> cannot be written: it is a directory; name a file in it",
        target);
  }

  public static SparkNdException notAShape(String text) {
    return shape(
        INVALID_SHAPE.sub("NOT_A_SHAPE"),
        "'<text>' is not a shape; write dimensions with commas between, such as 8,64",
        text);
  }
}
