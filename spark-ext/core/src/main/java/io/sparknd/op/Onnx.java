/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;

/**
 * ONNX's operators, each as defined by the given opset. A negative index counts from the end from
 * opset 11 on and is an error before; an out-of-bounds index is an error. If updates repeat an
 * element and the reduction is {@code none}, the last one wins; ONNX leaves this undefined. Source:
 * the operator pages and change log of ONNX, opsets 9 to 18; later opsets do not change these
 * operators.
 */
public final class Onnx {
  /** The newest opset that changes one of these operators. */
  public static final int NEWEST_OPSET = 18;

  /** The first opset with negative indices. */
  private static final int NEGATIVE_OPSET = 11;

  private static final OptionNames<Reduction> REDUCTIONS =
      OptionNames.<Reduction>of("reduction")
          .and("none", Reduction.NONE)
          .and("add", Reduction.ADD)
          .and("mul", Reduction.MUL)
          .and("max", Reduction.MAX)
          .and("min", Reduction.MIN);

  private Onnx() {}

  /**
   * Returns the reduction that ONNX calls {@code name}: {@code none}, {@code add}, {@code mul},
   * {@code max} or {@code min}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static Reduction reduction(String name) {
    return REDUCTIONS.find(name);
  }

  /**
   * {@code ScatterND}, from opset 11; {@code add} and {@code mul} from 16, {@code max} and {@code
   * min} from 18.
   *
   * @param indices int64 {@code [..., k]}
   * @param updates {@code [...] + shape[k:]}; bfloat16 from opset 13
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static ScatterCall scatterNd(
      int opset, Reduction reduction, Tensor indices, Tensor updates) {
    String operator = "ScatterND";
    requireOpset(operator, 11, opset);
    requireReduction(operator, opset, reduction);
    requireDType(opset, updates.dtype());
    requireInt64(operator, indices);
    return ScatterCall.of(how(opset, reduction), indices, updates);
  }

  /**
   * {@code GatherND}, from opset 11; {@code batch_dims} from 12.
   *
   * @param data the dtype of the tensor; bfloat16 from opset 13
   * @param batchDims the number of leading dimensions that indices and tensor share
   * @param indices int64 {@code [b, ..., k]}
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static GatherCall gatherNd(int opset, DType data, int batchDims, Tensor indices) {
    String operator = "GatherND";
    requireOpset(operator, 11, opset);
    if (batchDims != 0) {
      requireOpset("batch_dims " + batchDims, 12, opset);
    }
    requireDType(opset, data);
    requireInt64(operator, indices);
    return new GatherCall(how(opset), new Indexing.Tuples(batchDims), indices);
  }

  /**
   * {@code ScatterElements}, from opset 11, with the reductions of {@link #scatterNd}.
   *
   * @param axis counts from the end if negative
   * @param indices int32 or int64, of the tensor's rank
   * @param updates the shape of {@code indices}; bfloat16 from opset 13
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static ScatterCall scatterElements(
      int opset, int axis, Reduction reduction, Tensor indices, Tensor updates) {
    String operator = "ScatterElements";
    requireOpset(operator, 11, opset);
    requireReduction(operator, opset, reduction);
    return elements(operator, opset, axis, reduction, indices, updates);
  }

  /**
   * {@code GatherElements}, from opset 11.
   *
   * @param data the dtype of the tensor; bfloat16 from opset 13
   * @param axis counts from the end if negative
   * @param indices int32 or int64, of the tensor's rank; the result has their shape
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static GatherCall gatherElements(int opset, DType data, int axis, Tensor indices) {
    String operator = "GatherElements";
    requireOpset(operator, 11, opset);
    requireDType(opset, data);
    requireInt32Or64(operator, indices);
    return new GatherCall(how(opset), new Indexing.Elements(axis), indices);
  }

  /**
   * {@code Scatter} of opsets 9 and 10; later opsets use {@link #scatterElements}.
   *
   * @param axis counts from the end if negative
   * @param indices int32 or int64, of the tensor's rank
   * @param updates the shape of {@code indices}
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static ScatterCall scatter(int opset, int axis, Tensor indices, Tensor updates) {
    String operator = "Scatter";
    requireOpset(operator, 9, opset);
    if (opset > 10) {
      throw OperatorErrors.endedBeforeOpset(operator, 10, opset, "ScatterElements");
    }
    return elements(operator, opset, axis, Reduction.NONE, indices, updates);
  }

  /**
   * {@code Gather}, from opset 1; the result has shape {@code shape[:axis] + indices.shape +
   * shape[axis + 1:]}.
   *
   * @param data the dtype of the tensor; bfloat16 from opset 13
   * @param axis counts from the end if negative
   * @param indices int32 or int64, of any shape
   * @throws io.sparknd.tensor.SparkNdException if the opset does not define this
   */
  public static GatherCall gather(int opset, DType data, int axis, Tensor indices) {
    String operator = "Gather";
    requireOpset(operator, 1, opset);
    requireDType(opset, data);
    requireInt32Or64(operator, indices);
    return new GatherCall(how(opset), new Indexing.Axis(axis), indices);
  }

  private static ScatterCall elements(
      String operator, int opset, int axis, Reduction reduction, Tensor indices, Tensor updates) {
    requireDType(opset, updates.dtype());
    requireInt32Or64(operator, indices);
    return new ScatterCall(how(opset, reduction), new Indexing.Elements(axis), indices, updates);
  }

  private static Scatter how(int opset, Reduction reduction) {
    return Scatter.of(reduction).withIndices(policy(opset));
  }

  private static Gather how(int opset) {
    return new Gather(policy(opset));
  }

  private static IndexPolicy policy(int opset) {
    IndexPolicy policy = opset < NEGATIVE_OPSET ? IndexPolicy.STRICT : IndexPolicy.WRAPPING;
    return policy.withRemedy(PolicyRemedy.NONE);
  }

  private static void requireReduction(String operator, int opset, Reduction reduction) {
    REDUCTIONS.require(operator, reduction);
    int needed =
        switch (reduction) {
          case ADD, MUL -> 16;
          case MIN, MAX -> 18;
          default -> 11;
        };
    requireOpset("reduction '" + reduction + "'", needed, opset);
  }

  private static void requireDType(int opset, DType dtype) {
    if (dtype == DType.BFLOAT16) {
      requireOpset(dtype.toString(), 13, opset);
    }
  }

  private static void requireOpset(String what, int needed, int opset) {
    if (opset < needed) {
      throw OperatorErrors.needsOpset(what, needed, opset);
    }
  }

  private static void requireInt64(String operator, Tensor indices) {
    if (indices.dtype() != DType.INT64) {
      throw OperatorErrors.indicesDType(operator, indices.dtype(), "int64");
    }
  }

  private static void requireInt32Or64(String operator, Tensor indices) {
    if (indices.dtype() != DType.INT64 && indices.dtype() != DType.INT32) {
      throw OperatorErrors.indicesDType(operator, indices.dtype(), "int32 or int64");
    }
  }
}
