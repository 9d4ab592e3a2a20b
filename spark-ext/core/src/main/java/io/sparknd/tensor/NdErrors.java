/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static io.sparknd.tensor.ErrorCondition.AMBIGUOUS_COLUMN;
import static io.sparknd.tensor.ErrorCondition.ARGUMENT_NOT_CONSTANT;
import static io.sparknd.tensor.ErrorCondition.AXIS_OUT_OF_RANGE;
import static io.sparknd.tensor.ErrorCondition.BAD_GRADIENT;
import static io.sparknd.tensor.ErrorCondition.BRANCH_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.CANNOT_BITCAST;
import static io.sparknd.tensor.ErrorCondition.CANNOT_READ_FILE;
import static io.sparknd.tensor.ErrorCondition.CANNOT_WRITE_FILE;
import static io.sparknd.tensor.ErrorCondition.CATALOG_FAILED;
import static io.sparknd.tensor.ErrorCondition.CATALOG_UNKNOWN;
import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.COMMIT_CONFLICT;
import static io.sparknd.tensor.ErrorCondition.COMMIT_FAILED;
import static io.sparknd.tensor.ErrorCondition.COMMIT_UNKNOWN;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_OVERFLOW;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_TOO_LONG;
import static io.sparknd.tensor.ErrorCondition.DUPLICATE_INDEX;
import static io.sparknd.tensor.ErrorCondition.EMPTY_MINI_BATCHES;
import static io.sparknd.tensor.ErrorCondition.GPU_FAILED;
import static io.sparknd.tensor.ErrorCondition.INDEX_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.INPUT_CHANGED;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARROW_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_BATCH_DIMS;
import static io.sparknd.tensor.ErrorCondition.INVALID_BATCH_ID;
import static io.sparknd.tensor.ErrorCondition.INVALID_BINARY_FORM;
import static io.sparknd.tensor.ErrorCondition.INVALID_ELEMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.INVALID_INDICES;
import static io.sparknd.tensor.ErrorCondition.INVALID_LOOKUP;
import static io.sparknd.tensor.ErrorCondition.INVALID_NPY_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_OPTIMIZER;
import static io.sparknd.tensor.ErrorCondition.INVALID_SAVED_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.INVALID_SAVED_TENSOR;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.INVALID_SHAPE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_PROPERTY;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_SPEC;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_TABLE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorCondition.KERNEL_NOT_AVAILABLE;
import static io.sparknd.tensor.ErrorCondition.NEGATIVE_INDEX;
import static io.sparknd.tensor.ErrorCondition.NOT_A_TENSOR;
import static io.sparknd.tensor.ErrorCondition.NPY_STRING_WIDTH;
import static io.sparknd.tensor.ErrorCondition.NULL_INDEX;
import static io.sparknd.tensor.ErrorCondition.PATH_EXISTS;
import static io.sparknd.tensor.ErrorCondition.PROCEDURE_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.SHAPES_DO_NOT_BROADCAST;
import static io.sparknd.tensor.ErrorCondition.SHAPE_NOT_KNOWN;
import static io.sparknd.tensor.ErrorCondition.SNAPSHOT_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.SNAPSHOT_READ_ONLY;
import static io.sparknd.tensor.ErrorCondition.SPARK_CONNECT_NOT_SUPPORTED;
import static io.sparknd.tensor.ErrorCondition.STATEMENT_FAILED;
import static io.sparknd.tensor.ErrorCondition.TABLE_EXISTS;
import static io.sparknd.tensor.ErrorCondition.TABLE_NOT_CREATED;
import static io.sparknd.tensor.ErrorCondition.TABLE_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.TABLE_OPTION_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.TOO_MANY_ARGUMENTS;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_DTYPE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_CATALOG;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_NPY_FILE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_OPERATOR;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_REDUCTION;
import static io.sparknd.tensor.ErrorCondition.UPDATES_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.VERSION_CLOSED;
import static io.sparknd.tensor.ErrorCondition.WRITER_CLOSED;
import static io.sparknd.tensor.ErrorCondition.WRONG_ELEMENT_COUNT;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Every error that a user of SparkND can meet, in one place. A message states the problem with its
 * values, then why, then what to do.
 *
 * <p>A new error names its {@link ErrorCondition} and the values of its message: {@code
 * attribute(INVALID_SETTING.sub("BAD_THREADS"), "threads is <count>; ...", count)}, values in the
 * order of the names. {@code ErrorConditionsTest} then says how to write it to the list of errors.
 */
public final class NdErrors {
  private NdErrors() {}

  // ---- shapes

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

