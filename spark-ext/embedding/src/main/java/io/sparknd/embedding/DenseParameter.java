/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.tensor.Shape;

/** A dense parameter in one mini-batch, and its gradient. */
public final class DenseParameter {
  private final String name;
  private final Shape shape;
  private final float[] values;
  private final float[] gradients;

  /**
   * Creates a parameter, to test a {@link ModelStep} without a model.
   *
   * @param values elements in row-major order
   * @throws io.sparknd.tensor.SparkNdException if the shape has another number of elements
   */
  public DenseParameter(String name, Shape shape, float... values) {
    if (shape.elements() != values.length) {
      throw ModelErrors.parameterElements(name, shape, values.length);
    }
    this.name = name;
    this.shape = shape;
    this.values = values;
    this.gradients = new float[values.length];
  }

  public String name() {
    return name;
  }

  public Shape shape() {
    return shape;
  }

  /** Returns the elements, row-major. Callers must not modify them. */
  public float[] values() {
    return values;
  }

  /**
   * Returns the gradient, row-major, initially zeros. A {@link ModelStep} adds its gradient here.
   */
  public float[] gradients() {
    return gradients;
  }
}
