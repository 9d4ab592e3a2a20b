/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Lamb;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The definition of the dense parameters of a model: float32 tensors that every shard reads in
 * every step. Their gradients are summed in shard order, and the optimizer applies the sum once a
 * step.
 *
 * <p>Parameters are stored in rows of 256 elements, which the partitions of the model share; a row
 * has elements of one parameter alone. Optimizers that compute something of a row are therefore
 * errors: LAMB, row-wise Adagrad, and clips by norm. A custom rule must update each element by
 * itself.
 *
 * @param optimizer optimizer of all dense parameters
 * @param parameters parameters, with distinct names
 */
public record DenseSpec(Optimizer optimizer, List<Parameter> parameters) {
  /** A task has all rows in one array. */
  private static final long MAX_ROWS = (Integer.MAX_VALUE - DenseLayout.ROW) / DenseLayout.ROW;

  /** A parameter: its name in the model, its shape, and its initial elements. */
  public record Parameter(String name, Shape shape, Initializer initializer)
      implements Serializable {
    public Parameter {
      ModelSpec.checkName(name);
      if (shape.elements() < 1 || DenseLayout.rows(shape) > MAX_ROWS) {
        throw ModelErrors.parameterShape(name, shape);
      }
    }
  }

  public DenseSpec {
    parameters = List.copyOf(parameters);
    List<String> names = new ArrayList<>();
    long rows = 0;
    for (Parameter parameter : parameters) {
      if (names.contains(parameter.name())) {
        throw ModelErrors.nameTaken("parameter", parameter.name());
      }
      names.add(parameter.name());
      rows += DenseLayout.rows(parameter.shape());
      if (rows > MAX_ROWS) {
        throw ModelErrors.parameterShape(parameter.name(), parameter.shape());
      }
    }
    boolean hasRowState =
        optimizer.slots().stream().anyMatch(slot -> slot.width() == OptimizerSlot.Width.ROW);
    if (hasRowState
        || optimizer instanceof Lamb
        || optimizer.descent().clip() instanceof Clip.ByNorm) {
      throw ModelErrors.denseOptimizer(optimizer);
    }
  }

  /** Returns a definition without parameters. */
  public static DenseSpec of(Optimizer optimizer) {
    return new DenseSpec(optimizer, List.of());
  }

  /**
   * Adds a parameter. Initial elements depend on the seed of the initializer and on the parameters
   * before.
   *
   * @param name letters, digits, {@code _}, {@code -} and {@code .}
   */
  public DenseSpec with(String name, Shape shape, Initializer initializer) {
    List<Parameter> all = new ArrayList<>(parameters);
    all.add(new Parameter(name, shape, initializer));
    return new DenseSpec(optimizer, all);
  }

  /**
   * Adds the parameters of a linear layer, {@code NAME.weight}, {@code [out, in]}, and {@code
   * NAME.bias}, {@code [out]}. Both are uniform within {@code 1 / sqrt(in)} of 0, as in PyTorch's
   * {@code nn.Linear}.
   *
   * @param in inputs, at least 1
   * @param out outputs, at least 1
   */
  public DenseSpec withLinear(String name, int in, int out, long seed) {
    double bound = 1 / Math.sqrt(Math.max(1, in));
    Initializer initializer = Initializer.uniform(-bound, bound, seed);
    return with(name + ".weight", Shape.of(out, in), initializer)
        .with(name + ".bias", Shape.of(out), initializer);
  }
}