  public static SparkNdException tooLargeForRow(Shape shape, int width, long limit) {
    return shape(
        TOO_LARGE.sub("TOO_LARGE_FOR_ROW"),
        "a tensor of shape <shape> has <elements> elements of <width> bytes; a value of a row holds at most <limit> bytes with"
            + " its headers, as it is one Java array: take a smaller shape, or keep the tensor as a"
            + " table of slices, as the table function scatter_nd does",
        shape,
        shape.elements(),
        width,
        limit);
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
        "a tensor of shape <from> has <fromElements> elements; it cannot take shape <to> with <toElements>",
        from,
        from.elements(),
        to,
        to.elements());
  }

  // ---- dtypes

  public static SparkNdException unknownDType(String name, String known) {
    return dtype(UNKNOWN_DTYPE, "dtype '<name>' is not known; known are <known>", name, known);
  }

  public static SparkNdException wrongStorage(DType dtype, Object array) {
    return dtype(
        INVALID_ELEMENT.sub("WRONG_STORAGE"),
        "<dtype> is carried in <storage> arrays, not in <found>",
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
        "the bits of <from> are not those of <to>: both must be carried in the same arrays (<fromStorage>, <toStorage>) with"
            + " as many units to an element, and bool can only come from bool",
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

  // ---- indices and updates

  public static SparkNdException updatesShape(
      Shape updates, Shape indices, Shape tensor, Shape needed) {
    return shape(
        UPDATES_MISMATCH.sub("UPDATES_SHAPE"),
        "updates has shape <updates>; indices <indices> into tensor <tensor> needs <needed>",
        updates,
        indices,
        tensor,
        needed);
  }

  public static SparkNdException updatesDType(DType updates, DType tensor) {
    return dtype(
        UPDATES_MISMATCH.sub("UPDATES_DTYPE"),
        "updates is <updates> and the tensor <tensor>; both must be the same",
        updates,
        tensor);
  }

  public static SparkNdException scalarIndices(Shape tensor) {
    return shape(
        INVALID_INDICES.sub("SCALAR_INDICES"),
        "indices is a scalar; indices into tensor <tensor> needs shape [..., depth], such as [n, 1]",
        tensor);
  }

  public static SparkNdException depthOverRank(
      long depth, Shape tensor, Shape indices, int batchDims) {
    return shape(
        INVALID_INDICES.sub("DEPTH_OVER_RANK"),
        "indices has shape <indices>, so each tuple has <depth> values; tensor <tensor> takes at most <limit><batchDims>",
        indices,
        depth,
        tensor,
        tensor.rank() - batchDims,
        batchDims == 0 ? "" : " after " + batchDims + " batch dimensions");
  }

  public static SparkNdException batchDimsOutOfRange(int batchDims, Shape tensor, Shape indices) {
    return shape(
        INVALID_BATCH_DIMS.sub("BATCH_DIMS_OUT_OF_RANGE"),
        "batch_dims is <batchDims>; with indices <indices> and tensor <tensor> it must be from 0 to <limit>",
        batchDims,
        indices,
        tensor,
        Math.min(indices.rank() - 1, tensor.rank()));
  }

  public static SparkNdException batchShapesDiffer(int batchDims, Shape tensor, Shape indices) {
    return shape(
        INVALID_BATCH_DIMS.sub("BATCH_SHAPES_DIFFER"),
        "indices <indices> and tensor <tensor> differ in their first <batchDims> (batch_dims) dimensions: <indicesDims> and <tensorDims>",
        indices,
        tensor,
        batchDims,
        indices.first(batchDims),
        tensor.first(batchDims));
  }

  public static SparkNdException axisOutOfRange(int axis, Shape tensor) {
    return shape(
        AXIS_OUT_OF_RANGE.sub("AXIS_OUT_OF_RANGE"),
        "axis is <axis>; tensor <tensor> has axes from <least> to <most>",
        axis,
        tensor,
        -tensor.rank(),
        tensor.rank() - 1);
  }

  public static SparkNdException axisOfScalar(int axis, Shape tensor) {
    return shape(
        AXIS_OUT_OF_RANGE.sub("AXIS_OF_SCALAR"),
        "dim is <axis>; between tensor <tensor> and indices it must be 0 or -1",
        axis,
        tensor);
  }

  public static SparkNdException elementRanksDiffer(Shape tensor, Shape indices) {
    return shape(
        INVALID_INDICES.sub("ELEMENT_RANKS_DIFFER"),
        "indices <indices> has rank <indicesRank> and tensor <tensor> rank <tensorRank>; element-wise indices need the same rank",
        indices,
        indices.rank(),
        tensor,
        tensor.rank());
  }

  public static SparkNdException elementIndicesTooWide(
      int dimension, int axis, Shape tensor, Shape indices) {
    return shape(
        INVALID_INDICES.sub("ELEMENT_INDICES_TOO_WIDE"),
        "indices <indices> is larger than tensor <tensor> in dimension <dimension>; only axis <axis> may be",
        indices,
        tensor,
        dimension,
        axis);
  }

  public static SparkNdException tooManySlots(Shape indices, long slots) {
    return shape(
        TOO_LARGE.sub("TOO_MANY_SLOTS"),
        "indices <indices> name <slots> slices; a call takes at most <limit>: split it, or give them as a Dataset",
        indices,
        slots,
        Storage.MAX_LENGTH);
  }

  public static SparkNdException indicesNotIntegers(DType dtype) {
    return dtype(
        INVALID_INDICES.sub("INDICES_NOT_INTEGERS"),
        "indices is <dtype>; indices must be integers, such as int64",
        dtype);
  }

  public static SparkNdException badIndex(String position, String tuple, String target) {
    return index(
        INDEX_OUT_OF_BOUNDS,
        "<position> = <tuple> does not index into <target>: correct it, or set bad_indices to 'ignore' or 'clip'",
        position,
        tuple,
        target);
  }

  public static SparkNdException negativeIndex(String position, String tuple, String target) {
    return index(
        NEGATIVE_INDEX,
        "<position> = <tuple> does not index into <target>: correct it, or set negative to 'wrap' to count from the end",
        position,
        tuple,
        target);
  }

  public static SparkNdException duplicateIndex(String position, String first) {
    return index(
        DUPLICATE_INDEX.sub("DUPLICATE_INDEX"),
        "<position> names the same slice as <first>; keep one of them, or set duplicates to 'in_order'",
        position,
        first);
  }

  public static SparkNdException reductionNotDefined(String reduction, DType dtype) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("REDUCTION_NOT_DEFINED"),
        "<reduction> is not defined for <dtype>",
        reduction,
        dtype);
  }

  public static SparkNdException fillInScatter() {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("FILL_IN_SCATTER"),
        "bad_indices 'fill' is for gathers; a scatter takes 'error', 'ignore' or 'clip'");
  }

  public static SparkNdException badThreads(int count) {
    return attribute(
        INVALID_SETTING.sub("BAD_THREADS"), "threads is <count>; kernels run on 1 or more", count);
  }

  // ---- cluster

  public static SparkNdException badPartitioning(int partitions, int blockBytes) {
    return attribute(
        INVALID_SETTING.sub("BAD_PARTITIONING"),
        "partitions is <partitions> and block bytes <blockBytes>; both must be 0 (chosen by size) or more",
        partitions,
        blockBytes);
  }

  public static SparkNdException tooManyBlocks(Shape shape, int partitions, long blocks) {
    return attribute(
        TOO_LARGE.sub("TOO_MANY_BLOCKS"),
        "tensor <shape> has <blocks> blocks, too many for <partitions> partitions: use more partitions or larger blocks",
        shape,
        blocks,
        partitions);
  }

  public static SparkNdException duplicateSlice(String tuple) {
    return index(
        DUPLICATE_INDEX.sub("DUPLICATE_SLICE"),
        "index <tuple> is named more than once; keep one of its rows, or set duplicates to 'in_order'",
        tuple);
  }

  public static SparkNdException rowOutsideTensor(String position, String tuple, String target) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("ROW_OUTSIDE_TENSOR"),
        "<position> = <tuple> does not index into <target>: correct the row, or give the tensor a larger shape",
        position,
        tuple,
        target);
  }

  public static SparkNdException rowsOfOneSlice(String tensor, String tuple) {
    return index(
        DUPLICATE_INDEX.sub("ROWS_OF_ONE_SLICE"),
        "<tensor> has more than one row of index <tuple>: keep one of them",
        tensor,
        tuple);
  }

  // ---- kernels

  public static SparkNdException reductionNotDefined(
      Object reduction, DType dtype, String defined) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("REDUCTION_NOT_DEFINED_OF"),
        "<reduction> is not defined for <dtype>; defined are <defined>",
        reduction,
        dtype,
        defined);
  }

  public static SparkNdException unknownKernel(String name, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_KERNEL"),
        "kernel '<name>' is not known; known are <known>",
        name,
        known);
  }

  public static SparkNdException kernelNeedsModule(String name, String module) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_NEEDS_MODULE"),
        "kernel '<name>' needs the module <module>, which this JVM was started without: start it with"
            + " --add-modules=<module>, or take kernel 'auto' or 'scalar'",
        name,
        module,
        module);
  }

  public static SparkNdException kernelCannotRun(String name, String why) {
    return attribute(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_CANNOT_RUN"),
        "kernel '<name>' cannot run here: <why>; take kernel 'auto'",
        name,
        why);
  }

  public static SparkNdException kernelNotInstalled(String name, String jar) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_NOT_INSTALLED"),
        "kernel '<name>' is in the jar <jar>, which is not on the class path: add it, or take kernel"
            + " 'auto', 'vector' or 'scalar'",
        name,
        jar);
  }

  public static SparkNdException libraryMissing(String library) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("LIBRARY_MISSING"),
        "the native library <library> is not in this jar: it was built without nvcc",
        library);
  }

  public static SparkNdException libraryNotLoaded(Throwable cause, String library) {
    return failedState(
        cause,
        KERNEL_NOT_AVAILABLE.sub("LIBRARY_NOT_LOADED"),
        "the native library <library> cannot be loaded: <reason>; it needs Linux on x86-64 with glibc 2.34 or"
            + " later, and a temporary directory that libraries may be loaded from",
        library,
        cause.getMessage());
  }

  public static SparkNdException deviceFailed(String function, int error) {
    return state(
        GPU_FAILED.sub("DEVICE_FAILED"),
        "CUDA failed with error <error> in <function>; the GPU's process has to be started again",
        error,
        function);
  }

  public static SparkNdException oneGpuPerExecutor(int used, int asked) {
    return state(
        GPU_FAILED.sub("ONE_GPU_PER_EXECUTOR"),
        "a task was given GPU <asked> in an executor that uses GPU <used>: give an executor one GPU"
            + " (spark.executor.resource.gpu.amount=1)",
        asked,
        used);
  }

  public static SparkNdException badGpuAddress(String address) {
    return attribute(
        INVALID_SETTING.sub("BAD_GPU_ADDRESS"),
        "the address of a GPU is '<address>'; it must be its number, as nvidia-smi counts",
        address);
  }

  // ---- files

  public static SparkNdException unreadableFile(String source, IOException cause) {
    return cause instanceof NoSuchFileException
        ? file(CANNOT_READ_FILE.sub("FILE_NOT_FOUND"), "there is no file <source>", source)
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
            "<target> cannot be written: there is no such directory; make it",
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

  // ---- .npy files

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
        "<source> is a zip archive, maybe .npz, not an .npy file: unzip it, and read the .npy files in it",
        source);
  }

  public static SparkNdException npyVersion(String source, int major, int minor) {
    return file(
        INVALID_NPY_FILE.sub("VERSION"),
        "<source> has .npy format version <major>.<minor>; known are 1.0, 2.0 and 3.0",
        source,
        major,
        minor);
  }

  public static SparkNdException npyTruncated(
      String source, String what, long expected, long found) {
    return file(
        INVALID_NPY_FILE.sub("TRUNCATED"),
        "<source> is truncated: <what> should have <expected> bytes, and <found> are there",
        source,
        what,
        expected,
        found);
  }

  public static SparkNdException npyHeaderTooLong(String source, long length, int most) {
    return file(
        INVALID_NPY_FILE.sub("HEADER_TOO_LONG"),
        "<source> claims an .npy header of <length> bytes; more than <most> are not believed",
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
      String source, String key, String expected, Object found) {
    return file(
        INVALID_NPY_FILE.sub("VALUE"),
        "<source> has a malformed .npy header: <key> is <found>, not <expected>",
        source,
        key,
        brief(found.toString()),
        expected);
  }

  public static SparkNdException npyShape(String source, SparkNdException cause) {
    return failedFile(
        cause,
        INVALID_NPY_FILE.sub("SHAPE"),
        "<source> has an .npy header that no tensor fits: <reason>",
        source,
        brief(cause.getMessage(), 200));
  }

  public static SparkNdException npyTooManyBytes(String source, Shape shape, String descr) {
    return file(
        INVALID_NPY_FILE.sub("TOO_MANY_BYTES"),
        "<source> has an .npy header that no file fits: shape <shape> of <descr> is more than 2^63 - 1 bytes",
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
        "<source> holds times ('<descr>'), which are no dtype of a tensor: save array.view('i8') instead",
        source,
        brief(descr));
  }

  public static SparkNdException npyOpaque(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("OPAQUE"),
        "<source> says of its elements only how many bytes they have ('<descr>'); ml_dtypes saves bfloat16 so:"
            + " name the dtype to read it as, such as DType.BFLOAT16",
        source,
        brief(descr));
  }

  public static SparkNdException npyUnknownDescr(String source, String descr) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("UNKNOWN_DESCR"),
        "<source> has dtype '<descr>', which no tensor has; known are b1, i1, i2, i4, i8, u1, u2, u4, u8, f2,"
            + " f4, f8, c8, c16, U and S: convert it with array.astype",
        source,
        brief(descr));
  }

  public static SparkNdException npyCannotReadAs(String source, String descr, DType as) {
    return file(
        UNSUPPORTED_NPY_FILE.sub("CANNOT_READ_AS"),
        "<source> has dtype '<descr>', which cannot be read as <as>: that takes elements of other bytes",
        source,
        brief(descr),
        as);
  }

  public static SparkNdException npyNotUtf8(
      String source, String what, CharacterCodingException cause) {
    return failedFile(
        cause,
        INVALID_NPY_FILE.sub("NOT_UTF8"),
        "<source> is malformed: <what> is not UTF-8 (<reason>); strings in another encoding are to be saved with"
            + " dtype U",
        source,
        what,
        cause.getMessage());
  }

  public static SparkNdException npyBadCodePoint(String source, int codePoint) {
    return file(
        INVALID_NPY_FILE.sub("BAD_CODE_POINT"),
        "<source> is malformed: a string has code point <codePoint>; the last is 0x0010ffff",
        source,
        String.format("0x%08x", codePoint));
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
        "an .npy file cannot hold strings of width <width>; 0 to <limit> can be",
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

  // ---- Arrow

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
        "the Arrow stream is closed and takes no more values: write another");
  }

  public static SparkNdException arrowTextTooLong(int cell) {
    return shape(
        TOO_LARGE.sub("ARROW_TEXT_TOO_LONG"),
        "the strings of one record batch, of rows of <cell> each, pass 2^31 - 1 bytes of UTF-8, the most"
            + " that Arrow's offsets reach: reshape to smaller rows",
        cell);
  }

  public static SparkNdException notUnicode(String string) {
    return dtype(
        INVALID_ELEMENT.sub("NOT_UNICODE"),
        "string '<string>' has a surrogate without its partner, which UTF-8 cannot carry: repair it first",
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
        "<source> asks for more memory than this JVM has, <reason>: it is damaged, or read it where there is"
            + " more",
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
        "column '<column>' of <source> has elements of Arrow type <type>, which is no dtype's: cast it first",
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
        "<source> declares a tensor of shape <declared> and has <rows> rows of shape <cell>: it was cut, or its rows were"
            + " changed without the metadata sparknd.shape",
        source,
        declared,
        rows,
        cell);
  }

  public static SparkNdException depthOutOfRange(int depth, Shape shape) {
    return attribute(
        INVALID_SETTING.sub("DEPTH_OUT_OF_RANGE"),
        "depth is <depth>; rows of tensor <shape> take 0 to <rank> index columns",
        depth,
        shape,
        shape.rank());
  }

  public static SparkNdException sliceTooLargeForRow(Shape slice, DType dtype) {
    return shape(
        TOO_LARGE.sub("SLICE_TOO_LARGE_FOR_ROW"),
        "a slice of shape <slice> of <dtype> passes 2 GiB, more than a row can hold: use more index columns",
        slice,
        dtype);
  }

  public static SparkNdException noSuchColumn(String column, String columns) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_SUCH_COLUMN"),
        "column '<column>' is not among <columns>",
        column,
        columns);
  }

  public static SparkNdException columnsHalfNamed(String table, String columns, String tensor) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("COLUMNS_HALF_NAMED"),
        "table '<table>' has columns <columns>, and the tensor has columns <tensor>: which is for what"
            + " is not plain by these names; name the columns with index_columns => array('...') and"
            + " value_column => '...'",
        table,
        columns,
        tensor);
  }

  public static SparkNdException valueIsPartitionColumn(
      String column, String table, String columns) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("VALUE_IS_PARTITION_COLUMN"),
        "column '<column>' is the last of <columns> of '<table>' because its files are partitioned"
            + " by it; name the value with value_column, and the indices with index_columns",
        column,
        columns,
        table);
  }

  public static SparkNdException columnTaken(String column) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_TAKEN"),
        "the indices already have a column '<column>', which the gather adds: rename it first",
        column);
  }

  public static SparkNdException indexColumnNotInteger(String column, String type) {
    return dtype(
        INVALID_INDICES.sub("INDEX_COLUMN_NOT_INTEGER"),
        "index column '<column>' is <type>; indices must be tinyint, smallint, int or bigint",
        column,
        type);
  }

  public static SparkNdException indexRowsChanged() {
    return state(
        INPUT_CHANGED.sub("INDEX_ROWS_CHANGED"),
        "an index row is not among those that the gather has checked: what they are read from gives"
            + " others each time; checkpoint or save them first");
  }

  public static SparkNdException tooLargeToBroadcast(String what, long most) {
    return state(
        TOO_LARGE.sub("TOO_LARGE_TO_BROADCAST"),
        "<what> cannot be broadcast, by spark.driver.maxResultSize = <most> bytes: raise it, or take another"
            + " strategy, such as shuffle_indices",
        what,
        most);
  }

  public static SparkNdException valueColumnType(
      String column, String type, DType dtype, Shape slice, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("VALUE_COLUMN_TYPE"),
        "value column '<column>' is <type>; slices of shape <slice> of a <dtype> tensor need <wanted>: cast it",
        column,
        type,
        slice,
        dtype,
        wanted);
  }

  public static SparkNdException nullIndex(String row, String column) {
    return index(
        NULL_INDEX,
        "<row> has a null in index column '<column>'; filter such rows out first",
        row,
        column);
  }

  public static SparkNdException badValue(String row, String tuple, String problem) {
    return shape(
        INVALID_TENSOR_VALUE.sub("BAD_VALUE"),
        "the value at <tuple>, <row>, <problem>: correct the row, or filter it out",
        tuple,
        row,
        problem);
  }

  public static SparkNdException tableChanged(int partition) {
    return state(
        INPUT_CHANGED.sub("TABLE_CHANGED"),
        "partition <partition> of the table has other rows than when it was first read: read the table again,"
            + " and let nobody write to it meanwhile",
        partition);
  }

  public static SparkNdException versionGivenBack(Throwable cause) {
    return failedState(
        cause,
        INPUT_CHANGED.sub("VERSION_GIVEN_BACK"),
        "blocks that this call needs are gone: close() was called on the version that has them, or"
            + " the executors that held them were lost; close a version after its last use, and set"
            + " spark.checkpoint.dir to have versions outlive executors");
  }

  public static SparkNdException versionClosed(String version) {
    return state(VERSION_CLOSED, "<version> was closed: close it after its last use", version);
  }

  public static SparkNdException notClassicSpark(String name) {
    return state(
        SPARK_CONNECT_NOT_SUPPORTED,
        "<name> is a Spark Connect class; the Java API runs inside the Spark driver",
        name);
  }

  public static SparkNdException directoryInTheWay(String directory) {
    return file(
        PATH_EXISTS.sub("DIRECTORY_IN_THE_WAY"),
        "<directory> is not empty; save to a new directory",
        directory);
  }

  public static SparkNdException notASavedTensor(String directory, Exception cause) {
    return failedFile(
        cause,
        INVALID_SAVED_TENSOR.sub("NOT_A_SAVED_TENSOR"),
        "<directory> holds no saved tensor: no readable tensor.json of this version",
        directory);
  }

  public static SparkNdException fileElsewhere(String directory, String name) {
    return file(
        INVALID_SAVED_TENSOR.sub("FILE_ELSEWHERE"),
        "<directory> names a file '<name>', which is not in it; names of its files have no / and no :",
        directory,
        name);
  }

  public static SparkNdException damagedBlocks(String file) {
    return file(
        INVALID_SAVED_TENSOR.sub("DAMAGED_BLOCKS"),
        "<file> is damaged: its blocks do not match their checksums or its index",
        file);
  }

  // ---- files of tensor tables

  public static SparkNdException unreadableTableFile(String file, Throwable cause) {
    return failedFile(
        cause,
        INVALID_TABLE_FILE.sub("UNREADABLE_TABLE_FILE"),
        "<file> cannot be read as Parquet: <reason>; if it is damaged, restore it or roll the table back",
        file,
        reason(cause));
  }

  public static SparkNdException damagedPages(
      String file, String column, int group, Throwable cause) {
    return failedFile(
        cause,
        INVALID_TABLE_FILE.sub("DAMAGED_PAGES"),
        "<file>: column <column> of row group <group> cannot be read: <reason>; if the file is damaged, restore it or"
            + " roll the table back",
        file,
        column,
        group,
        reason(cause));
  }

  public static SparkNdException unwritableTableFile(String file, Throwable cause) {
    return failedFile(
        cause,
        CANNOT_WRITE_FILE.sub("UNWRITABLE_TABLE_FILE"),
        "<file> cannot be written, and its table is as it was: <reason>; <remedy>",
        file,
        reason(cause),
        remedy(cause));
  }

  public static SparkNdException noFileColumn(String file, String column, List<String> columns) {
    return file(
        INVALID_TABLE_FILE.sub("NO_FILE_COLUMN"),
        "<file> has no column <column>; its columns are <columns>, so it was not written for this tensor",
        file,
        column,
        columns);
  }

  public static SparkNdException wrongFileColumn(
      String file, String column, String found, String needed) {
    return dtype(
        INVALID_TABLE_FILE.sub("WRONG_FILE_COLUMN"),
        "<file> has column <column> as <found>, and the tensor needs <needed>: write the file with the table's schema",
        file,
        column,
        found,
        needed);
  }

  public static SparkNdException tooManyRowsInFile(String file, long rows) {
    return file(
        TOO_LARGE.sub("TOO_MANY_ROWS_IN_FILE"),
        "<file> has <rows> rows; a file of a tensor has at most <limit>: rewrite it as several",
        file,
        rows,
        Storage.MAX_LENGTH);
  }

  public static SparkNdException badIndexInFile(
      String file, int row, String column, long index, Shape outer) {
    return index(
        INVALID_TABLE_FILE.sub("BAD_INDEX_IN_FILE"),
        "<file>: <column> = <index> in row <row> does not index into <outer>: delete the row or correct it",
        file,
        column,
        index,
        row,
        outer);
  }

  public static SparkNdException nullInFile(String file, String row, String column) {
    return dtype(
        INVALID_TABLE_FILE.sub("NULL_IN_FILE"),
        "<file>: row <row> of column <column> is null or has a null in it; a tensor has none: update it to a"
            + " value",
        file,
        row,
        column);
  }

  public static SparkNdException wrongLengthInFile(
      String file, String row, String column, long found, Shape slice) {
    return shape(
        INVALID_TABLE_FILE.sub("WRONG_LENGTH_IN_FILE"),
        "<file>: row <row> of column <column> has <found> elements; the tensor's slices <slice> need <needed>: correct the row",
        file,
        row,
        column,
        found,
        slice,
        slice.elements());
  }

  public static SparkNdException raggedInFile(String file, String row, String column, Shape slice) {
    return shape(
        INVALID_TABLE_FILE.sub("RAGGED_IN_FILE"),
        "<file>: row <row> of column <column> is not nested as the tensor's slices <slice>: correct the row",
        file,
        row,
        column,
        slice);
  }

  public static SparkNdException wrongBytesInFile(
      String file, String row, String column, int found, int needed) {
    return shape(
        INVALID_TABLE_FILE.sub("WRONG_BYTES_IN_FILE"),
        "<file>: row <row> of column <column> has <found> bytes; the tensor's slices need <needed>: correct the row",
        file,
        row,
        column,
        found,
        needed);
  }

  public static SparkNdException wrongElementInFile(
      String file, String row, String column, Object value, DType dtype) {
    return dtype(
        INVALID_TABLE_FILE.sub("WRONG_ELEMENT_IN_FILE"),
        "<file>: row <row> of column <column> holds <value>, which is no <dtype>: correct the row",
        file,
        row,
        column,
        value,
        dtype);
  }

  public static SparkNdException unknownCodec(String property, String codec, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_CODEC"),
        "<property> = '<codec>' is not known; known are <known>",
        property,
        codec,
        known);
  }

  public static SparkNdException badTableProperty(String property, String value, String needed) {
    return attribute(
        INVALID_TABLE_PROPERTY, "<property> = '<value>' is not <needed>", property, value, needed);
  }

  // ---- named operators

  public static SparkNdException unknownWord(String what, String word, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_WORD"),
        "<what> '<word>' is not known; known are <known>",
        what,
        word,
        known);
  }

  public static SparkNdException badSize(String setting, String value) {
    return attribute(
        INVALID_SETTING.sub("BAD_SIZE"),
        "<setting> = '<value>' is neither auto nor a number of bytes, such as 16m",
        setting,
        value);
  }

  public static SparkNdException badByteCount(String setting, String value) {
    return attribute(
        INVALID_SETTING.sub("BAD_BYTE_COUNT"),
        "<setting> = '<value>' is not a number of bytes, such as 8g",
        setting,
        value);
  }

  public static SparkNdException notOffered(String operator, String what, String known) {
    return attribute(
        UNSUPPORTED_OPERATOR.sub("NOT_OFFERED"),
        "<operator> has no <what>; it has <known>",
        operator,
        what,
        known);
  }

  public static SparkNdException needsOpset(String what, int needed, int opset) {
    return attribute(
        UNSUPPORTED_OPERATOR.sub("NEEDS_OPSET"),
        "<what> needs opset <needed>; opset is <opset>",
        what,
        needed,
        opset);
  }

  public static SparkNdException endedBeforeOpset(
      String operator, int last, int opset, String instead) {
    return attribute(
        UNSUPPORTED_OPERATOR.sub("ENDED_BEFORE_OPSET"),
        "<operator> ends with opset <last>; opset is <opset>: use <instead>",
        operator,
        last,
        opset,
        instead);
  }

  public static SparkNdException indicesDType(String operator, DType indices, String taken) {
    return dtype(
        INVALID_INDICES.sub("INDICES_DTYPE"),
        "<operator> takes <taken> indices; indices is <indices>",
        operator,
        taken,
        indices);
  }

  public static SparkNdException doesNotBroadcast(Shape from, Shape to) {
    return shape(
        SHAPES_DO_NOT_BROADCAST,
        "shape <from> does not broadcast to <to>; from the last dimension backwards each must be equal"
            + " or 1",
        from,
        to);
  }

  public static SparkNdException noComponents() {
    return shape(
        INVALID_INDICES.sub("NO_COMPONENTS"),
        "no index components given; index tuples need at least one");
  }

  public static SparkNdException sourceTooSmall(Shape source, Shape index) {
    return shape(
        UPDATES_MISMATCH.sub("SOURCE_TOO_SMALL"),
        "src has shape <source>; index <index> needs the same rank, and at least its size in every dimension",
        source,
        index);
  }

  public static SparkNdException indexNotVector(Shape index) {
    return shape(
        INVALID_INDICES.sub("INDEX_NOT_VECTOR"),
        "index has shape <index>; index_add needs a vector or a scalar",
        index);
  }

  public static SparkNdException alphaDoesNotApply(Number alpha, DType dtype) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("ALPHA_DOES_NOT_APPLY"),
        "alpha <alpha> does not scale <dtype> values",
        alpha,
        dtype);
  }

  // ---- SQL

  public static SparkNdException unknownArgument(String function, String name, List<String> known) {
    return attribute(
        UNKNOWN_ARGUMENT.sub("UNKNOWN_ARGUMENT"),
        "<function> has no argument '<name>'; it has <known>",
        function,
        name,
        String.join(", ", known));
  }

  public static SparkNdException argumentTwice(String function, String name) {
    return attribute(
        UNKNOWN_ARGUMENT.sub("ARGUMENT_TWICE"),
        "argument '<name>' of <function> is given twice",
        name,
        function);
  }

  public static SparkNdException tooManyArguments(String function, int given, List<String> known) {
    return attribute(
        TOO_MANY_ARGUMENTS,
        "<function> is given <given> arguments; it has <count>: <known>",
        function,
        given,
        known.size(),
        String.join(", ", known));
  }

  public static SparkNdException argumentNotTable(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("ARGUMENT_NOT_TABLE"),
        "<function> needs a table or query as its argument '<name>': write TABLE(name) or TABLE(SELECT ...)",
        function,
        name);
  }

  /** {@code sql} is shown as it stands, which has per cent signs where SQL has. */
  public static SparkNdException argumentNotConstant(String function, String name, String sql) {
    return attribute(
        ARGUMENT_NOT_CONSTANT.sub("ARGUMENT_NOT_CONSTANT"),
        "argument '<name>' of <function> is <sql>; it must be a constant, known before the query runs",
        name,
        function,
        sql);
  }

  public static SparkNdException wrongConstant(
      String function, String name, Object value, String wanted) {
    return attribute(
        INVALID_ARGUMENT.sub("WRONG_CONSTANT"),
        "argument '<name>' of <function> is <value>; it takes <wanted>",
        name,
        function,
        value,
        wanted);
  }

  public static SparkNdException constantFails(
      String function, String name, String sql, Throwable cause) {
    return attribute(
        INVALID_ARGUMENT.sub("CONSTANT_FAILS"),
        "argument '<name>' of <function> is <sql>, which has no value: <reason>",
        name,
        function,
        sql,
        reason(cause));
  }

  public static SparkNdException tableArgumentPartitioned(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("TABLE_ARGUMENT_PARTITIONED"),
        "argument '<name>' of <function> has PARTITION BY, ORDER BY or WITH SINGLE PARTITION, which mean nothing"
            + " here: the whole table is one tensor; give order_by => 'column' to order updates",
        name,
        function);
  }

  public static SparkNdException tableArgumentCorrelated(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("TABLE_ARGUMENT_CORRELATED"),
        "argument '<name>' of <function> depends on the query around it; a tensor is one table for all rows",
        name,
        function);
  }

  public static SparkNdException streamingTable(String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("STREAMING_TABLE"),
        "table '<name>' is a stream; a tensor needs all of its rows: use foreachBatch",
        name);
  }

  public static SparkNdException noValueColumn(String name) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_VALUE_COLUMN"),
        "table '<name>' has no columns; it needs index columns and a value column, last",
        name);
  }

  public static SparkNdException tableHasNoShape(String name, String columns) {
    return shape(
        SHAPE_NOT_KNOWN.sub("TABLE_HAS_NO_SHAPE"),
        "the shape of the tensor is not known: give shape => array(...), or set the property"
            + " sparknd.shape of table '<name>' with columns <columns>",
        name,
        columns);
  }

  public static SparkNdException tooFewIndexColumns(String name, String columns, int depth) {
    return attribute(
        COLUMN_NOT_FOUND.sub("TOO_FEW_INDEX_COLUMNS"),
        "table '<name>' has columns <columns>; the first <depth> have to be index columns, as params has so many",
        name,
        columns,
        depth);
  }

  public static SparkNdException batchDimsOutOfRange(int batchDims, int depth) {
    return attribute(
        INVALID_BATCH_DIMS.sub("BATCH_DIMS_OVER_INDEX_COLUMNS"),
        "batch_dims is <batchDims>; of <depth> index columns it can be 0 to <depth>",
        batchDims,
        depth,
        depth);
  }

  public static SparkNdException ambiguousColumn(String column, String columns) {
    return attribute(
        AMBIGUOUS_COLUMN,
        "column '<column>' is several of <columns>: rename them in a query",
        column,
        columns);
  }

  public static SparkNdException argumentMissing(String procedure, String name) {
    return attribute(
        INVALID_ARGUMENT.sub("ARGUMENT_MISSING"),
        "procedure <procedure> needs its argument '<name>', which is NULL",
        procedure,
        name);
  }

  public static SparkNdException indexColumnsAndDepth(List<String> columns, long depth) {
    return attribute(
        INVALID_ARGUMENT.sub("INDEX_COLUMNS_AND_DEPTH"),
        "index_columns names <columns>, and index_depth is <depth>: leave one of the two out",
        columns,
        depth);
  }

  public static SparkNdException noSuchProcedure(String catalog, String name, List<String> known) {
    return attribute(
        PROCEDURE_NOT_FOUND,
        "catalog <catalog> has no procedure <name>; it has <known>",
        catalog,
        name,
        String.join(", ", known));
  }

  public static SparkNdException shapeOfAnotherRank(
      Shape shape, String table, List<String> indices, String column, String type, int rank) {
    return shape(
        INVALID_SHAPE.sub("SHAPE_OF_ANOTHER_RANK"),
        "shape <shape> has <dimensions> dimensions, and table '<table>' is of a tensor of <rank>: index columns <indices> and"
            + " value column '<column>' of type <type>; give the shape all dimensions, or name the"
            + " columns with index_columns and value_column",
        shape,
        shape.rank(),
        table,
        rank,
        indices,
        column,
        type);
  }

  public static SparkNdException noDTypeFor(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("NO_DTYPE_FOR"),
        "value column '<column>' is <type>, which is no type of a tensor's elements: cast it to a boolean, an"
            + " integer, float, double or string, or to arrays of them, which nd_decode makes of binary"
            + " values",
        column,
        type);
  }

  public static SparkNdException decimalColumnType(
      String column, String type, Shape slice, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("DECIMAL_COLUMN_TYPE"),
        "value column '<column>' is <type>; slices of shape <slice> of this tensor of decimals need <wanted>, or a type"
            + " that every value of keeps in it: cast it",
        column,
        type,
        slice,
        wanted);
  }

  public static SparkNdException decimalReduction(String reduction, String type) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("DECIMAL_REDUCTION"),
        "<reduction> of <type> is not offered, as its results have more digits than the type: cast the values to"
            + " double",
        reduction,
        type);
  }

  public static SparkNdException decimalsNotCompared(String reduction, String type, int scale) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("DECIMALS_NOT_COMPARED"),
        "<reduction> of <type> is not offered, as decimals of more than 18 digits do not fit one int64: cast the"
            + " values to decimal(18, <scale>) or double",
        reduction,
        type,
        Math.min(scale, 18));
  }

  public static SparkNdException decimalFill(String value, String type) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMAL_FILL"),
        "fill value <value> is no <type> of at most 18 digits: a tensor of such decimals takes one that is,"
            + " without rounding, and one of more digits takes 0 only",
        value,
        type);
  }

  public static SparkNdException decimalSumTooLong(long updates, String type) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMAL_SUM_TOO_LONG"),
        "<updates> updates of <type> may add up to more than 18 digits on the way: cast the values to fewer"
            + " digits, or to double",
        updates,
        type);
  }

  public static SparkNdException decimalsNotAggregated(String type, int scale) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMALS_NOT_AGGREGATED"),
        "scatter_nd_agg adds up decimals of at most 9 digits, as a group may have any number of"
            + " rows, not <type>: cast the value to decimal(9, <scale>), or to double",
        type,
        scale);
  }

  public static SparkNdException decimalElementOverflow(BigDecimal value, String type) {
    return dtype(
        DECIMAL_OVERFLOW.sub("DECIMAL_ELEMENT_OVERFLOW"),
        "an element of the result is <value>, which does not fit <type>: cast the tensor to more digits"
            + " first",
        value.toPlainString(),
        type);
  }

  public static SparkNdException decimalTooLong(String argument, String type) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMAL_TOO_LONG"),
        "<argument> is <type>; tensors in rows take decimals of at most 18 digits: cast it to these, or to"
            + " double",
        argument,
        type);
  }

  public static SparkNdException decimalOverflow(
      String column, long[] index, BigDecimal value, String type) {
    return dtype(
        DECIMAL_OVERFLOW.sub("DECIMAL_OVERFLOW"),
        "slice <index> of '<column>' has an element that is <value>, which does not fit <type>: cast the column to more"
            + " digits first",
        Arrays.toString(index),
        column,
        value.toPlainString(),
        type);
  }

  // ---- demo

  public static SparkNdException noClassesAsked(int classes) {
    return attribute(
        INVALID_SETTING.sub("NO_CLASSES_ASKED"),
        "--classes is <classes>; the counts need at least one class along each side",
        classes);
  }

  // ---- command line

  public static SparkNdException noSuchFile(Path path) {
    return file(CANNOT_READ_FILE.sub("NO_SUCH_FILE"), "there is no file or directory <path>", path);
  }

  public static SparkNdException notADirectory(Path path) {
    return file(
        CANNOT_READ_FILE.sub("NOT_A_DIRECTORY"),
        "<path> is not a directory; name one that is there",
        path);
  }

  public static SparkNdException fileInTheWay(Path path) {
    return file(
        PATH_EXISTS.sub("FILE_IN_THE_WAY"),
        "<path> is a file; a tensor is saved to a new directory, .npy or .arrow",
        path);
  }

  public static SparkNdException savedNeedsCluster(Path path) {
    return attribute(
        INVALID_SETTING.sub("SAVED_NEEDS_CLUSTER"),
        "<path> is a directory of blocks, which the engine 'local' neither reads nor writes: take engine"
            + " 'cluster', or an .npy file",
        path);
  }

  public static SparkNdException notAShape(String text) {
    return shape(
        INVALID_SHAPE.sub("NOT_A_SHAPE"),
        "'<text>' is not a shape; write dimensions with commas between, such as 8,64",
        text);
  }

  public static SparkNdException fillNeedsValue(String bad) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("FILL_NEEDS_VALUE"),
        "bad indices are '<bad>'; 'fill' needs a fill value, and nothing else takes one",
        bad);
  }

  public static SparkNdException noSuchExample(String name, List<String> known) {
    return attribute(
        INVALID_SETTING.sub("NO_SUCH_EXAMPLE"),
        "example '<name>' is not known; known are <known>",
        name,
        String.join(", ", known));
  }

  public static SparkNdException tooFewDays(int days, int least) {
    return attribute(
        INVALID_SETTING.sub("TOO_FEW_DAYS"),
        "<days> days are too few for the example; it takes <least> or more",
        days,
        least);
  }

  public static SparkNdException exampleDirectory(String directory) {
    return attribute(
        PATH_EXISTS.sub("EXAMPLE_DIRECTORY"),
        "<directory> is there already, and the example would write into it: remove it, or give another with"
            + " --dir",
        directory);
  }

  /** {@code problem} is shown as it stands, which has per cent signs where SQL has. */
  public static SparkNdException statementFailed(
      int number, int statements, String problem, Throwable cause) {
    String place = statements == 1 ? "" : "statement " + number + " of " + statements + ": ";
    return failedState(cause, STATEMENT_FAILED, "<place><problem>", place, problem);
  }

  // ---- scalar SQL functions

  public static SparkNdException notATensor(String argument, String type) {
    return dtype(
        NOT_A_TENSOR.sub("NOT_A_TENSOR"),
        "<argument> is <type>, which is no tensor: that is an array, nested as deep as the rank, or"
            + " <struct>, of boolean, tinyint, smallint, int,"
            + " bigint, float, double, decimal or string",
        argument,
        type,
        "struct<shape: array<bigint>, values: array<T>>");
  }

  public static SparkNdException notIndices(String argument, String type) {
    return dtype(
        INVALID_INDICES.sub("NOT_INDICES"),
        "<argument> is <type>; it must hold tinyint, smallint, int or bigint values",
        argument,
        type);
  }

  public static SparkNdException cannotCast(
      String argument, String type, String target, String needed) {
    return dtype(
        NOT_A_TENSOR.sub("CANNOT_CAST"),
        "<argument> is <type> and <target> holds <needed> values, to which Spark does not cast these by itself: cast them",
        argument,
        type,
        target,
        needed);
  }

  public static SparkNdException updatesRank(
      String updates, String indices, String target, int rank, int least, int most) {
    return shape(
        UPDATES_MISMATCH.sub("UPDATES_RANK"),
        "updates is <updates>; indices <indices> into <target> of rank <rank> needs updates of rank <least><most>",
        updates,
        indices,
        target,
        rank,
        least,
        most == least ? "" : " to " + most);
  }

  public static SparkNdException unknownDepth(String params, String indices, String choices) {
    return shape(
        INVALID_INDICES.sub("UNKNOWN_DEPTH"),
        "how deep <indices> reaches into <params>, and so the type of the result, follows from the number of"
            + " values in each tuple, which only the rows say: pass depth => <choices>",
        indices,
        params,
        choices);
  }

  public static SparkNdException depthDiffers(int depth, Shape indices) {
    return shape(
        INVALID_INDICES.sub("DEPTH_DIFFERS"),
        "indices has shape <indices>, so each tuple has <tupleLength> values; depth is <depth>",
        indices,
        indices.dim(indices.rank() - 1),
        depth);
  }

  public static SparkNdException depthOverRankOf(int depth, String params, int most) {
    return shape(
        INVALID_INDICES.sub("DEPTH_OVER_RANK_OF"),
        "depth is <depth>; params <params> takes at most <most> here",
        depth,
        params,
        most);
  }

  public static SparkNdException batchDimsOutOfRank(int batchDims, String params, String indices) {
    return shape(
        INVALID_BATCH_DIMS.sub("BATCH_DIMS_OUT_OF_RANK"),
        "batch_dims is <batchDims>; params <params> and indices <indices> do not both have as many dimensions before"
            + " their tuples",
        batchDims,
        params,
        indices);
  }

  public static SparkNdException elementTypesDiffer(String indices, String data) {
    return shape(
        INVALID_INDICES.sub("ELEMENT_TYPES_DIFFER"),
        "indices is <indices> and data <data>; element-wise indices need the same rank",
        indices,
        data);
  }

  public static SparkNdException axisOutOfRank(int axis, String data, int rank) {
    return shape(
        AXIS_OUT_OF_RANGE.sub("AXIS_OUT_OF_RANK"),
        "axis is <axis>; data <data> has axes from <least> to <most>",
        axis,
        data,
        -rank,
        rank - 1);
  }

  public static SparkNdException unknownRank(String argument, String function) {
    return shape(
        SHAPE_NOT_KNOWN.sub("UNKNOWN_RANK"),
        "the length of <argument>, and so the type of what <function> gives, is known only to the rows: write it as"
            + " array(...), or use structs (shape, values)",
        argument,
        function);
  }

  public static SparkNdException notConstant(String argument, String sql) {
    return attribute(
        ARGUMENT_NOT_CONSTANT.sub("NOT_CONSTANT"),
        "<argument> is <sql>; it must be a constant and not NULL",
        argument,
        sql);
  }

  public static SparkNdException notBytes(String argument, String type) {
    return dtype(
        INVALID_ARGUMENT.sub("NOT_BYTES"),
        "<argument> is <type>; it must be binary",
        argument,
        type);
  }

  public static SparkNdException stringsHaveNoBytes() {
    return dtype(
        INVALID_BINARY_FORM.sub("STRINGS_HAVE_NO_BYTES"),
        "elements of dtype 'string' have no fixed width, and so no binary form");
  }

  public static SparkNdException notWholeElements(int bytes, DType dtype) {
    return shape(
        INVALID_BINARY_FORM.sub("NOT_WHOLE_ELEMENTS"),
        "the value has <bytes> bytes, which is no whole number of <dtype> elements of <elementBytes> bytes each",
        bytes,
        dtype,
        dtype.bytes());
  }

  public static SparkNdException bytesOfAnotherShape(int bytes, DType dtype, Shape shape) {
    return shape(
        INVALID_BINARY_FORM.sub("BYTES_OF_ANOTHER_SHAPE"),
        "the value has <bytes> bytes; <dtype> elements of shape <shape> have <needed>",
        bytes,
        dtype,
        shape,
        BigInteger.valueOf(shape.elements()).multiply(BigInteger.valueOf(dtype.bytes())));
  }

  public static SparkNdException notEncoded(String problem) {
    return shape(
        INVALID_TENSOR_VALUE.sub("NOT_ENCODED"),
        "the tensor <problem>: it cannot be encoded",
        problem);
  }

  public static SparkNdException notAWord(String argument, String type) {
    return attribute(
        INVALID_ARGUMENT.sub("NOT_A_WORD"),
        "<argument> is <type>; it must be a string",
        argument,
        type);
  }

  public static SparkNdException notAnInteger(String argument, String type) {
    return attribute(
        INVALID_ARGUMENT.sub("NOT_AN_INTEGER"),
        "<argument> is <type>; it must be an int",
        argument,
        type);
  }

  public static SparkNdException ragged(String row, long found, String first, long needed) {
    return shape(
        INVALID_TENSOR_VALUE.sub("RAGGED"),
        "<row> has <found> values and <first> has <needed>: a ragged array is no tensor",
        row,
        found,
        first,
        needed);
  }

  public static SparkNdException nullInTensor(String position) {
    return shape(
        INVALID_TENSOR_VALUE.sub("NULL_IN_TENSOR"),
        "<position> is null; a tensor has no nulls: fill them first, as with coalesce",
        position);
  }

  public static SparkNdException duplicateRows(String tuple, String reduction) {
    return index(
        DUPLICATE_INDEX.sub("DUPLICATE_ROWS"),
        "index <tuple> is named by more than one row of the group, and '<reduction>' does not say which comes"
            + " first: pass order_by, or another reduction",
        tuple,
        reduction);
  }

  public static SparkNdException aggregateIndexType(String type, int least, int most) {
    return dtype(
        INVALID_INDICES.sub("AGGREGATE_INDEX_TYPE"),
        "index is <type>; it must be an integer or array(...) of <least> to <most> integers",
        type,
        least,
        most);
  }

  public static SparkNdException orderType(String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("ORDER_TYPE"),
        "order_by is <type>; it must be an integer, a date or a timestamp: use row_number() for others",
        type);
  }

  public static SparkNdException valueRank(String value, Shape shape) {
    return shape(
        UPDATES_MISMATCH.sub("VALUE_RANK"),
        "value is <value>; a slice of shape <shape> has rank 0 to <rank>",
        value,
        shape,
        shape.rank());
  }

  public static SparkNdException nullOrder(String tuple) {
    return index(
        INVALID_TENSOR_VALUE.sub("NULL_ORDER"),
        "order_by is null in a row with index <tuple>: coalesce it to a value",
        tuple);
  }

  public static SparkNdException valueShape(Shape value, String index, Shape tensor, Shape needed) {
    return shape(
        UPDATES_MISMATCH.sub("VALUE_SHAPE"),
        "value has shape <value>; index <index> into tensor <tensor> needs <needed>",
        value,
        index,
        tensor,
        needed);
  }

  public static SparkNdException cannotInferDimension(String shape, Shape tensor) {
    return shape(
        INVALID_SHAPE.sub("CANNOT_INFER_DIMENSION"),
        "shape <shape> has no size for -1 that holds the <elements> elements of a tensor of shape <tensor>",
        shape,
        tensor.elements(),
        tensor);
  }

  public static SparkNdException notATensorValue(String argument, Object value) {
    return dtype(
        INVALID_ELEMENT.sub("NOT_A_TENSOR_VALUE"),
        "<argument> is a <type>, which is no tensor: pass an array column, nested as deep as the rank, or a"
            + " struct of shape and values",
        argument,
        value.getClass().getSimpleName());
  }

  public static SparkNdException mixedValues(String argument, Object value, DType dtype) {
    return dtype(
        INVALID_ELEMENT.sub("MIXED_VALUES"),
        "<argument> holds a <type> among <dtype> values",
        argument,
        value.getClass().getSimpleName(),
        dtype);
  }

  // ---- tensors in Iceberg tables

  public static SparkNdException tableDepth(Shape shape, int depth) {
    return shape(
        INVALID_TABLE_SPEC.sub("TABLE_DEPTH"),
        "<depth> index columns for a tensor of shape <shape>; a table needs one at least, and at most its"
            + " rank",
        depth,
        shape);
  }

  public static SparkNdException emptyTable(Shape shape) {
    return shape(
        INVALID_TABLE_SPEC.sub("EMPTY_TABLE"),
        "a tensor of shape <shape> has no elements, and so needs no table",
        shape);
  }

  public static SparkNdException tableColumns(String layout, List<String> columns, Shape slice) {
    return shape(
        INVALID_TABLE_SPEC.sub("TABLE_COLUMNS"),
        "layout <layout> has value columns <columns> for slices of shape <slice>; 'array' and 'binary' need one, and"
            + " 'columns' one for each element of a slice of rank 1",
        layout,
        columns,
        slice);
  }

  public static SparkNdException noSuchFeature(String feature, List<String> known) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_SUCH_FEATURE"),
        "'<feature>' is no feature of the tensor; <known>",
        feature,
        known.isEmpty()
            ? "its layout has none: TensorSpec.withFeatures names them"
            : "its features are " + String.join(", ", known));
  }

  public static SparkNdException noFeatures(String table, String layout) {
    return state(
        INVALID_TENSOR_TABLE.sub("NO_FEATURES"),
        "table <table> has layout '<layout>', in which elements have no names; create it with"
            + " TensorSpec.withFeatures, or scatter and gather by index",
        table,
        layout);
  }

  public static SparkNdException indexColumnsOfRow(
      String table, List<String> needed, List<String> given) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("INDEX_COLUMNS_OF_ROW"),
        "features of table <table> are gathered by as many index columns as it has, <needed>; given are <given>",
        table,
        needed,
        given);
  }

  public static SparkNdException noSuchBatch(String table, String id) {
    return attribute(
        SNAPSHOT_NOT_FOUND.sub("NO_SUCH_BATCH"),
        "table <table> has no snapshot of batch '<id>': it was not committed, was rolled back, or its"
            + " snapshot has expired; see the table's history",
        table,
        id);
  }

  public static SparkNdException columnTwice(List<String> columns) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_TWICE"),
        "columns <columns> name one twice; the names of a table's columns differ",
        columns);
  }

  public static SparkNdException badTableColumn(String column) {
    return attribute(
        INVALID_TABLE_SPEC.sub("BAD_TABLE_COLUMN"),
        "'<column>' is no name of a column; it is empty or has a comma",
        column);
  }

  public static SparkNdException binaryStrings() {
    return dtype(
        INVALID_BINARY_FORM.sub("BINARY_STRINGS"),
        "the layout 'binary' does not hold strings: take 'array'");
  }

  public static SparkNdException notPositive(String what, long value) {
    return attribute(
        INVALID_SETTING.sub("NOT_POSITIVE"),
        "<what> is <value>; it must be 1 or more",
        what,
        value);
  }

  public static SparkNdException rowsPerBlockTooLarge(long rows) {
    return attribute(
        TOO_LARGE.sub("ROWS_PER_BLOCK_TOO_LARGE"),
        "a block of <rows> rows is too large; Iceberg's truncate takes at most 2^31 - 1",
        rows);
  }

  public static SparkNdException notATensorTable(String table, String property) {
    return state(
        INVALID_TENSOR_TABLE.sub("NOT_A_TENSOR_TABLE"),
        "table <table> holds no tensor: it has no property <property>; nd.system.create_tensor, or TensorTable.create, makes tables that do",
        table,
        property);
  }

  public static SparkNdException catalogDirectory(String directory, Throwable cause) {
    return failedFile(
        cause,
        CANNOT_WRITE_FILE.sub("CATALOG_DIRECTORY"),
        "directory <directory> of the catalog cannot be made: <reason>",
        directory,
        reason(cause));
  }

  public static SparkNdException noSuchTable(String table) {
    return state(
        TABLE_NOT_FOUND,
        "there is no table <table>; nd.system.create_tensor, or TensorTable.create, makes one",
        table);
  }

  public static SparkNdException tableExists(String table) {
    return state(
        TABLE_EXISTS, "table <table> is there already; open it, or take another name", table);
  }

  public static SparkNdException tableNotMade(String table, Throwable cause) {
    return failedState(
        cause, TABLE_NOT_CREATED, "table <table> cannot be made: <reason>", table, reason(cause));
  }

  public static SparkNdException notAnIcebergCatalog(String table, Throwable cause) {
    return failedState(
        cause,
        UNSUPPORTED_CATALOG.sub("NOT_AN_ICEBERG_CATALOG"),
        "<table> is not in an Iceberg catalog of this session: set spark.sql.catalog.NAME ="
            + " org.apache.iceberg.spark.SparkCatalog, and put NAME before the name",
        table);
  }

  public static SparkNdException tableSaysOtherwise(
      String option, Object asked, String table, Object is) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("TABLE_SAYS_OTHERWISE"),
        "<option> is given as <asked>; the tensor in table <table> has <is>: leave the option out",
        option,
        asked,
        table,
        is);
  }

  public static SparkNdException gatherNeedsIndexColumn(String table) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("GATHER_NEEDS_INDEX_COLUMN"),
        "a gather from table <table> needs one index column at least: the whole tensor is no slice of"
            + " its blocks",
        table);
  }

  public static SparkNdException unsafeCatalog(String table, String setting) {
    return state(
        UNSUPPORTED_CATALOG.sub("UNSAFE_CATALOG"),
        "table <table> is in a Hadoop catalog, which can lose a commit that it has acknowledged when two"
            + " processes write: use a JDBC, REST or Hive catalog, or set <setting> = true if nothing else"
            + " ever writes to it",
        table,
        setting);
  }

  public static SparkNdException wrongPartitioning(String table, String found, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("WRONG_PARTITIONING"),
        "table <table> is partitioned by <found>; its tensor needs <wanted>: write it to a new table",
        table,
        found,
        wanted);
  }

  public static SparkNdException wrongTableColumn(
      String table, String column, String found, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("WRONG_TABLE_COLUMN"),
        "column <column> of table <table> is <found>; its tensor needs <wanted>: roll the change of the schema back, or"
            + " write the tensor to a new table",
        column,
        table,
        found,
        wanted);
  }

  public static SparkNdException moreTableColumns(String table, List<String> columns) {
    return state(
        INVALID_TENSOR_TABLE.sub("MORE_TABLE_COLUMNS"),
        "table <table> has columns <columns> beside those of its tensor, and a scatter would lose what they"
            + " hold: keep them in another table",
        table,
        columns);
  }

  public static SparkNdException badTableName(String name, Throwable cause) {
    return failedAttribute(
        cause,
        INVALID_TABLE_SPEC.sub("BAD_TABLE_NAME"),
        "'<name>' is no name of a table: write catalog.namespace.table, and parts with other characters"
            + " than letters, digits and _ in backticks",
        name);
  }

  public static SparkNdException encryptedTable(String table) {
    return state(
        INVALID_TENSOR_TABLE.sub("ENCRYPTED_TABLE"),
        "table <table> is encrypted, which tensors are not yet",
        table);
  }

  public static SparkNdException noSuchSnapshot(String table, Object snapshot) {
    return attribute(
        SNAPSHOT_NOT_FOUND.sub("NO_SUCH_SNAPSHOT"),
        "table <table> has no snapshot <snapshot>; it may have expired, see the table's history",
        table,
        snapshot);
  }

  public static SparkNdException noSuchBranch(
      String table, String branch, Collection<String> branches) {
    return attribute(
        BRANCH_NOT_FOUND,
        "table <table> has no branch '<branch>', only <branches>; create it with ALTER TABLE ... CREATE BRANCH",
        table,
        branch,
        branches);
  }

  public static SparkNdException tagAsBranch(String table, String tag) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("TAG_AS_BRANCH"),
        "'<tag>' of table <table> is a tag, which does not change; name a branch, or read the tag with"
            + " VERSION AS OF",
        tag,
        table);
  }

  public static SparkNdException timeOfBranch(String table, String branch) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("TIME_OF_BRANCH"),
        "branch '<branch>' of table <table> has no times of its own: Iceberg keeps those of main; use"
            + " snapshot(id) or batch(id)",
        branch,
        table);
  }

  public static SparkNdException wrongBranchSettings(String table, Throwable cause) {
    return failedAttribute(
        cause,
        TABLE_OPTION_MISMATCH.sub("BRANCH_SETTINGS"),
        "it cannot be told which branch of table <table> is meant: <problem>; set one of the option branch,"
            + " spark.wap.branch and spark.wap.id",
        table,
        cause.getMessage());
  }

  public static SparkNdException stagedCompaction(String table, String id) {
    return state(
        TABLE_OPTION_MISMATCH.sub("STAGED_COMPACTION"),
        "a compaction of table <table> is not staged: it changes no row, and spark.wap.id is '<id>'; unset"
            + " spark.wap.id to compact",
        table,
        id);
  }

  public static SparkNdException tableReadOption(String table, String option, String value) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("READ_OPTION"),
        "option '<option>' = '<value>' may choose rows of table <table>, and a tensor is all of a snapshot; remove"
            + " it, or choose a snapshot with VERSION AS OF, TIMESTAMP AS OF or the option branch",
        option,
        value,
        table);
  }

  public static SparkNdException pinnedSnapshot(String table, long snapshot) {
    return state(
        SNAPSHOT_READ_ONLY,
        "this is table <table> as of snapshot <snapshot>, which does not change: open the table to write to it",
        table,
        snapshot);
  }

  public static SparkNdException foreignFile(String table, String file, String format) {
    return file(
        INVALID_TABLE_FILE.sub("FOREIGN_FILE"),
        "file <file> of table <table> is <format>, or of another partitioning; a tensor's are Parquet and"
            + " partitioned as the table is now: rewrite it with Iceberg's rewrite_data_files",
        file,
        table,
        format);
  }

  public static SparkNdException equalityDeletes(String table, String file) {
    return file(
        INVALID_TABLE_FILE.sub("EQUALITY_DELETES"),
        "file <file> of table <table> deletes rows by their values, which is not read here: apply it with"
            + " Iceberg's rewrite_data_files",
        file,
        table);
  }

  public static SparkNdException rowInWrongBlock(String file, long row) {
    return file(
        INVALID_TABLE_FILE.sub("ROW_IN_WRONG_BLOCK"),
        "file <file> holds row <row> of the tensor, which is not of its partition; it was not written by"
            + " Iceberg's rules",
        file,
        row);
  }

  public static SparkNdException rowTwice(String file, long row) {
    return file(
        INVALID_TABLE_FILE.sub("ROW_TWICE"),
        "row <row> of the tensor is in the table twice, once in file <file>: delete one of the two",
        row,
        file);
  }

  public static SparkNdException blockTooLarge(String table, long rows, long rowsPerBlock) {
    return state(
        TOO_LARGE.sub("BLOCK_TOO_LARGE"),
        "a block of table <table> has <rows> rows to write, more than one array holds; it was created with"
            + " rowsPerBlock <rowsPerBlock>: write the tensor to a table with less",
        table,
        rows,
        rowsPerBlock);
  }

  public static SparkNdException badBatchId(String id) {
    return attribute(INVALID_BATCH_ID, "batch id '<id>' is empty or has a comma; take another", id);
  }

  public static SparkNdException commitLost(String table, int attempts) {
    return state(
        COMMIT_CONFLICT.sub("COMMIT_LOST"),
        "table <table> changed before each of <attempts> commits; nothing was written: let fewer writers have the"
            + " same blocks at once",
        table,
        attempts);
  }

  public static SparkNdException commitRefused(String table, Throwable cause) {
    return failedState(
        cause,
        COMMIT_FAILED.sub("COMMIT_REFUSED"),
        "the catalog refuses a commit to table <table>, and the table is as it was: <reason>",
        table,
        reason(cause));
  }

  public static SparkNdException commitFailed(String table, Throwable cause) {
    return failedFile(
        cause,
        COMMIT_FAILED.sub("COMMIT_FAILED"),
        "a commit to table <table> could not be written, and the table is as it was: <reason>; <rootReason>; <remedy>",
        table,
        reason(cause),
        reason(root(cause)),
        remedy(cause));
  }

  public static SparkNdException commitUnknown(String table, Throwable cause) {
    return failedState(
        cause,
        COMMIT_UNKNOWN,
        "the catalog did not say whether table <table> was committed: look at its history, or call again"
            + " with a batch id, which a commit that holds makes a no-op",
        table);
  }

  public static SparkNdException catalogFailed(String tried, String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_FAILED.sub("NOTHING_CHANGED"),
        "<tried> table <table> failed, and nothing was changed: <reason>; <rootReason>; <remedy>",
        tried,
        table,
        reason(cause),
        reason(root(cause)),
        remedy(cause));
  }

  public static SparkNdException catalogSilent(String tried, String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_UNKNOWN,
        "<tried> table <table> failed, and how much of it was done is not known: <reason>; <rootReason>; <remedy>, which does no"
            + " harm if it was done",
        tried,
        table,
        reason(cause),
        reason(root(cause)),
        remedy(cause));
  }

  /** What to do about a catalog or a file system that does not do what it should. */
  private static String remedy(Throwable cause) {
    String root = reason(root(cause));
    if (root.contains("[SQLITE_BUSY")) {
      return "another process holds the catalog's database: raise busy_timeout in the catalog's"
          + " uri, or call again";
    }
    return root.contains("No space left") || root.contains("[SQLITE_FULL")
        ? "free space where the table and its catalog are, and call again"
        : "see that the catalog and its storage answer, and call again";
  }

  public static SparkNdException orphansUnknown(String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_FAILED.sub("ORPHANS_UNKNOWN"),
        "nothing was deleted: which files in the folder of table <table> no table needs cannot be told"
            + " without its catalog's list of tables, their metadata and the list of files: <reason>; let"
            + " this session read them, or use Iceberg's remove_orphan_files if no other table is"
            + " in that folder",
        table,
        reason(cause));
  }

  public static SparkNdException orphansTooYoung(Duration age) {
    return attribute(
        INVALID_ARGUMENT.sub("ORPHANS_TOO_YOUNG"),
        "older_than is <age> ago, and files that young may be of a scatter that has not committed yet:"
            + " give a day or more",
        age);
  }

  public static SparkNdException collectionOff(String table) {
    return state(
        TABLE_OPTION_MISMATCH.sub("GC_DISABLED"),
        "table <table> has gc.enabled = false, by which it keeps all files; nothing was changed: set it"
            + " to true if no other table has files of this one",
        table);
  }

  public static SparkNdException slicesChanged(String table, List<String> slices, long more) {
    return index(
        COMMIT_CONFLICT.sub("SLICES_CHANGED"),
        "another commit to table <table> changed <slices><more> since it was read, and ifChanged is FAIL: read"
            + " them again, or allow REDO",
        table,
        String.join(", ", slices),
        more == 0 ? "" : " and " + more + " more");
  }

  // ---- embeddings: optimizers

  public static SparkNdException outOfBounds(String name, double value, String bounds) {
    return attribute(
        INVALID_OPTIMIZER.sub("OUT_OF_BOUNDS"),
        "<name> is <value>; it must be <bounds>",
        name,
        value,
        bounds);
  }

  public static SparkNdException tooFewSteps(String name, long steps) {
    return attribute(
        INVALID_OPTIMIZER.sub("TOO_FEW_STEPS"),
        "<name> over <steps> steps; it needs at least 1",
        name,
        steps);
  }

  public static SparkNdException badBoundaries(List<Long> boundaries, List<Double> rates) {
    return attribute(
        INVALID_OPTIMIZER.sub("BAD_BOUNDARIES"),
        "<count> learning rates with boundaries <boundaries>; give one rate more than boundaries, and boundaries"
            + " that ascend from step 0 or later",
        rates.size(),
        boundaries);
  }

  public static SparkNdException emptyRange(double low, double high) {
    return attribute(
        INVALID_OPTIMIZER.sub("EMPTY_RANGE"),
        "nothing lies between low <low> and high <high>; low must be below high, and Initializer.constant"
            + " is for one value",
        low,
        high);
  }

  public static SparkNdException noRateForFtrl(long step) {
    return attribute(
        INVALID_OPTIMIZER.sub("NO_RATE_FOR_FTRL"),
        "the learning rate of step <step> is 0 in float32, and FTRL divides by it: take a schedule that"
            + " stays above 0",
        step);
  }

  // ---- embeddings: lookups

  public static SparkNdException maxNormNotPositive(double maxNorm) {
    return attribute(
        INVALID_LOOKUP.sub("MAX_NORM_NOT_POSITIVE"),
        "max_norm is <maxNorm>; it must be above 0, or infinity for no limit",
        maxNorm);
  }

  public static SparkNdException lookupDType(DType dtype) {
    return dtype(
        INVALID_LOOKUP.sub("D_TYPE"),
        "the tensor is <dtype>; rows are combined of float16, bfloat16, float32 or float64: gather those"
            + " of other dtypes",
        dtype);
  }

  public static SparkNdException lookupIndicesShape(Shape indices, Shape ids) {
    return shape(
        INVALID_LOOKUP.sub("INDICES_SHAPE"),
        "indices has shape <indices> and ids <ids>; ids needs shape [n], and indices [n, 2], the row and the"
            + " column of each",
        indices,
        ids);
  }

  public static SparkNdException lookupWeightsShape(Shape weights, Shape ids) {
    return shape(
        INVALID_LOOKUP.sub("WEIGHTS_SHAPE"),
        "weights has shape <weights>; ids <ids> need a weight each",
        weights,
        ids);
  }

  public static SparkNdException lookupWeightsDType(DType weights) {
    return dtype(
        INVALID_LOOKUP.sub("WEIGHTS_DTYPE"),
        "weights is <weights>; weights are float16, bfloat16, float32 or float64: cast them",
        weights);
  }

  public static SparkNdException lookupRowOutOfBounds(int position, long row, OptionalLong rows) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("LOOKUP_ROW_OUT_OF_BOUNDS"),
        "indices[<position>] names row <row>; rows go from 0<last>",
        position,
        row,
        rows.isPresent() ? " to " + (rows.getAsLong() - 1) : "");
  }

  public static SparkNdException lookupRowsNotAscending(int position, long row, long before) {
    return index(
        INVALID_LOOKUP.sub("ROWS_NOT_ASCENDING"),
        "indices[<position>] names row <row> after row <before>; ids come in the order of their rows: sort them",
        position,
        row,
        before);
  }

  public static SparkNdException lookupIdsColumn(String column, String type) {
    return dtype(
        INVALID_LOOKUP.sub("IDS_COLUMN"),
        "ids column '<column>' is <type>; ids are tinyint, smallint, int or bigint, or arrays of these",
        column,
        type);
  }

  public static SparkNdException lookupWeightsColumn(
      String column, String type, String ids, String idsType) {
    return dtype(
        INVALID_LOOKUP.sub("WEIGHTS_COLUMN"),
        "weights column '<column>' is <type>; ids column '<ids>' is <idsType>, and weights must be float or double,"
            + " arrays where ids are: cast it",
        column,
        type,
        ids,
        idsType);
  }

  public static SparkNdException lookupColumnTaken(String column) {
    return attribute(
        COLUMN_EXISTS.sub("LOOKUP_COLUMN_TAKEN"),
        "the rows already have a column '<column>', which the lookup adds: name another with"
            + " LookupColumns.into",
        column);
  }

  /** {@code problem} as in "is null". */
  public static SparkNdException lookupList(
      int partition, long row, String column, String problem) {
    return index(
        INVALID_LOOKUP.sub("LIST"),
        "column '<column>' of row <row> of partition <partition> <problem>: filter such rows out, or mend them",
        column,
        row,
        partition,
        problem);
  }

  // ---- embeddings: training

  public static SparkNdException badEmbedding(long rows, int dim, int partitions) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_EMBEDDING"),
        "an embedding table of <rows> rows of <dim> weights in <partitions> partitions: rows and weights must be"
            + " at least 1, and partitions at least 0; EmbeddingSpec.keyed makes a table that grows",
        rows,
        dim,
        partitions);
  }

  public static SparkNdException partitionOfTooManyRows(long rows, int partitions, long most) {
    return attribute(
        TOO_LARGE.sub("PARTITION_OF_TOO_MANY_ROWS"),
        "an embedding table of <rows> rows in <partitions> partitions: a partition has room for <most> rows; ask for at"
            + " least <leastPartitions> partitions",
        rows,
        partitions,
        most,
        rows / most + 1);
  }

  public static SparkNdException noTensorOfKeys() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_TENSOR_OF_KEYS"),
        "the ids of this embedding table are keys, and a tensor has its rows by number: use"
            + " toDataset(), which has the key of every row");
  }

  public static SparkNdException notOneIdColumn(List<String> columns) {
    return attribute(
        INVALID_EMBEDDING.sub("NOT_ONE_ID_COLUMN"),
        "gradients of embeddings have ids in columns <columns>; they need one column of ids",
        columns);
  }

  public static SparkNdException embeddingDType(DType dtype) {
    return dtype(
        INVALID_EMBEDDING.sub("EMBEDDING_DTYPE"),
        "weights of <dtype> cannot be trained; float32, float16 and bfloat16 can",
        dtype);
  }

  public static SparkNdException badTraining(String name, int count) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_TRAINING"),
        "<name> is <count>; it must be at least 1",
        name,
        count);
  }

  public static SparkNdException notASavedEmbedding(String directory, Throwable cause) {
    return failedFile(
        cause,
        INVALID_SAVED_EMBEDDING,
        "<directory> holds no embedding table: there is no embedding.json that this version of SparkND reads",
        directory);
  }

  public static SparkNdException noSuchRow(long id, int position, long step, long rows) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("NO_SUCH_ROW"),
        "id <id>, number <position> that the mini-batch of step <step> asks for, is not in [0, <rows>), the rows of"
            + " the table",
        id,
        position,
        step,
        rows);
  }

  public static SparkNdException noShards(int shards) {
    return attribute(
        EMPTY_MINI_BATCHES.sub("NO_SHARDS"),
        "a mini-batch has <shards> shards; it needs at least 1",
        shards);
  }

  public static SparkNdException emptyShard() {
    return attribute(
        EMPTY_MINI_BATCHES.sub("EMPTY_SHARD"),
        "a partition of the mini-batches is empty; each is a shard, and needs one mini-batch at"
            + " least: repartition, or coalesce to fewer");
  }

  public static SparkNdException badGradient(long step, int shard, long id) {
    return attribute(
        BAD_GRADIENT.sub("GRADIENT"),
        "the gradient of id <id> in step <step>, shard <shard>, is NaN or infinite: lower the learning rate or"
            + " clip gradients, or allow it with EmbeddingSpec.withBadGradients(BadGradients.skip())"
            + " or BadGradients.clip(limit)",
        id,
        step,
        shard);
  }

  public static SparkNdException badGradientSum(long step, long id) {
    return attribute(
        BAD_GRADIENT.sub("SUM"),
        "the sum of the gradients of id <id> in step <step> is NaN or infinite: lower the learning rate or"
            + " clip gradients, or allow it with EmbeddingSpec.withBadGradients(BadGradients.skip())"
            + " or BadGradients.clip(limit)",
        id,
        step);
  }

  public static SparkNdException badWeights(long step, long id, DType dtype) {
    return attribute(
        BAD_GRADIENT.sub("WEIGHTS"),
        "step <step> makes weights of id <id> NaN or infinite in <dtype>: lower the learning rate, clip"
            + " gradients with Optimizer.withClip, or use a dtype of a larger range",
        step,
        id,
        dtype);
  }

  public static SparkNdException noBatchOrder() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_ORDER_COLUMN"),
        "orderBy names no column; name one at least, or leave orderBy out to take rows as they"
            + " come");
  }

  public static SparkNdException otherBatches(int partition) {
    return attribute(
        INPUT_CHANGED.sub("OTHER_BATCHES"),
        "partition <partition> of the mini-batches' rows was lost and came back with other rows, or in"
            + " another order, so the training would not be repeatable: give orderBy columns that"
            + " tell rows apart, as in Batches.of(rows, size, orderBy), or read the rows from a"
            + " table that holds them",
        partition);
  }

  /** {@code problem} as in "it names id 3, which it did not ask for". */
  public static SparkNdException otherIds(long step, int shard, String problem) {
    return attribute(
        INPUT_CHANGED.sub("OTHER_IDS"),
        "the mini-batch of step <step>, shard <shard>, changed between the task that asked for its rows and"
            + " the task that trains on them: <problem>; a mini-batch must be the same however often a task"
            + " makes it, so order its rows by a key, or let its generator depend on step and shard"
            + " alone",
        step,
        shard,
        problem);
  }

  // ---- makers

  private static SparkNdException shape(
      ConditionName condition, String template, Object... values) {
    return error(Kind.SHAPE, condition, template, values);
  }

  private static SparkNdException dtype(
      ConditionName condition, String template, Object... values) {
    return error(Kind.DTYPE, condition, template, values);
  }

  private static SparkNdException index(
      ConditionName condition, String template, Object... values) {
    return error(Kind.INDEX, condition, template, values);
  }

  private static SparkNdException attribute(
      ConditionName condition, String template, Object... values) {
    return error(Kind.ATTRIBUTE, condition, template, values);
  }

  private static SparkNdException file(ConditionName condition, String template, Object... values) {
    return error(Kind.FILE, condition, template, values);
  }

  private static SparkNdException state(
      ConditionName condition, String template, Object... values) {
    return error(Kind.STATE, condition, template, values);
  }

  private static SparkNdException failedAttribute(
      Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.ATTRIBUTE, condition, template, values);
  }

  private static SparkNdException failedState(
      Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.STATE, condition, template, values);
  }

  private static SparkNdException failedFile(
      Throwable cause, ConditionName condition, String template, Object... values) {
    return failed(cause, Kind.FILE, condition, template, values);
  }

  private static SparkNdException error(
      Kind kind, ConditionName condition, String template, Object... values) {
    return failed(null, kind, condition, template, values);
  }

  private static SparkNdException failed(
      Throwable cause, Kind kind, ConditionName condition, String template, Object... values) {
    MessageTemplate message = new MessageTemplate(template);
    return ErrorTypes.made(
        new SparkNdException(
            kind, condition, template, message.parameters(values), message.filled(values), cause));
  }

  /** What {@code cause} says, or its class where it says nothing. */
  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** At most 60 characters of what came from a file. */
  private static String brief(String text) {
    return brief(text, 60);
  }

  private static String brief(String text, int most) {
    String shown = text.strip();
    return shown.length() <= most ? shown : shown.substring(0, most - 3) + "...";
  }
}
