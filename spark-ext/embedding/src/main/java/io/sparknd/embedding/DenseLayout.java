/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.step.ParameterNames;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * The rows of dense parameters in their table. Each parameter begins with a row of its own, and the
 * rest of its last row is not used.
 */
record DenseLayout(List<Place> places) implements ParameterNames {
  /** Elements of a row. */
  static final int ROW = 256;

  /** A parameter and its first row. */
  record Place(String name, Shape shape, int first) implements Serializable {
    int elements() {
      return (int) shape.elements();
    }

    int rows() {
      return (int) DenseLayout.rows(shape);
    }

    float[] values(float[] rows) {
      int at = Math.multiplyExact(first, ROW);
      return Arrays.copyOfRange(rows, at, at + elements());
    }
  }

  /** Returns the number of rows of a parameter, which has elements. */
  static long rows(Shape shape) {
    return (shape.elements() - 1) / ROW + 1;
  }

  static DenseLayout of(DenseSpec spec) {
    List<Place> places = new ArrayList<>();
    int first = 0;
    for (DenseSpec.Parameter parameter : spec.parameters()) {
      Place place = new Place(parameter.name(), parameter.shape(), first);
      places.add(place);
      first = Math.addExact(first, place.rows());
    }
    return new DenseLayout(List.copyOf(places));
  }

  /** Returns the definition of the table of parameters, of which there is at least one. */
  static EmbeddingSpec table(DenseSpec spec) {
    DenseLayout layout = of(spec);
    List<Initializer.ByRow.Range> ranges = new ArrayList<>();
    for (int i = 0; i < layout.places().size(); i++) {
      ranges.add(
          new Initializer.ByRow.Range(
              layout.places().get(i).first(), spec.parameters().get(i).initializer()));
    }
    return EmbeddingSpec.of(layout.rows(), ROW, spec.optimizer())
        .withInitializer(new Initializer.ByRow(ranges));
  }

  int rows() {
    Place last = places.get(places.size() - 1);
    return last.first() + last.rows();
  }

  @Override
  public String name(long row) {
    return places.stream()
        .filter(place -> row < place.first() + place.rows())
        .findFirst()
        .orElseThrow()
        .name();
  }

  /** Returns the ids of all rows. */
  long[] ids() {
    return LongStream.range(0, rows()).toArray();
  }

  /**
   * Returns the parameters of a step.
   *
   * @param rows elements of all rows, {@code [rows(), ROW]}
   */
  Map<String, DenseParameter> parameters(float[] rows) {
    Map<String, DenseParameter> parameters = new LinkedHashMap<>();
    for (Place place : places) {
      parameters.put(
          place.name(), new DenseParameter(place.name(), place.shape(), place.values(rows)));
    }
    return parameters;
  }

  /** Copies the gradients of parameters to those of rows. */
  void copyGradients(Map<String, DenseParameter> parameters, float[] rows) {
    for (Place place : places) {
      float[] gradients = Objects.requireNonNull(parameters.get(place.name())).gradients();
      System.arraycopy(gradients, 0, rows, place.first() * ROW, gradients.length);
    }
  }

  /** Returns the parameters as tensors. */
  Map<String, Tensor> tensors(float[] rows) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (Place place : places) {
      tensors.put(place.name(), Tensor.of(place.shape(), place.values(rows)));
    }
    return tensors;
  }
}
