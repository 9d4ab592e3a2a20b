/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;
import ai.djl.util.Pair;
import io.sparknd.embedding.DenseSpec;
import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.optimizer.Initializer;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A block of DJL, such as a {@code SequentialBlock}, whose parameters are dense parameters of a
 * model. Each step makes the block anew, and calls it as for inference: dropout drops nothing, and
 * blocks with state, such as of batch normalization, are errors.
 *
 * @param name parameters are named {@code NAME.PARAMETER}, as the block names them
 * @param factory makes the block
 */
public record BlockLayer(String name, Factory factory) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Makes a block, the same at every call. */
  public interface Factory extends Supplier<Block>, Serializable {}

  /**
   * Adds the parameters of the block. Those of a scale ({@code gamma}) are 1, those of a shift
   * ({@code beta}) are 0. Others of rank 2 and more are uniform within {@code 1 / sqrt(n)} of 0,
   * where {@code n} is the number of elements per output, as in PyTorch's {@code nn.Linear}, and of
   * rank 1 are 0.
   *
   * @param inputs shapes of the inputs, with any size of the mini-batch
   * @throws io.sparknd.tensor.SparkNdException if a parameter is state that has no gradient
   */
  public DenseSpec addTo(DenseSpec spec, long seed, Shape... inputs) {
    DenseSpec all = spec;
    try (NDManager manager = TorchGradients.manager()) {
      Block block = factory.get();
      block.initialize(manager, DataType.FLOAT32, inputs);
      for (Pair<String, Parameter> parameter : block.getParameters()) {
        String full = name + "." + parameter.getKey();
        if (!parameter.getValue().requiresGradient()) {
          throw ModelErrors.blockState(full);
        }
        Shape shape = parameter.getValue().getShape();
        Initializer initial = initializer(parameter.getValue(), seed);
        all = all.with(full, io.sparknd.tensor.Shape.of(shape.getShape()), initial);
      }
    }
    return all;
  }

  private static Initializer initializer(Parameter parameter, long seed) {
    Shape shape = parameter.getShape();
    if (parameter.getType() == Parameter.Type.GAMMA) {
      return Initializer.constant(1);
    }
    if (shape.dimension() < 2 || parameter.getType() == Parameter.Type.BETA) {
      return Initializer.constant(0);
    }
    double bound = 1 / Math.sqrt((double) shape.size() / shape.get(0));
    return Initializer.uniform(-bound, bound, seed);
  }

  /** Applies the block with the dense parameters of a model. */
  public NDArray apply(ModelArrays arrays, NDArray... inputs) {
    Block block = initialized(arrays.manager(), inputs);
    Map<String, String> names = new HashMap<>();
    for (Pair<String, Parameter> parameter : block.getParameters()) {
      names.put(parameter.getValue().getId(), name + "." + parameter.getKey());
    }
    ParameterStore store =
        new ParameterStore(arrays.manager(), false) {
          @Override
          public NDArray getValue(Parameter parameter, Device device, boolean training) {
            return arrays.dense(String.valueOf(names.get(parameter.getId())));
          }
        };
    return block.forward(store, new NDList(inputs), false).singletonOrThrow();
  }

  /** Some blocks, such as of layer normalization, learn the shape of their input only by that. */
  private Block initialized(NDManager manager, NDArray... inputs) {
    Block block = factory.get();
    block.setInitializer(ai.djl.training.initializer.Initializer.ZEROS, parameter -> true);
    Shape[] shapes =
        Arrays.stream(inputs).map(input -> ofSomeExamples(input.getShape())).toArray(Shape[]::new);
    try (NDManager unused = manager.newSubManager()) {
      block.initialize(unused, DataType.FLOAT32, shapes);
    }
    return block;
  }

  /** Returns the shape of inputs with at least one example, as blocks may require. */
  private static Shape ofSomeExamples(Shape shape) {
    long[] sizes = shape.getShape().clone();
    if (sizes.length > 0) {
      sizes[0] = Math.max(1, sizes[0]);
    }
    return new Shape(sizes);
  }
}
