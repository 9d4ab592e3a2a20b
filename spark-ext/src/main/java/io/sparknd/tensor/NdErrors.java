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

  // ---- kernels

  public static SparkNdException reductionNotDefined(
      Object reduction, DType dtype, String defined) {
    return dtype("%s is not defined for %s; defined are %s", reduction, dtype, defined);
  }

  public static SparkNdException unknownKernel(String name, String known) {
    return error(Kind.ATTRIBUTE, "kernel '%s' is not known; known are %s", name, known);
  }

  public static SparkNdException kernelNeedsModule(String name, String module) {
    return error(
        Kind.STATE,
        "kernel '%s' needs the module %s, which this JVM was started without: start it with"
            + " --add-modules=%s, or take kernel 'auto' or 'scalar'",
        name,
        module,
        module);
  }

  public static SparkNdException kernelNotBuilt(String name) {
    return error(
        Kind.STATE,
        "kernel '%s' is not in this build of SparkND: take kernel 'auto', 'vector' or 'scalar'",
        name);
  }

  // ---- makers

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
