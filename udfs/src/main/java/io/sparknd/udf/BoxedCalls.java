/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Gather;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.RowReshape;
import io.sparknd.udf.row.SingleRowGather;
import io.sparknd.udf.row.SingleRowScatter;
import org.apache.spark.sql.Row;

/** Runs the operators on boxed values. A NULL argument gives NULL. */
final class BoxedCalls {
  private BoxedCalls() {}

  static Object tensorScatterNd(
      Reduction reduction, Object tensor, Object indices, Object updates) {
    return scatter(Scatter.of(reduction), Indexing.tuples(), "tensor", tensor, indices, updates);
  }

  static Object scatterElements(
      Reduction reduction, Object data, Object indices, Object updates, Integer axis) {
    if (axis == null) {
      return null;
    }
    Scatter how = Scatter.of(reduction).withNegativeIndices(NegativeIndices.WRAP);
    return scatter(how, new Indexing.Elements(axis), "data", data, indices, updates);
  }

  private static Object scatter(
      Scatter how, Indexing where, String name, Object tensor, Object indices, Object updates) {
    if (tensor == null || indices == null || updates == null) {
      return null;
    }
    Tensor target = BoxedTensors.read(name, tensor, null);
    Tensor at = BoxedTensors.indices("indices", indices);
    Tensor values = BoxedTensors.read("updates", updates, target.dtype());
    return BoxedTensors.write(into(how, where, target, at, values), tensor);
  }

  /**
   * Returns the target unchanged if there are no updates, because empty sequences do not show their
   * depth.
   */
  private static Tensor into(
      Scatter how, Indexing where, Tensor target, Tensor indices, Tensor updates) {
    return indices.elements() == 0 && updates.elements() == 0
        ? target
        : new SingleRowScatter(how, where).into(target, indices, updates);
  }

  static Object scatterNd(Object indices, Object updates, Object shape) {
    if (indices == null || updates == null || shape == null) {
      return null;
    }
    Tensor values = BoxedTensors.read("updates", updates, null);
    Tensor at = BoxedTensors.indices("indices", indices);
    Shape result = Shape.of(BoxedTensors.longs("shape", shape));
    if (values.elements() == 0 && result.elements() > 0) {
      throw UdfErrors.emptyUpdates(result);
    }
    Tensor zeros = Tensor.zeros(values.dtype(), result);
    return BoxedTensors.write(into(Scatter.add(), Indexing.tuples(), zeros, at, values), updates);
  }

  static Object gatherNd(Object params, Object indices, Integer batchDims) {
    return batchDims == null
        ? null
        : gather(Gather.strict(), new Indexing.Tuples(batchDims), "params", params, indices);
  }

  static Object gatherElements(Object data, Object indices, Integer axis) {
    Gather how = Gather.strict().withNegativeIndices(NegativeIndices.WRAP);
    return axis == null ? null : gather(how, new Indexing.Elements(axis), "data", data, indices);
  }

  private static Object gather(
      Gather how, Indexing where, String name, Object params, Object indices) {
    if (params == null || indices == null) {
      return null;
    }
    Tensor source = BoxedTensors.read(name, params, null);
    Tensor at = BoxedTensors.indices("indices", indices);
    if (at.elements() == 0 && !(indices instanceof Row)) {
      return nothing(source.dtype(), at.shape(), params);
    }
    return BoxedTensors.write(new SingleRowGather(how, where).from(source, at), params);
  }

  /** Returns a result as empty as the indices, because empty sequences do not show their depth. */
  private static Object nothing(DType dtype, Shape indices, Object params) {
    if (params instanceof Row) {
      throw UdfErrors.emptyIndices(indices, "pass them as a struct (shape, values)");
    }
    return BoxedTensors.write(Tensor.zeros(dtype, indices), params);
  }

  static long[] shape(Object tensor) {
    return tensor == null ? null : BoxedTensors.read("tensor", tensor, null).shape().dims();
  }

  static Object reshape(Object tensor, Object shape) {
    if (tensor == null || shape == null) {
      return null;
    }
    Tensor source = BoxedTensors.read("tensor", tensor, null);
    return BoxedTensors.write(RowReshape.to(source, BoxedTensors.longs("shape", shape)), tensor);
  }
}
