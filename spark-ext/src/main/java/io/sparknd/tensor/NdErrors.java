/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.SparkNdException.Kind;

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

  public static SparkNdException indicesNotIntegers(DType dtype) {
    return dtype("indices is %s; indices must be integers, such as int64", dtype);
  }

  public static SparkNdException badIndex(
      String position, String tuple, String target, boolean negativeRefused) {
    return index(
        "%s = %s does not index into %s%s",
        position,
        tuple,
        target,
        negativeRefused ? "; negative indices count from the end only where asked to wrap" : "");
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

  // ---- named operators

  public static SparkNdException unknownWord(String what, String word, String known) {
    return attribute("%s '%s' is not known; known are %s", what, word, known);
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

  // ---- makers

  private static SparkNdException index(String message, Object... values) {
    return error(Kind.INDEX, message, values);
  }

  private static SparkNdException attribute(String message, Object... values) {
    return error(Kind.ATTRIBUTE, message, values);
  }

  private static SparkNdException shape(String message, Object... values) {
    return error(Kind.SHAPE, message, values);
  }

  private static SparkNdException dtype(String message, Object... values) {
    return error(Kind.DTYPE, message, values);
  }

  private static SparkNdException error(Kind kind, String message, Object... values) {
    return new SparkNdException(kind, String.format(message, values), null);
  }
}
