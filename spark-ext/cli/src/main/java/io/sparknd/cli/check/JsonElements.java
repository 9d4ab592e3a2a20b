/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.ElementText;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;

/** Reads tensor elements from JSON: numbers, booleans, strings, and pairs for complex elements. */
final class JsonElements {
  private JsonElements() {}

  /** Returns the value of {@code node} in the form that {@link Tensor#fill} accepts. */
  static Object value(DType dtype, JsonNode node) {
    if (node.isNumber()) {
      return node.numberValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isTextual()) {
      return ElementText.parse(dtype, node.textValue());
    }
    if (dtype.kind() == DType.Kind.COMPLEX && node.isArray() && node.size() == 2) {
      return new Complex(node.get(0).asDouble(), node.get(1).asDouble());
    }
    throw CaseException.malformed("%s is not an element of a %s tensor", node, dtype);
  }

  /** Returns the tensor with the elements of the flat list {@code list}. */
  static Tensor tensor(DType dtype, Shape shape, JsonNode list) {
    if (!list.isArray() || list.size() != shape.elements()) {
      throw CaseException.malformed(
          "an alternative has %d elements, not the %d of shape %s",
          list.size(), shape.elements(), shape);
    }
    try {
      // the new tensor is not shared yet, so its array may be written
      Tensor tensor = Tensor.zeros(dtype, shape);
      int units = dtype.units();
      for (int i = 0; i < list.size(); i++) {
        Tensor one = Tensor.fill(dtype, Shape.of(), value(dtype, list.get(i)));
        System.arraycopy(one.array(), 0, tensor.array(), i * units, units);
      }
      return tensor;
    } catch (SparkNdException e) {
      throw CaseException.malformed("cannot read an alternative: %s", e.getMessage());
    }
  }
}
