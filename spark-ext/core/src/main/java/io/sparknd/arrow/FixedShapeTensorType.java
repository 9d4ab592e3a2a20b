/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sparknd.tensor.Shape;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Arrow's canonical extension type {@code arrow.fixed_shape_tensor}. Each value of the column is a
 * tensor of one shape, stored as a fixed-size list of its elements, row-major. {@link ArrowTensors}
 * does not need the type registered; other Arrow readers see plain lists without registration.
 */
public final class FixedShapeTensorType extends ExtensionType {
  /** The extension's name in Arrow's list of canonical extensions. */
  public static final String NAME = "arrow.fixed_shape_tensor";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Shape shape;
  private final JsonNode parameters;

  private FixedShapeTensorType(Shape shape, JsonNode parameters) {
    this.shape = shape;
    this.parameters = parameters;
  }

  /** The type of cells of {@code shape}, which has fewer than 2^31 elements. */
  static FixedShapeTensorType of(Shape shape) {
    return new FixedShapeTensorType(
        shape, JsonNodeFactory.instance.objectNode().set("shape", array(shape)));
  }

  /**
   * Registers this type, so that every Arrow reader in this JVM returns such columns as it. SparkND
   * never calls this by itself, because all users of Arrow in the JVM share the registry.
   */
  public static void register() {
    ExtensionTypeRegistry.register(of(Shape.of()));
  }

  /** The shape of one cell in memory; {@code []} for single elements. */
  public Shape shape() {
    return shape;
  }

  /** Whether the logical order of the cell's dimensions is their order in memory. */
  boolean isRowMajor() {
    JsonNode permutation = parameters.path("permutation");
    for (int axis = 0; axis < permutation.size(); axis++) {
      if (permutation.get(axis).asInt(-1) != axis) {
        return false;
      }
    }
    return true;
  }

  /**
   * Parses the extension metadata.
   *
   * @throws IllegalArgumentException if they do not follow the extension's rules
   */
  static FixedShapeTensorType parse(String metadata) {
    JsonNode parameters = json(metadata);
    Shape shape = shape(parameters.path("shape"));
    if (shape.elements() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "no list has the " + shape.elements() + " elements of " + shape);
    }
    return new FixedShapeTensorType(shape, parameters);
  }

  /** Returns {@code shape} as a JSON array. */
  static JsonNode array(Shape shape) {
    var array = JsonNodeFactory.instance.arrayNode();
    for (long dim : shape.dims()) {
      array.add(dim);
    }
    return array;
  }

  /** Returns the shape given as a JSON array of integers. */
  static Shape shape(JsonNode array) {
    if (!array.isArray()) {
      throw new IllegalArgumentException(
          "a shape must be an array of integers, not '" + array + "'");
    }
    long[] dims = new long[array.size()];
    for (int axis = 0; axis < dims.length; axis++) {
      JsonNode dim = array.get(axis);
      if (!dim.isIntegralNumber() || !dim.canConvertToLong()) {
        throw new IllegalArgumentException("a dimension must be an integer, not '" + dim + "'");
      }
      dims[axis] = dim.longValue();
    }
    return Shape.of(dims);
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("'" + text + "' is not JSON", e);
    }
  }

  @Override
  public ArrowType storageType() {
    return new ArrowType.FixedSizeList((int) shape.elements());
  }

  @Override
  public String extensionName() {
    return NAME;
  }

  @Override
  public boolean extensionEquals(ExtensionType other) {
    return other instanceof FixedShapeTensorType that && parameters.equals(that.parameters);
  }

  @Override
  public String serialize() {
    return parameters.toString();
  }

  @Override
  public ArrowType deserialize(ArrowType storageType, String serializedData) {
    FixedShapeTensorType type = parse(serializedData);
    if (!type.storageType().equals(storageType)) {
      throw new IllegalArgumentException(
          "cells of shape " + type.shape + " are not stored as " + storageType);
    }
    return type;
  }

  @Override
  public FieldVector getNewVector(String name, FieldType fieldType, BufferAllocator allocator) {
    FieldType storage =
        new FieldType(fieldType.isNullable(), storageType(), fieldType.getDictionary());
    return new FixedShapeTensorVector(
        name, fieldType, allocator, new FixedSizeListVector(name, allocator, storage, null));
  }
}
