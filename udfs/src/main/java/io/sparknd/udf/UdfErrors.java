/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.tensor.ErrorCondition.ARGUMENT_NOT_CONSTANT;
import static io.sparknd.tensor.ErrorCondition.AXIS_OUT_OF_RANGE;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_OVERFLOW;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_TOO_LONG;
import static io.sparknd.tensor.ErrorCondition.DUPLICATE_INDEX;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_BATCH_DIMS;
import static io.sparknd.tensor.ErrorCondition.INVALID_BINARY_FORM;
import static io.sparknd.tensor.ErrorCondition.INVALID_ELEMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_INDICES;
import static io.sparknd.tensor.ErrorCondition.INVALID_SHAPE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorCondition.NOT_A_TENSOR;
import static io.sparknd.tensor.ErrorCondition.SHAPE_NOT_KNOWN;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UPDATES_MISMATCH;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.shape;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;

/** Errors of scalar SQL functions. */
public final class UdfErrors {
  /** The most bytes of a value in a message. */
  private static final int SHOWN_BYTES = 16;

  private static final String STRUCT = "struct<shape: array<bigint>, values: array<T>>";

  private UdfErrors() {}

  public static SparkNdException tooLargeForRow(Shape shape, int width, long limit) {
    return shape(
        TOO_LARGE.sub("TOO_LARGE_FOR_ROW"),
        "a tensor of shape <shape> has <elements> elements of <width> bytes; a value of"
            + " a row holds at most <limit> bytes with its headers, because it is one Java "
            + "array: use a smaller shape, or store the tensor as a table of slices, as the "
            + "table function scatter_nd does",
        shape,
        shape.elements(),
        width,
        limit);
  }

  public static SparkNdException groupTooLarge(long updates, int elements, int limit) {
    return shape(
        TOO_LARGE.sub("GROUP_TOO_LARGE"),
        "a group of scatter_nd_agg has <updates> updates of <elements> elements each, more than one array"
            + " of <limit> elements holds: aggregate smaller groups, or use the table function scatter_nd",
        updates,
        elements,
        limit);
  }

  public static SparkNdException decimalSumTooLong(long updates, String type) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMAL_SUM_TOO_LONG"),
        "an intermediate sum of <updates> updates of <type> may exceed 64 bits: cast the values to"
            + " fewer fractional digits, or to double",
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

  public static SparkNdException notATensor(String argument, String type) {
    return dtype(
        NOT_A_TENSOR.sub("NOT_A_TENSOR"),
        "<argument> is <type>, which is not a tensor type; tensors are arrays, nested "
            + "as deep as the rank, or <struct>, of boolean, tinyint, smallint, int, bigint, "
            + "float, double, decimal or string",
        argument,
        type,
        STRUCT);
  }

  public static SparkNdException notOnGpu(String type) {
    return dtype(
        NOT_A_TENSOR.sub("NOT_ON_GPU"),
        "an argument of a class of io.sparknd.udf.gpu is a column of <type> on a GPU, and these classes"
            + " take arrays of numbers or booleans there: call the SQL function of that name, or"
            + " register the class of that name in io.sparknd.udf",
        type);
  }

  public static SparkNdException arrayOfZeros(String type) {
    return dtype(
        NOT_A_TENSOR.sub("ARRAY_OF_ZEROS"),
        "type is '<type>', and zeros are nested as deep as their shape: name the type of an"
            + " element, such as int, or <struct>",
        type,
        STRUCT);
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
        "<argument> is <type> and <target> holds <needed> values, and no implicit cast keeps all values:"
            + " cast them explicitly",
        argument,
        type,
        target,
        needed);
  }

  public static SparkNdException castChangesValue(String argument, String value, DType dtype) {
    return dtype(
        INVALID_ELEMENT.sub("CAST_CHANGES_VALUE"),
        "<argument> holds <value>, which <dtype> cannot represent: cast it explicitly if it may"
            + " change",
        argument,
        value,
        dtype);
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
        "the type of the result depends on the number of values in each tuple of "
            + "<indices> into <params>, which is known only at run time: pass depth => "
            + "<choices>",
        indices,
        params,
        choices);
  }

  public static SparkNdException emptyIndices(Shape indices, String fix) {
    return shape(
        INVALID_INDICES.sub("EMPTY_INDICES"),
        "indices is an empty array, of shape <indices>, which does not show the length of its tuples, and"
            + " so not the shape of the result: <fix>",
        indices,
        fix);
  }

  public static SparkNdException emptyUpdates(Shape shape) {
    return dtype(
        INVALID_ELEMENT.sub("EMPTY_UPDATES"),
        "updates is empty, which does not show the type of the result of shape <shape>: use scatter_nd"
            + " of SparkND's session extension, which takes it from the types of columns",
        shape);
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
        "the result type of <function> depends on the length of <argument>, which is "
            + "known only at run time: write it as array(...), or use structs (shape, values)",
        function,
        argument);
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
        "the value has <bytes> bytes, which is not a whole number of <dtype> elements "
            + "of <elementBytes> bytes each",
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

  public static SparkNdException notUtf8(byte[] bytes) {
    int shown = Math.min(bytes.length, SHOWN_BYTES);
    return shape(
        INVALID_TENSOR_VALUE.sub("NOT_UTF8"),
        "string X'<bytes>' has bytes that are not UTF-8, which elements of a tensor cannot have: write"
            + " make_valid_utf8(...) to replace them",
        HexFormat.of().withUpperCase().formatHex(bytes, 0, shown)
            + (shown < bytes.length ? "..." : ""));
  }

  public static SparkNdException notAString(String argument, String type) {
    return attribute(
        INVALID_ARGUMENT.sub("NOT_A_STRING"),
        "<argument> is <type>; it must be a string",
        argument,
        type);
  }

  public static SparkNdException notABoolean(String argument, String type) {
    return attribute(
        INVALID_ARGUMENT.sub("NOT_A_BOOLEAN"),
        "<argument> is <type>; it must be true or false",
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
        "<row> has <found> values and <first> has <needed>: a ragged array is not a " + "tensor",
        row,
        found,
        first,
        needed);
  }

  public static SparkNdException duplicateRows(String tuple, String reduction) {
    return index(
        DUPLICATE_INDEX.sub("DUPLICATE_ROWS"),
        "index <tuple> occurs in more than one row of the group, and the result of "
            + "'<reduction>' depends on their order: pass order_by, or another reduction",
        tuple,
        reduction);
  }

  public static SparkNdException aggregateIndexLength(String index, int length, int depth) {
    return shape(
        INVALID_INDICES.sub("AGGREGATE_INDEX_LENGTH"),
        "index <index> has <length> values; value and shape need <depth>",
        index,
        length,
        depth);
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
        "<argument> is a <type>, which is not a tensor: pass an array column, nested as"
            + " deep as the rank, or a struct of shape and values",
        argument,
        value.getClass().getSimpleName());
  }

  public static SparkNdException mixedValues(String argument, Object value, DType dtype) {
    return dtype(
        INVALID_ELEMENT.sub("MIXED_VALUES"),
        "<argument> holds a <type>; its values must be <dtype>",
        argument,
        value.getClass().getSimpleName(),
        dtype);
  }
}
