/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.SparkNdException.Kind;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
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

  // ---- indices and updates

  public static SparkNdException updatesShape(
      Shape updates, Shape indices, Shape tensor, Shape needed) {
    return shape(
        "updates has shape %s; indices %s into tensor %s needs %s",
        updates, indices, tensor, needed);
  }

  public static SparkNdException updatesDType(DType updates, DType tensor) {
    return dtype("updates is %s and the tensor %s; both must be the same", updates, tensor);
  }

  public static SparkNdException scalarIndices(Shape tensor) {
    return shape(
        "indices is a scalar; indices into tensor %s needs shape [..., depth], such as [n, 1]",
        tensor);
  }

  public static SparkNdException depthOverRank(
      long depth, Shape tensor, Shape indices, int batchDims) {
    return shape(
        "indices has shape %s, so each tuple has %d values; tensor %s takes at most %d%s",
        indices,
        depth,
        tensor,
        tensor.rank() - batchDims,
        batchDims == 0 ? "" : " after " + batchDims + " batch dimensions");
  }

  public static SparkNdException batchDimsOutOfRange(int batchDims, Shape tensor, Shape indices) {
    return shape(
        "batch_dims is %d; with indices %s and tensor %s it must be from 0 to %d",
        batchDims, indices, tensor, Math.min(indices.rank() - 1, tensor.rank()));
  }

  public static SparkNdException batchShapesDiffer(int batchDims, Shape tensor, Shape indices) {
    return shape(
        "indices %s and tensor %s differ in their first %d (batch_dims) dimensions: %s and %s",
        indices, tensor, batchDims, indices.first(batchDims), tensor.first(batchDims));
  }

  public static SparkNdException axisOutOfRange(int axis, Shape tensor) {
    return shape(
        "axis is %d; tensor %s has axes from %d to %d",
        axis, tensor, -tensor.rank(), tensor.rank() - 1);
  }

  public static SparkNdException elementRanksDiffer(Shape tensor, Shape indices) {
    return shape(
        "indices %s has rank %d and tensor %s rank %d; element-wise indices need the same rank",
        indices, indices.rank(), tensor, tensor.rank());
  }

  public static SparkNdException elementIndicesTooWide(
      int dimension, int axis, Shape tensor, Shape indices) {
    return shape(
        "indices %s is larger than tensor %s in dimension %d; only axis %d may be",
        indices, tensor, dimension, axis);
  }

  public static SparkNdException tooManySlots(Shape indices, long slots) {
    return shape(
        "indices %s name %d slices; a call takes at most %d: split it, or give them as a Dataset",
        indices, slots, Storage.MAX_LENGTH);
  }

  public static SparkNdException indicesNotIntegers(DType dtype) {
    return dtype("indices is %s; indices must be integers, such as int64", dtype);
  }

  public static SparkNdException badIndex(String position, String tuple, String target) {
    return index("%s = %s does not index into %s", position, tuple, target);
  }

  public static SparkNdException negativeIndex(String position, String tuple, String target) {
    return index(
        "%s = %s does not index into %s; negative indices count from the end only where asked to"
            + " wrap",
        position, tuple, target);
  }

  public static SparkNdException duplicateIndex(String position, String first) {
    return index("%s names the same slice as %s; duplicates are refused here", position, first);
  }

  public static SparkNdException reductionNotDefined(String reduction, DType dtype) {
    return dtype("%s is not defined for %s", reduction, dtype);
  }

  public static SparkNdException fillInScatter() {
    return attribute(
        "bad_indices 'fill' is for gathers; a scatter takes 'error', 'ignore' or 'clip'");
  }

  public static SparkNdException badThreads(int count) {
    return attribute("threads is %d; kernels run on 1 or more", count);
  }

  // ---- cluster

  public static SparkNdException badPartitioning(int partitions, int blockBytes) {
    return attribute(
        "partitions is %d and block bytes %d; both must be 0 (chosen by size) or more",
        partitions, blockBytes);
  }

  public static SparkNdException tooManyBlocks(Shape shape, int partitions, long blocks) {
    return attribute(
        "tensor %s has %d blocks, too many for %d partitions: use more partitions or larger blocks",
        shape, blocks, partitions);
  }

  public static SparkNdException duplicateSlice(String tuple) {
    return index("index %s is named more than once; duplicates are refused here", tuple);
  }

  // ---- kernels

  public static SparkNdException reductionNotDefined(
      Object reduction, DType dtype, String defined) {
    return dtype("%s is not defined for %s; defined are %s", reduction, dtype, defined);
  }

  public static SparkNdException unknownKernel(String name, String known) {
    return attribute("kernel '%s' is not known; known are %s", name, known);
  }

  public static SparkNdException kernelNeedsModule(String name, String module) {
    return state(
        "kernel '%s' needs the module %s, which this JVM was started without: start it with"
            + " --add-modules=%s, or take kernel 'auto' or 'scalar'",
        name, module, module);
  }

  public static SparkNdException kernelCannotRun(String name, String why) {
    return attribute("kernel '%s' cannot run here: %s; take kernel 'auto'", name, why);
  }

  public static SparkNdException kernelNotInstalled(String name, String jar) {
    return state(
        "kernel '%s' is in the jar %s, which is not on the class path: add it, or take kernel"
            + " 'auto', 'vector' or 'scalar'",
        name, jar);
  }

  public static SparkNdException libraryMissing(String library) {
    return state("the native library %s is not in this jar: it was built without nvcc", library);
  }

  public static SparkNdException libraryNotLoaded(Throwable cause, String library) {
    return failedState(
        cause,
        "the native library %s cannot be loaded: %s; it needs Linux on x86-64 with glibc 2.34 or"
            + " later, and a temporary directory that libraries may be loaded from",
        library,
        cause.getMessage());
  }

  public static SparkNdException deviceFailed(String function, int error) {
    return state(
        "CUDA failed with error %d in %s; the GPU's process has to be started again",
        error, function);
  }

  public static SparkNdException oneGpuPerExecutor(int used, int asked) {
    return state(
        "a task was given GPU %d in an executor that uses GPU %d: give an executor one GPU"
            + " (spark.executor.resource.gpu.amount=1)",
        asked, used);
  }

  public static SparkNdException badGpuAddress(String address) {
    return attribute(
        "the address of a GPU is '%s'; it must be its number, as nvidia-smi counts", address);
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
    return state("%s is closed; nothing can be appended to it", target);
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
    return state("the Arrow stream is closed and takes no more values: write another");
  }

  public static SparkNdException arrowTextTooLong(int cell) {
    return shape(
        "the strings of one record batch, of rows of %d each, pass 2^31 - 1 bytes of UTF-8, the most"
            + " that Arrow's offsets reach: reshape to smaller rows",
        cell);
  }

  public static SparkNdException notUnicode(String string) {
    return dtype(
        "string '%s' has a surrogate without its partner, which UTF-8 cannot carry: repair it first",
        string);
  }

  public static SparkNdException notArrow(String source) {
    return file(
        "%s is not an Arrow IPC stream or file: it starts with neither FF FF FF FF nor ARROW1"
            + " (streams from before Arrow 0.15 are not read)",
        source);
  }

  public static SparkNdException unreadableArrow(String source, Throwable cause) {
    return failedFile(cause, "%s cannot be read as an Arrow IPC stream: %s", source, reason(cause));
  }

  public static SparkNdException arrowNeedsMemory(String source, OutOfMemoryError cause) {
    return failedFile(
        cause,
        "%s asks for more memory than this JVM has, %s: it is damaged, or read it where there is"
            + " more",
        source,
        reason(cause));
  }

  public static SparkNdException cannotWriteArrow(Path target, Exception cause) {
    return failedFile(cause, "%s cannot be written: %s", target, reason(cause));
  }

  public static SparkNdException arrowTensorColumns(String source, List<String> columns) {
    return file(
        "%s does not have exactly one column of type arrow.fixed_shape_tensor; its columns are %s:"
            + " write the tensor's column alone",
        source, columns);
  }

  public static SparkNdException arrowElementType(String source, String column, String type) {
    return file(
        "column '%s' of %s has elements of Arrow type %s, which is no dtype's: cast it first",
        column, source, type);
  }

  public static SparkNdException arrowPermuted(String source, String column, String metadata) {
    return file(
        "the cells of column '%s' of %s have permuted dimensions, %s, and only row-major ones are"
            + " read: make the array contiguous before it is written",
        column, source, metadata);
  }

  public static SparkNdException arrowNulls(String source, String column) {
    return file(
        "column '%s' of %s has nulls, which a tensor cannot have: fill them first", column, source);
  }

  public static SparkNdException arrowShapeMismatch(
      String source, Shape declared, DType dtype, Shape cell) {
    return file(
        "%s declares a %s tensor of shape %s, and cells of shape %s, which cannot be its rows",
        source, dtype, declared, cell);
  }

  public static SparkNdException arrowRowsMismatch(
      String source, Shape declared, long rows, Shape cell) {
    return file(
        "%s declares a tensor of shape %s and has %d rows of shape %s: it was cut, or its rows were"
            + " changed without the metadata sparknd.shape",
        source, declared, rows, cell);
  }

  public static SparkNdException depthOutOfRange(int depth, Shape shape) {
    return attribute(
        "depth is %d; rows of tensor %s take 0 to %d index columns", depth, shape, shape.rank());
  }

  public static SparkNdException sliceTooLargeForRow(Shape slice, DType dtype) {
    return shape(
        "a slice of shape %s of %s passes 2 GiB, more than a row can hold: use more index columns",
        slice, dtype);
  }

  public static SparkNdException noSuchColumn(String column, String columns) {
    return attribute("column '%s' is not among %s", column, columns);
  }

  public static SparkNdException columnTaken(String column) {
    return attribute(
        "the indices already have a column '%s', which the gather adds: rename it first", column);
  }

  public static SparkNdException indexColumnNotInteger(String column, String type) {
    return dtype(
        "index column '%s' is %s; indices must be tinyint, smallint, int or bigint", column, type);
  }

  public static SparkNdException indexRowsChanged() {
    return state(
        "an index row is not among those that the gather has checked: what they are read from gives"
            + " others each time; checkpoint or save them first");
  }

  public static SparkNdException tooLargeToBroadcast(String what, long most) {
    return state(
        "%s cannot be broadcast, by spark.driver.maxResultSize = %d bytes: raise it, or take another"
            + " strategy, such as shuffle_indices",
        what, most);
  }

  public static SparkNdException valueColumnType(
      String column, String type, DType dtype, Shape slice, String wanted) {
    return dtype(
        "value column '%s' is %s; slices of shape %s of a %s tensor need %s: cast it",
        column, type, slice, dtype, wanted);
  }

  public static SparkNdException nullIndex(int partition, long row, int dimension) {
    return index(
        "row %d of partition %d has a null in index column %d; filter such rows out first",
        row, partition, dimension);
  }

  public static SparkNdException badValue(int partition, long row, String tuple, String problem) {
    return shape("the value at %s, row %d of partition %d, %s", tuple, row, partition, problem);
  }

  public static SparkNdException tableChanged(int partition) {
    return state(
        "partition %d of the table has other rows than when it was first read: read the table again,"
            + " and let nobody write to it meanwhile",
        partition);
  }

  public static SparkNdException notClassicSpark(String name) {
    return state("%s is a Spark Connect class; the Java API runs inside the Spark driver", name);
  }

  public static SparkNdException directoryInTheWay(String directory) {
    return file("%s is not empty; save to a new directory", directory);
  }

  public static SparkNdException notASavedTensor(String directory, Exception cause) {
    return failedFile(
        cause, "%s holds no saved tensor: no readable tensor.json of this version", directory);
  }

  public static SparkNdException fileElsewhere(String directory, String name) {
    return file(
        "%s names a file '%s', which is not in it; names of its files have no / and no :",
        directory, name);
  }

  public static SparkNdException damagedBlocks(String file) {
    return file("%s is damaged: its blocks do not match their checksums or its index", file);
  }

  // ---- files of tensor tables

  public static SparkNdException unreadableTableFile(String file, Throwable cause) {
    return failedFile(
        cause,
        "%s cannot be read as Parquet: %s; if it is damaged, restore it or roll the table back",
        file,
        reason(cause));
  }

  public static SparkNdException damagedPages(
      String file, String column, int group, Throwable cause) {
    return failedFile(
        cause,
        "%s: column %s of row group %d cannot be read: %s; if the file is damaged, restore it or"
            + " roll the table back",
        file,
        column,
        group,
        reason(cause));
  }

  public static SparkNdException unwritableTableFile(String file, Throwable cause) {
    return failedFile(cause, "%s cannot be written: %s", file, reason(cause));
  }

  public static SparkNdException noFileColumn(String file, String column, List<String> columns) {
    return file(
        "%s has no column %s; its columns are %s, so it was not written for this tensor",
        file, column, columns);
  }

  public static SparkNdException wrongFileColumn(
      String file, String column, String found, String needed) {
    return dtype(
        "%s has column %s as %s, and the tensor needs %s: write the file with the table's schema",
        file, column, found, needed);
  }

  public static SparkNdException tooManyRowsInFile(String file, long rows) {
    return file(
        "%s has %d rows; a file of a tensor has at most %d: rewrite it as several",
        file, rows, Storage.MAX_LENGTH);
  }

  public static SparkNdException badIndexInFile(
      String file, int row, String column, long index, Shape outer) {
    return index(
        "%s: %s = %d in row %d does not index into %s: delete the row or correct it",
        file, column, index, row, outer);
  }

  public static SparkNdException nullInFile(String file, String row, String column) {
    return dtype(
        "%s: row %s of column %s is null or has a null in it; a tensor has none: update it to a"
            + " value",
        file, row, column);
  }

  public static SparkNdException wrongLengthInFile(
      String file, String row, String column, long found, Shape slice) {
    return shape(
        "%s: row %s of column %s has %d elements; the tensor's slices %s need %d: correct the row",
        file, row, column, found, slice, slice.elements());
  }

  public static SparkNdException raggedInFile(String file, String row, String column, Shape slice) {
    return shape(
        "%s: row %s of column %s is not nested as the tensor's slices %s: correct the row",
        file, row, column, slice);
  }

  public static SparkNdException wrongBytesInFile(
      String file, String row, String column, int found, int needed) {
    return shape(
        "%s: row %s of column %s has %d bytes; the tensor's slices need %d: correct the row",
        file, row, column, found, needed);
  }

  public static SparkNdException wrongElementInFile(
      String file, String row, String column, Object value, DType dtype) {
    return dtype(
        "%s: row %s of column %s holds %s, which is no %s: correct the row",
        file, row, column, value, dtype);
  }

  public static SparkNdException unknownCodec(String property, String codec, String known) {
    return attribute("%s = '%s' is not known; known are %s", property, codec, known);
  }

  public static SparkNdException badTableProperty(String property, String value, String needed) {
    return attribute("%s = '%s' is not %s", property, value, needed);
  }

  // ---- named operators

  public static SparkNdException unknownWord(String what, String word, String known) {
    return attribute("%s '%s' is not known; known are %s", what, word, known);
  }

  public static SparkNdException badSize(String setting, String value) {
    return attribute(
        "%s = '%s' is neither auto nor a number of bytes, such as 16m", setting, value);
  }

  public static SparkNdException badByteCount(String setting, String value) {
    return attribute("%s = '%s' is not a number of bytes, such as 8g", setting, value);
  }

  public static SparkNdException notOffered(String operator, String what, String known) {
    return attribute("%s has no %s; it has %s", operator, what, known);
  }

  public static SparkNdException needsOpset(String what, int needed, int opset) {
    return attribute("%s needs opset %d; opset is %d", what, needed, opset);
  }

  public static SparkNdException endedBeforeOpset(
      String operator, int last, int opset, String instead) {
    return attribute("%s ends with opset %d; opset is %d: use %s", operator, last, opset, instead);
  }

  public static SparkNdException indicesDType(String operator, DType indices, String taken) {
    return dtype("%s takes %s indices; indices is %s", operator, taken, indices);
  }

  public static SparkNdException doesNotBroadcast(Shape from, Shape to) {
    return shape(
        "shape %s does not broadcast to %s; from the last dimension backwards each must be equal"
            + " or 1",
        from, to);
  }

  public static SparkNdException noComponents() {
    return shape("no index components given; index tuples need at least one");
  }

  public static SparkNdException sourceTooSmall(Shape source, Shape index) {
    return shape(
        "src has shape %s; index %s needs the same rank, and at least its size in every dimension",
        source, index);
  }

  public static SparkNdException indexNotVector(Shape index) {
    return shape("index has shape %s; index_add needs a vector or a scalar", index);
  }

  public static SparkNdException alphaDoesNotApply(Number alpha, DType dtype) {
    return dtype("alpha %s does not scale %s values", alpha, dtype);
  }

  // ---- SQL

  public static SparkNdException unknownArgument(String function, String name, List<String> known) {
    return attribute(
        "%s has no argument '%s'; it has %s", function, name, String.join(", ", known));
  }

  public static SparkNdException argumentTwice(String function, String name) {
    return attribute("argument '%s' of %s is given twice", name, function);
  }

  public static SparkNdException tooManyArguments(String function, int given, List<String> known) {
    return attribute(
        "%s is given %d arguments; it has %d: %s",
        function, given, known.size(), String.join(", ", known));
  }

  public static SparkNdException argumentNotTable(String function, String name) {
    return attribute(
        "%s needs a table or query as its argument '%s': write TABLE(name) or TABLE(SELECT ...)",
        function, name);
  }

  /** {@code sql} is shown as it stands, which has per cent signs where SQL has. */
  public static SparkNdException argumentNotConstant(String function, String name, String sql) {
    return attribute(
        "argument '%s' of %s is %s; it must be a constant, known before the query runs",
        name, function, sql);
  }

  public static SparkNdException wrongConstant(
      String function, String name, Object value, String wanted) {
    return attribute("argument '%s' of %s is %s; it takes %s", name, function, value, wanted);
  }

  public static SparkNdException constantFails(
      String function, String name, String sql, Throwable cause) {
    return attribute(
        "argument '%s' of %s is %s, which has no value: %s", name, function, sql, reason(cause));
  }

  public static SparkNdException tableArgumentPartitioned(String function, String name) {
    return attribute(
        "argument '%s' of %s has PARTITION BY, ORDER BY or WITH SINGLE PARTITION, which mean nothing"
            + " here: the whole table is one tensor; give order_by => 'column' to order updates",
        name, function);
  }

  public static SparkNdException tableArgumentCorrelated(String function, String name) {
    return attribute(
        "argument '%s' of %s depends on the query around it; a tensor is one table for all rows",
        name, function);
  }

  public static SparkNdException streamingTable(String name) {
    return attribute(
        "table '%s' is a stream; a tensor needs all of its rows: use foreachBatch", name);
  }

  public static SparkNdException noValueColumn(String name) {
    return attribute(
        "table '%s' has no columns; it needs index columns and a value column, last", name);
  }

  public static SparkNdException tableHasNoShape(String name, String columns) {
    return shape(
        "the shape of the tensor is not known: give shape => array(...), or set the property"
            + " sparknd.shape of table '%s' with columns %s",
        name, columns);
  }

  public static SparkNdException tooFewIndexColumns(String name, String columns, int depth) {
    return attribute(
        "table '%s' has columns %s; the first %d have to be index columns, as params has so many",
        name, columns, depth);
  }

  public static SparkNdException batchDimsOutOfRange(int batchDims, int depth) {
    return attribute(
        "batch_dims is %d; of %d index columns it can be 0 to %d", batchDims, depth, depth);
  }

  public static SparkNdException ambiguousColumn(String column, String columns) {
    return attribute("column '%s' is several of %s: rename them in a query", column, columns);
  }

  public static SparkNdException argumentMissing(String procedure, String name) {
    return attribute("procedure %s needs its argument '%s', which is NULL", procedure, name);
  }

  public static SparkNdException indexColumnsAndDepth(List<String> columns, long depth) {
    return attribute(
        "index_columns names %s, and index_depth is %d: leave one of the two out", columns, depth);
  }

  public static SparkNdException noSuchProcedure(String catalog, String name, List<String> known) {
    return attribute(
        "catalog %s has no procedure %s; it has %s", catalog, name, String.join(", ", known));
  }

  public static SparkNdException noDTypeFor(String column, String type) {
    return dtype(
        "value column '%s' is %s, which is no type of a tensor's elements: cast it to a boolean, an"
            + " integer, float, double or string, or to arrays of them, which nd_decode makes of binary"
            + " values",
        column, type);
  }

  public static SparkNdException decimalColumnType(
      String column, String type, Shape slice, String wanted) {
    return dtype(
        "value column '%s' is %s; slices of shape %s of this tensor of decimals need %s, or a type"
            + " that every value of keeps in it: cast it",
        column, type, slice, wanted);
  }

  public static SparkNdException decimalReduction(String reduction, String type) {
    return dtype(
        "%s of %s is not offered, as its results have more digits than the type: cast the values to"
            + " double",
        reduction, type);
  }

  public static SparkNdException decimalsNotCompared(String reduction, String type, int scale) {
    return dtype(
        "%s of %s is not offered, as decimals of more than 18 digits do not fit one int64: cast the"
            + " values to decimal(18, %d) or double",
        reduction, type, Math.min(scale, 18));
  }

  public static SparkNdException decimalFill(String value, String type) {
    return dtype(
        "fill value %s is no %s of at most 18 digits: a tensor of such decimals takes one that is,"
            + " without rounding, and one of more digits takes 0 only",
        value, type);
  }

  public static SparkNdException decimalSumTooLong(long updates, String type) {
    return dtype(
        "%d updates of %s may add up to more than 18 digits on the way: cast the values to fewer"
            + " digits, or to double",
        updates, type);
  }

  public static SparkNdException decimalsNotAggregated(String type, int scale) {
    return dtype(
        "scatter_nd_agg adds up decimals of at most 9 digits, as a group may have any number of"
            + " rows, not %s: cast the value to decimal(9, %d), or to double",
        type, scale);
  }

  public static SparkNdException decimalElementOverflow(BigDecimal value, String type) {
    return dtype(
        "an element of the result is %s, which does not fit %s: cast the tensor to more digits"
            + " first",
        value.toPlainString(), type);
  }

  public static SparkNdException decimalTooLong(String argument, String type) {
    return dtype(
        "%s is %s; tensors in rows take decimals of at most 18 digits: cast it to these, or to"
            + " double",
        argument, type);
  }

  public static SparkNdException decimalOverflow(
      String column, long[] index, BigDecimal value, String type) {
    return dtype(
        "slice %s of '%s' has an element that is %s, which does not fit %s: cast the column to more"
            + " digits first",
        Arrays.toString(index), column, value.toPlainString(), type);
  }

  // ---- demo

  public static SparkNdException noClassesAsked(int classes) {
    return attribute(
        "--classes is %d; the counts need at least one class along each side", classes);
  }

  // ---- command line

  public static SparkNdException noSuchFile(Path path) {
    return file("there is no file or directory %s", path);
  }

  public static SparkNdException notADirectory(Path path) {
    return file("%s is not a directory; name one that is there", path);
  }

  public static SparkNdException fileInTheWay(Path path) {
    return file("%s is a file; a tensor is saved to a new directory, .npy or .arrow", path);
  }

  public static SparkNdException savedNeedsCluster(Path path) {
    return attribute(
        "%s is a directory of blocks, which the engine 'local' neither reads nor writes: take engine"
            + " 'cluster', or an .npy file",
        path);
  }

  public static SparkNdException notAShape(String text) {
    return shape("'%s' is not a shape; write dimensions with commas between, such as 8,64", text);
  }

  public static SparkNdException fillNeedsValue(String bad) {
    return attribute(
        "bad indices are '%s'; 'fill' needs a fill value, and nothing else takes one", bad);
  }

  public static SparkNdException noSuchExample(String name, List<String> known) {
    return attribute("example '%s' is not known; known are %s", name, String.join(", ", known));
  }

  public static SparkNdException tooFewDays(int days, int least) {
    return attribute("%d days are too few for the example; it takes %d or more", days, least);
  }

  public static SparkNdException exampleDirectory(String directory) {
    return attribute(
        "%s is there already, and the example would write into it: remove it, or give another with"
            + " --dir",
        directory);
  }

  /** {@code problem} is shown as it stands, which has per cent signs where SQL has. */
  public static SparkNdException statementFailed(
      int number, int statements, String problem, Throwable cause) {
    String place = statements == 1 ? "" : "statement " + number + " of " + statements + ": ";
    return new SparkNdException(Kind.STATE, place + problem, cause);
  }

  // ---- scalar SQL functions

  public static SparkNdException notATensor(String argument, String type) {
    return dtype(
        "%s is %s, which is no tensor: that is an array, nested as deep as the rank, or"
            + " struct<shape: array<bigint>, values: array<T>>, of boolean, tinyint, smallint, int,"
            + " bigint, float, double, decimal or string",
        argument, type);
  }

  public static SparkNdException notIndices(String argument, String type) {
    return dtype("%s is %s; it must hold tinyint, smallint, int or bigint values", argument, type);
  }

  public static SparkNdException cannotCast(
      String argument, String type, String target, String needed) {
    return dtype(
        "%s is %s and %s holds %s values, to which Spark does not cast these by itself: cast them",
        argument, type, target, needed);
  }

  public static SparkNdException updatesRank(
      String updates, String indices, String target, int rank, int least, int most) {
    return shape(
        "updates is %s; indices %s into %s of rank %d needs updates of rank %d%s",
        updates, indices, target, rank, least, most == least ? "" : " to " + most);
  }

  public static SparkNdException unknownDepth(String params, String indices, String choices) {
    return shape(
        "how deep %s reaches into %s, and so the type of the result, follows from the number of"
            + " values in each tuple, which only the rows say: pass depth => %s",
        indices, params, choices);
  }

  public static SparkNdException depthDiffers(int depth, Shape indices) {
    return shape(
        "indices has shape %s, so each tuple has %d values; depth is %d",
        indices, indices.dim(indices.rank() - 1), depth);
  }

  public static SparkNdException depthOverRankOf(int depth, String params, int most) {
    return shape("depth is %d; params %s takes at most %d here", depth, params, most);
  }

  public static SparkNdException batchDimsOutOfRank(int batchDims, String params, String indices) {
    return shape(
        "batch_dims is %d; params %s and indices %s do not both have as many dimensions before"
            + " their tuples",
        batchDims, params, indices);
  }

  public static SparkNdException elementTypesDiffer(String indices, String data) {
    return shape(
        "indices is %s and data %s; element-wise indices need the same rank", indices, data);
  }

  public static SparkNdException axisOutOfRank(int axis, String data, int rank) {
    return shape("axis is %d; data %s has axes from %d to %d", axis, data, -rank, rank - 1);
  }

  public static SparkNdException unknownRank(String argument, String function) {
    return shape(
        "the length of %s, and so the type of what %s gives, is known only to the rows: write it as"
            + " array(...), or use structs (shape, values)",
        argument, function);
  }

  public static SparkNdException notConstant(String argument, String sql) {
    return attribute("%s is %s; it must be a constant and not NULL", argument, sql);
  }

  public static SparkNdException notBytes(String argument, String type) {
    return dtype("%s is %s; it must be binary", argument, type);
  }

  public static SparkNdException stringsHaveNoBytes() {
    return dtype("elements of dtype 'string' have no fixed width, and so no binary form");
  }

  public static SparkNdException notWholeElements(int bytes, DType dtype) {
    return shape(
        "the value has %d bytes, which is no whole number of %s elements of %d bytes each",
        bytes, dtype, dtype.bytes());
  }

  public static SparkNdException bytesOfAnotherShape(int bytes, DType dtype, Shape shape) {
    return shape(
        "the value has %d bytes; %s elements of shape %s have %s",
        bytes,
        dtype,
        shape,
        BigInteger.valueOf(shape.elements()).multiply(BigInteger.valueOf(dtype.bytes())));
  }

  public static SparkNdException notEncoded(String problem) {
    return shape("the tensor %s: it cannot be encoded", problem);
  }

  public static SparkNdException notAWord(String argument, String type) {
    return attribute("%s is %s; it must be a string", argument, type);
  }

  public static SparkNdException notAnInteger(String argument, String type) {
    return attribute("%s is %s; it must be an int", argument, type);
  }

  public static SparkNdException ragged(String row, long found, String first, long needed) {
    return shape(
        "%s has %d values and %s has %d: a ragged array is no tensor", row, found, first, needed);
  }

  public static SparkNdException nullInTensor(String position) {
    return shape("%s is null; a tensor has no nulls: fill them first, as with coalesce", position);
  }

  public static SparkNdException duplicateRows(String tuple, String reduction) {
    return index(
        "index %s is named by more than one row of the group, and '%s' does not say which comes"
            + " first: pass order_by, or another reduction",
        tuple, reduction);
  }

  public static SparkNdException aggregateIndexType(String type, int least, int most) {
    return dtype(
        "index is %s; it must be an integer or array(...) of %d to %d integers", type, least, most);
  }

  public static SparkNdException orderType(String type) {
    return dtype(
        "order_by is %s; it must be an integer, a date or a timestamp: use row_number() for others",
        type);
  }

  public static SparkNdException valueRank(String value, Shape shape) {
    return shape("value is %s; a slice of shape %s has rank 0 to %d", value, shape, shape.rank());
  }

  public static SparkNdException nullOrder(String tuple) {
    return index("order_by is null in a row with index %s: coalesce it to a value", tuple);
  }

  public static SparkNdException valueShape(Shape value, String index, Shape tensor, Shape needed) {
    return shape(
        "value has shape %s; index %s into tensor %s needs %s", value, index, tensor, needed);
  }

  public static SparkNdException cannotInferDimension(String shape, Shape tensor) {
    return shape(
        "shape %s has no size for -1 that holds the %d elements of a tensor of shape %s",
        shape, tensor.elements(), tensor);
  }

  public static SparkNdException notATensorValue(String argument, Object value) {
    return dtype(
        "%s is a %s, which is no tensor: pass an array column, nested as deep as the rank, or a"
            + " struct of shape and values",
        argument, value.getClass().getSimpleName());
  }

  public static SparkNdException mixedValues(String argument, Object value, DType dtype) {
    return dtype(
        "%s holds a %s among %s values", argument, value.getClass().getSimpleName(), dtype);
  }

  // ---- tensors in Iceberg tables

  public static SparkNdException tableDepth(Shape shape, int depth) {
    return shape(
        "%d index columns for a tensor of shape %s; a table needs one at least, and at most its"
            + " rank",
        depth, shape);
  }

  public static SparkNdException emptyTable(Shape shape) {
    return shape("a tensor of shape %s has no elements, and so needs no table", shape);
  }

  public static SparkNdException tableColumns(String layout, List<String> columns, Shape slice) {
    return shape(
        "layout %s has value columns %s for slices of shape %s; 'array' and 'binary' need one, and"
            + " 'columns' one for each element of a slice of rank 1",
        layout, columns, slice);
  }

  public static SparkNdException noSuchFeature(String feature, List<String> known) {
    return attribute(
        "'%s' is no feature of the tensor; %s",
        feature,
        known.isEmpty()
            ? "its layout has none: TensorSpec.withFeatures names them"
            : "its features are " + String.join(", ", known));
  }

  public static SparkNdException noFeatures(String table, String layout) {
    return state(
        "table %s has layout '%s', in which elements have no names; create it with"
            + " TensorSpec.withFeatures, or scatter and gather by index",
        table, layout);
  }

  public static SparkNdException indexColumnsOfRow(
      String table, List<String> needed, List<String> given) {
    return attribute(
        "features of table %s are gathered by as many index columns as it has, %s; given are %s",
        table, needed, given);
  }

  public static SparkNdException noSuchBatch(String table, String id) {
    return attribute(
        "table %s has no snapshot of batch '%s': it was not committed, was rolled back, or its"
            + " snapshot has expired; see the table's history",
        table, id);
  }

  public static SparkNdException columnTwice(List<String> columns) {
    return attribute("columns %s name one twice; the names of a table's columns differ", columns);
  }

  public static SparkNdException badTableColumn(String column) {
    return attribute("'%s' is no name of a column; it is empty or has a comma", column);
  }

  public static SparkNdException binaryStrings() {
    return dtype("the layout 'binary' does not hold strings: take 'array'");
  }

  public static SparkNdException notPositive(String what, long value) {
    return attribute("%s is %d; it must be 1 or more", what, value);
  }

  public static SparkNdException rowsPerBlockTooLarge(long rows) {
    return attribute(
        "a block of %d rows is too large; Iceberg's truncate takes at most 2^31 - 1", rows);
  }

  public static SparkNdException notATensorTable(String table, String property) {
    return state(
        "table %s holds no tensor: it has no property %s; nd.system.create_tensor, or TensorTable.create, makes tables that do",
        table, property);
  }

  public static SparkNdException catalogDirectory(String directory, Throwable cause) {
    return failedFile(
        cause, "directory %s of the catalog cannot be made: %s", directory, reason(cause));
  }

  public static SparkNdException noSuchTable(String table) {
    return state(
        "there is no table %s; nd.system.create_tensor, or TensorTable.create, makes one", table);
  }

  public static SparkNdException tableExists(String table) {
    return state("table %s is there already; open it, or take another name", table);
  }

  public static SparkNdException tableNotMade(String table, Throwable cause) {
    return failedState(cause, "table %s cannot be made: %s", table, reason(cause));
  }

  public static SparkNdException notAnIcebergCatalog(String table, Throwable cause) {
    return failedState(
        cause,
        "%s is not in an Iceberg catalog of this session: set spark.sql.catalog.NAME ="
            + " org.apache.iceberg.spark.SparkCatalog, and put NAME before the name",
        table);
  }

  public static SparkNdException tableSaysOtherwise(
      String option, Object asked, String table, Object is) {
    return attribute(
        "%s is given as %s; the tensor in table %s has %s: leave the option out",
        option, asked, table, is);
  }

  public static SparkNdException gatherNeedsIndexColumn(String table) {
    return attribute(
        "a gather from table %s needs one index column at least: the whole tensor is no slice of"
            + " its blocks",
        table);
  }

  public static SparkNdException unsafeCatalog(String table, String setting) {
    return state(
        "table %s is in a Hadoop catalog, which can lose a commit that it has acknowledged when two"
            + " processes write: use a JDBC, REST or Hive catalog, or set %s = true if nothing else"
            + " ever writes to it",
        table, setting);
  }

  public static SparkNdException wrongPartitioning(String table, String found, String wanted) {
    return state(
        "table %s is partitioned by %s; its tensor needs %s: write it to a new table",
        table, found, wanted);
  }

  public static SparkNdException wrongTableColumn(
      String table, String column, String found, String wanted) {
    return state(
        "column %s of table %s is %s; its tensor needs %s: roll the change of the schema back, or"
            + " write the tensor to a new table",
        column, table, found, wanted);
  }

  public static SparkNdException moreTableColumns(String table, List<String> columns) {
    return state(
        "table %s has columns %s beside those of its tensor, and a scatter would lose what they"
            + " hold: keep them in another table",
        table, columns);
  }

  public static SparkNdException badTableName(String name, Throwable cause) {
    return failedAttribute(
        cause,
        "'%s' is no name of a table: write catalog.namespace.table, and parts with other characters"
            + " than letters, digits and _ in backticks",
        name);
  }

  public static SparkNdException encryptedTable(String table) {
    return state("table %s is encrypted, which tensors are not yet", table);
  }

  public static SparkNdException noSuchSnapshot(String table, Object snapshot) {
    return attribute(
        "table %s has no snapshot %s; it may have expired, see the table's history",
        table, snapshot);
  }

  public static SparkNdException pinnedSnapshot(String table, long snapshot) {
    return state(
        "this is table %s as of snapshot %d, which does not change: open the table to write to it",
        table, snapshot);
  }

  public static SparkNdException foreignFile(String table, String file, String format) {
    return file(
        "file %s of table %s is %s, or of another partitioning; a tensor's are Parquet and"
            + " partitioned as the table is now: rewrite it with Iceberg's rewrite_data_files",
        file, table, format);
  }

  public static SparkNdException equalityDeletes(String table, String file) {
    return file(
        "file %s of table %s deletes rows by their values, which is not read here: apply it with"
            + " Iceberg's rewrite_data_files",
        file, table);
  }

  public static SparkNdException rowInWrongBlock(String file, long row) {
    return file(
        "file %s holds row %d of the tensor, which is not of its partition; it was not written by"
            + " Iceberg's rules",
        file, row);
  }

  public static SparkNdException rowTwice(String file, long row) {
    return file(
        "row %d of the tensor is in the table twice, once in file %s: delete one of the two",
        row, file);
  }

  public static SparkNdException blockTooLarge(String table, long rows, long rowsPerBlock) {
    return state(
        "a block of table %s has %d rows to write, more than one array holds; it was created with"
            + " rowsPerBlock %d: write the tensor to a table with less",
        table, rows, rowsPerBlock);
  }

  public static SparkNdException badBatchId(String id) {
    return attribute("batch id '%s' is empty or has a comma; take another", id);
  }

  public static SparkNdException commitLost(String table, int attempts) {
    return state(
        "table %s changed before each of %d commits; nothing was written: let fewer writers have the"
            + " same blocks at once",
        table, attempts);
  }

  public static SparkNdException commitRefused(String table, Throwable cause) {
    return failedState(cause, "the catalog refuses a commit to table %s: %s", table, reason(cause));
  }

  public static SparkNdException commitFailed(String table, Throwable cause) {
    return failedFile(
        cause,
        "a commit to table %s could not be written, and the table is as it was: %s; %s",
        table,
        reason(cause),
        reason(root(cause)));
  }

  public static SparkNdException commitUnknown(String table, Throwable cause) {
    return failedState(
        cause,
        "the catalog did not say whether table %s was committed: look at its history, or call again"
            + " with a batch id, which a commit that holds makes a no-op",
        table);
  }

  public static SparkNdException slicesChanged(String table, List<String> slices, long more) {
    return index(
        "another commit to table %s changed %s%s since it was read, and ifChanged is FAIL: read"
            + " them again, or allow REDO",
        table, String.join(", ", slices), more == 0 ? "" : " and " + more + " more");
  }

  // ---- embeddings: optimizers

  public static SparkNdException outOfBounds(String name, double value, String bounds) {
    return attribute("%s is %s; it must be %s", name, value, bounds);
  }

  public static SparkNdException tooFewSteps(String name, long steps) {
    return attribute("%s over %d steps; it needs at least 1", name, steps);
  }

  public static SparkNdException badBoundaries(List<Long> boundaries, List<Double> rates) {
    return attribute(
        "%d learning rates with boundaries %s; give one rate more than boundaries, and boundaries"
            + " that ascend from step 0 or later",
        rates.size(), boundaries);
  }

  public static SparkNdException emptyRange(double low, double high) {
    return attribute(
        "nothing lies between low %s and high %s; low must be below high, and Initializer.constant"
            + " is for one value",
        low, high);
  }

  public static SparkNdException noRateForFtrl(long step) {
    return attribute(
        "the learning rate of step %d is 0 in float32, and FTRL divides by it: take a schedule that"
            + " stays above 0",
        step);
  }

  // ---- embeddings: lookups

  public static SparkNdException maxNormNotPositive(double maxNorm) {
    return attribute("max_norm is %s; it must be above 0, or infinity for no limit", maxNorm);
  }

  public static SparkNdException lookupDType(DType dtype) {
    return dtype(
        "the tensor is %s; rows are combined of float16, bfloat16, float32 or float64: gather those"
            + " of other dtypes",
        dtype);
  }

  public static SparkNdException lookupIndicesShape(Shape indices, Shape ids) {
    return shape(
        "indices has shape %s and ids %s; ids needs shape [n], and indices [n, 2], the row and the"
            + " column of each",
        indices, ids);
  }

  public static SparkNdException lookupWeightsShape(Shape weights, Shape ids) {
    return shape("weights has shape %s; ids %s need a weight each", weights, ids);
  }

  public static SparkNdException lookupWeightsDType(DType weights) {
    return dtype(
        "weights is %s; weights are float16, bfloat16, float32 or float64: cast them", weights);
  }

  public static SparkNdException lookupRowOutOfBounds(int position, long row, OptionalLong rows) {
    return index(
        "indices[%d] names row %d; rows go from 0%s",
        position, row, rows.isPresent() ? " to " + (rows.getAsLong() - 1) : "");
  }

  public static SparkNdException lookupRowsNotAscending(int position, long row, long before) {
    return index(
        "indices[%d] names row %d after row %d; ids come in the order of their rows: sort them",
        position, row, before);
  }

  public static SparkNdException lookupIdsColumn(String column, String type) {
    return dtype(
        "ids column '%s' is %s; ids are tinyint, smallint, int or bigint, or arrays of these",
        column, type);
  }

  public static SparkNdException lookupWeightsColumn(
      String column, String type, String ids, String idsType) {
    return dtype(
        "weights column '%s' is %s; ids column '%s' is %s, and weights must be float or double,"
            + " arrays where ids are: cast it",
        column, type, ids, idsType);
  }

  public static SparkNdException lookupColumnTaken(String column) {
    return attribute(
        "the rows already have a column '%s', which the lookup adds: name another with"
            + " LookupColumns.into",
        column);
  }

  /** {@code problem} as in "is null". */
  public static SparkNdException lookupList(
      int partition, long row, String column, String problem) {
    return index(
        "column '%s' of row %d of partition %d %s: filter such rows out, or mend them",
        column, row, partition, problem);
  }

  // ---- embeddings: training

  public static SparkNdException badEmbedding(long rows, int dim, int partitions) {
    return attribute(
        "an embedding table of %d rows of %d weights in %d partitions: rows and weights must be"
            + " at least 1, and partitions at least 0; EmbeddingSpec.keyed makes a table that grows",
        rows, dim, partitions);
  }

  public static SparkNdException partitionOfTooManyRows(long rows, int partitions, long most) {
    return attribute(
        "an embedding table of %d rows in %d partitions: a partition has room for %d rows; ask for at"
            + " least %d partitions",
        rows, partitions, most, rows / most + 1);
  }

  public static SparkNdException noTensorOfKeys() {
    return attribute(
        "the ids of this embedding table are keys, and a tensor has its rows by number: use"
            + " toDataset(), which has the key of every row");
  }

  public static SparkNdException notOneIdColumn(List<String> columns) {
    return attribute(
        "gradients of embeddings have ids in columns %s; they need one column of ids", columns);
  }

  public static SparkNdException embeddingDType(DType dtype) {
    return dtype("weights of %s cannot be trained; float32, float16 and bfloat16 can", dtype);
  }

  public static SparkNdException badTraining(String name, int count) {
    return attribute("%s is %d; it must be at least 1", name, count);
  }

  public static SparkNdException notASavedEmbedding(String directory, Throwable cause) {
    return failedFile(
        cause,
        "%s holds no embedding table: there is no embedding.json that this version of SparkND reads",
        directory);
  }

  public static SparkNdException noSuchRow(long id, int position, long step, long rows) {
    return index(
        "id %d, number %d that the mini-batch of step %d asks for, is not in [0, %d), the rows of"
            + " the table",
        id, position, step, rows);
  }

  public static SparkNdException noShards(int shards) {
    return attribute("a mini-batch has %d shards; it needs at least 1", shards);
  }

  public static SparkNdException emptyShard() {
    return attribute(
        "a partition of the mini-batches is empty; each is a shard, and needs one mini-batch at"
            + " least: repartition, or coalesce to fewer");
  }

  // ---- makers

  private static SparkNdException shape(String message, Object... values) {
    return error(Kind.SHAPE, message, values);
  }

  private static SparkNdException dtype(String message, Object... values) {
    return error(Kind.DTYPE, message, values);
  }

  private static SparkNdException index(String message, Object... values) {
    return error(Kind.INDEX, message, values);
  }

  private static SparkNdException attribute(String message, Object... values) {
    return error(Kind.ATTRIBUTE, message, values);
  }

  private static SparkNdException failedAttribute(
      Throwable cause, String message, Object... values) {
    return new SparkNdException(Kind.ATTRIBUTE, String.format(message, values), cause);
  }

  private static SparkNdException file(String message, Object... values) {
    return error(Kind.FILE, message, values);
  }

  private static SparkNdException state(String message, Object... values) {
    return error(Kind.STATE, message, values);
  }

  private static SparkNdException failedState(Throwable cause, String message, Object... values) {
    return new SparkNdException(Kind.STATE, String.format(message, values), cause);
  }

  private static SparkNdException failedFile(Throwable cause, String message, Object... values) {
    return new SparkNdException(Kind.FILE, String.format(message, values), cause);
  }

  private static SparkNdException error(Kind kind, String message, Object... values) {
    return new SparkNdException(kind, String.format(message, values), null);
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
