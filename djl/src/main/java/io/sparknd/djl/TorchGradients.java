/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.sparknd.embedding.internal.ModelErrors;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gradients by PyTorch in the thread of the caller. DJL's {@code GradientCollector} allows one at a
 * time in a JVM, but an executor runs several tasks.
 */
public final class TorchGradients {
  private static final String ENGINE = "PyTorch";

  static {
    // else DJL downloads native libraries that are not on the class path
    System.setProperty("ai.djl.offline", System.getProperty("ai.djl.offline", "true"));
  }

  private TorchGradients() {}

  /**
   * Returns a manager of arrays, which the caller closes. Operations of this thread use no other
   * thread: sums then have one order, and tasks do not share cores.
   *
   * @throws io.sparknd.tensor.SparkNdException if PyTorch's native libraries are not on the class
   *     path
   */
  public static NDManager manager() {
    try {
      NDManager manager = Engine.getEngine(ENGINE).newBaseManager(ai.djl.Device.cpu());
      JniUtils.setNumThreads(1);
      return manager;
    } catch (EngineException | LinkageError e) {
      throw ModelErrors.noTorch(e);
    }
  }

  /**
   * Computes a loss, and then its gradient by each of {@code inputs}, see {@link #gradient}.
   *
   * @return the loss
   * @throws io.sparknd.tensor.SparkNdException if the loss is not a scalar of float32
   * @throws EngineException if the loss depends on none of {@code inputs}
   */
  public static float backward(Collection<NDArray> inputs, Supplier<NDArray> loss) {
    boolean before = JniUtils.isGradMode();
    JniUtils.setGradMode(true);
    try {
      inputs.forEach(TorchGradients::requireGradient);
      PtNDArray value = (PtNDArray) loss.get();
      if (value.getShape().dimension() != 0 || value.getDataType() != DataType.FLOAT32) {
        throw ModelErrors.lossShape(value.getShape() + " " + value.getDataType());
      }
      PtNDArray one = (PtNDArray) value.getManager().create(1f);
      JniUtils.backward(value, one, false, false);
      return value.getFloat();
    } finally {
      JniUtils.setGradMode(before);
    }
  }

  /** Forgets the gradient of an earlier loss, to which PyTorch would add. */
  private static void requireGradient(NDArray input) {
    input.setRequiresGradient(true);
    try (NDArray before = gradient(input)) {
      if (before != null) {
        JniUtils.zeroGrad((PtNDArray) input);
      }
    }
  }

  /** Returns the gradient after {@link #backward}; null if the loss did not depend on the input. */
  public static @Nullable NDArray gradient(NDArray input) {
    return JniUtils.getGradient((PtNDArray) input);
  }
}
