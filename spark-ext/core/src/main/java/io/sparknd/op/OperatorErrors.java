/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static io.sparknd.tensor.ErrorCondition.AXIS_OUT_OF_RANGE;
import static io.sparknd.tensor.ErrorCondition.DUPLICATE_INDEX;
import static io.sparknd.tensor.ErrorCondition.INDEX_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.INVALID_BATCH_DIMS;
import static io.sparknd.tensor.ErrorCondition.INVALID_INDICES;
import static io.sparknd.tensor.ErrorCondition.NEGATIVE_INDEX;
import static io.sparknd.tensor.ErrorCondition.SHAPES_DO_NOT_BROADCAST;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_OPERATOR;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_REDUCTION;
import static io.sparknd.tensor.ErrorCondition.UPDATES_MISMATCH;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.shape;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;

/** Errors of scatters, gathers and their indices. */
public final class OperatorErrors {
  private OperatorErrors() {}

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

  public static SparkNdException batchDimsOutOfRange(int batchDims, int depth) {
    return attribute(
        INVALID_BATCH_DIMS.sub("BATCH_DIMS_OVER_INDEX_COLUMNS"),
        "batch_dims is <batchDims>; of <depth> index columns it can be 0 to <depth>",
        batchDims,
        depth,
        depth);
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
        "dim is <axis>; for a scalar tensor or scalar indices it must be 0 or -1 (the tensor has shape <tensor>)",
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

  /**
   * Returns the error for a tuple with a value out of bounds.
   *
   * @param policy the policy that rejected it; with {@link BadIndices#CLIP} a dimension has size 0
   */
  public static SparkNdException badIndex(
      String position, String tuple, String target, IndexPolicy policy) {
    return index(
        INDEX_OUT_OF_BOUNDS,
        "<position> = <tuple> is out of bounds for <target>: correct it<remedy>",
        position,
        tuple,
        target,
        policy.bad() instanceof BadIndices.Clip
            ? "; a dimension of size 0 has no index to clip to"
            : remedy(policy, ", or set bad_indices to 'ignore' or 'clip'"));
  }

  public static SparkNdException negativeIndex(
      String position, String tuple, String target, IndexPolicy policy) {
    return index(
        NEGATIVE_INDEX,
        "<position> = <tuple> is negative for <target>: correct it<remedy>",
        position,
        tuple,
        target,
        remedy(policy, ", or set negative to 'wrap' to count from the end" + oob(policy)));
  }

  private static String oob(IndexPolicy policy) {
    return policy.bad() instanceof BadIndices.Error
        ? ""
        : ", or to 'oob' to treat it as out of bounds";
  }

  private static String remedy(IndexPolicy policy, String options) {
    return switch (policy.remedy()) {
      case OPTIONS -> options;
      case IGNORE -> ", or pass BadIndices.IGNORE";
      case NONE -> "";
    };
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

  public static SparkNdException reductionNotDefined(
      Object reduction, DType dtype, String defined) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("REDUCTION_NOT_DEFINED_OF"),
        "<reduction> is not defined for <dtype>; defined are <defined>",
        reduction,
        dtype,
        defined);
  }

  public static SparkNdException fillInScatter() {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("FILL_IN_SCATTER"),
        "bad_indices 'fill' is for gathers; a scatter takes 'error', 'ignore' or 'clip'");
  }

  public static SparkNdException unknownValue(String what, String value, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_VALUE"),
        "<what> '<value>' is unknown; use one of <known>",
        what,
        value,
        known);
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

  public static SparkNdException indexNotVector(String operator, Shape index) {
    return shape(
        INVALID_INDICES.sub("INDEX_NOT_VECTOR"),
        "index has shape <index>; <operator> needs a vector or a scalar",
        index,
        operator);
  }

  public static SparkNdException alphaDoesNotApply(Number alpha, DType dtype) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("ALPHA_DOES_NOT_APPLY"),
        "alpha <alpha> does not scale <dtype> values",
        alpha,
        dtype);
  }
}
