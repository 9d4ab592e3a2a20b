/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal;

import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.DUPLICATE_INDEX;
import static io.sparknd.tensor.ErrorCondition.INPUT_CHANGED;
import static io.sparknd.tensor.ErrorCondition.INVALID_INDICES;
import static io.sparknd.tensor.ErrorCondition.INVALID_SAVED_TENSOR;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorCondition.NULL_INDEX;
import static io.sparknd.tensor.ErrorCondition.PATH_EXISTS;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.VERSION_CLOSED;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;

/** Creates the exceptions of distributed tensors. */
public final class ClusterErrors {
  private ClusterErrors() {}

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
        "index <tuple> occurs more than once; keep one of its rows, or set duplicates "
            + "to 'in_order'",
        tuple);
  }

  public static SparkNdException rowOutsideTensor(String position, String tuple, String target) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("ROW_OUTSIDE_TENSOR"),
        "<position> = <tuple> is out of bounds for <target>: correct the row, or give the tensor a larger shape",
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
        "a slice of shape <slice> of <dtype> exceeds 2 GiB, the limit of a row: use more index columns",
        slice,
        dtype);
  }

  public static SparkNdException columnTaken(String column) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_TAKEN"),
        "the indices already have a column '<column>', which the gather would add: rename it first",
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
        "the index rows changed between the check and the gather, so their source is not deterministic:"
            + " checkpoint or save them first");
  }

  public static SparkNdException tooLargeToBroadcast(String what, long most) {
    return state(
        TOO_LARGE.sub("TOO_LARGE_TO_BROADCAST"),
        "<what> cannot be broadcast, since spark.driver.maxResultSize = <most> bytes: raise it, or use"
            + " another strategy, such as shuffle_indices",
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

  public static SparkNdException orderColumnType(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("ORDER_COLUMN_TYPE"),
        "column '<column>', which orders updates, is <type>, and Spark does not order such values: name"
            + " columns of numbers, times or strings",
        column,
        type);
  }

  public static SparkNdException complexParts(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("COMPLEX_PARTS"),
        "'<column>' is <type>; a complex number is struct<parts>, with these names in this order: write"
            + " named_struct('re', ..., 'im', ...)",
        column,
        type,
        "<re, im>");
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
        "partition <partition> of the table has other rows than when it was first read: read the table"
            + " again, without concurrent writers",
        partition);
  }

  public static SparkNdException versionClosed(String version) {
    return state(
        VERSION_CLOSED, "<version> is closed: close a version after its last use", version);
  }

  public static SparkNdException targetNotEmpty(String directory) {
    return file(
        PATH_EXISTS.sub("TARGET_NOT_EMPTY"),
        "<directory> is not empty; save to a new directory",
        directory);
  }

  public static SparkNdException notASavedTensor(String directory, IOException cause) {
    return failedFile(
        cause,
        INVALID_SAVED_TENSOR.sub("NOT_A_SAVED_TENSOR"),
        "<directory> is not a saved tensor: tensor.json cannot be read: <reason>",
        directory,
        reason(cause));
  }

  public static SparkNdException fileElsewhere(String directory, String name) {
    return file(
        INVALID_SAVED_TENSOR.sub("FILE_ELSEWHERE"),
        "<directory> refers to a file '<name>' outside the directory; file names must "
            + "not contain / or :",
        directory,
        name);
  }

  public static SparkNdException damagedBlocks(String file) {
    return file(
        INVALID_SAVED_TENSOR.sub("DAMAGED_BLOCKS"),
        "<file> is damaged: its blocks do not match their checksums or its index",
        file);
  }
}
