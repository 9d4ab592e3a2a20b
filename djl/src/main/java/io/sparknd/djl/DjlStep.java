/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.ModelRows;
import io.sparknd.embedding.ModelStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The step of a model in DJL's arrays. PyTorch computes the gradients in the thread of the task, on
 * the CPU. A step that is repeated on a CPU of the same type has the same bits; PyTorch has other
 * kernels for CPUs with other vector instructions.
 *
 * @param <B> a mini-batch, or one shard's part of it
 */
public record DjlStep<B>(DjlModel<B> model) implements ModelStep<B> {
  private static final long serialVersionUID = 1;

  @Override
  public Map<String, long[]> ids(B batch) {
    return model.ids(batch);
  }

  @Override
  public Loss step(B batch, ModelRows rows) {
    try (NDManager manager = TorchGradients.manager()) {
      ModelArrays arrays = ModelArrays.of(manager, rows);
      List<NDArray> inputs = new ArrayList<>(arrays.tables().values());
      inputs.addAll(arrays.parameters().values());
      float loss = TorchGradients.backward(inputs, () -> model.loss(batch, arrays));
      arrays.tables().forEach((name, array) -> add(array, rows.table(name).gradients()));
      arrays.parameters().forEach((name, array) -> add(array, rows.dense(name).gradients()));
      return new Loss(loss, model.examples(batch));
    }
  }

  private static void add(NDArray input, float[] to) {
    try (NDArray gradient = TorchGradients.gradient(input)) {
      if (gradient != null) {
        float[] values = gradient.toFloatArray();
        for (int i = 0; i < values.length; i++) {
          to[i] += values[i];
        }
      }
    }
  }

  /**
   * Computes predictions without gradients.
   *
   * @param rows such as of {@code EmbeddingModel.fetch}
   * @param function makes an array of float32
   * @return its elements, row-major
   */
  public static float[] evaluate(ModelRows rows, Function<ModelArrays, NDArray> function) {
    try (NDManager manager = TorchGradients.manager()) {
      return function.apply(ModelArrays.of(manager, rows)).toFloatArray();
    }
  }
}
