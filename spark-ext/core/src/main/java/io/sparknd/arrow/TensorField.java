/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The description of a tensor column by its Arrow field.
 *
 * @param cell the shape of one value; for a complex dtype with a further, last dimension of 2
 * @param declared the shape of the whole tensor, if the field's metadata has it
 */
record TensorField(DType dtype, Shape cell, Optional<Shape> declared) {
  static final String COLUMN = "tensor";
  static final String DTYPE_KEY = "sparknd.dtype";
  static final String SHAPE_KEY = "sparknd.shape";

  /** Returns the column that a tensor is written as. */
  static TensorField of(DType dtype, Shape shape) {
    long[] dims = shape.dims();
    int inner = Math.max(0, dims.length - 1);
    long[] cell = new long[inner + dtype.units() - 1];
    System.arraycopy(dims, dims.length - inner, cell, 0, inner);
    if (isComplex(dtype)) {
      cell[inner] = dtype.units();
    }
    if (!fitsList(cell)) {
      throw ArrowErrors.arrowCellTooLarge(dtype, shape);
    }
    return new TensorField(dtype, Shape.of(cell), Optional.of(shape));
  }

  private static boolean fitsList(long[] dims) {
    boolean fits = true;
    long product = 1;
    for (long dim : dims) {
      if (dim == 0) {
        return true;
      }
      fits &= dim <= Integer.MAX_VALUE / product;
      product = fits ? product * dim : 1;
    }
    return fits;
  }

  /** The shape of one row of the tensor: the cell without the dimension of complex parts. */
  Shape row() {
    return isComplex(dtype) ? cell.first(cell.rank() - 1) : cell;
  }

  private static boolean isComplex(DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX;
  }

  /** The number of storage units in one cell, below 2^31. */
  int cellUnits() {
    return (int) cell.elements();
  }

  /** Returns the schema of a stream with this column only. */
  Schema schema() {
    Map<String, String> metadata =
        Map.of(
            DTYPE_KEY, dtype.toString(),
            SHAPE_KEY, FixedShapeTensorType.array(declared.orElseThrow()).toString());
    FieldType type = new FieldType(true, FixedShapeTensorType.of(cell), null, metadata);
    // Arrow C++ also names the child 'item' and makes it nullable
    Field elements = Field.nullable("item", arrowType(dtype));
    return new Schema(List.of(new Field(COLUMN, type, List.of(elements))));
  }

  /** Whether {@code field} has the extension type, registered or not. */
  static boolean isTensor(Field field) {
    return FixedShapeTensorType.NAME.equals(
        field.getMetadata().get(ExtensionType.EXTENSION_METADATA_KEY_NAME));
  }

  /**
   * Parses {@code field}, which has the extension type.
   *
   * @param source the stream's name in errors
   */
  static TensorField parse(Field field, String source) {
    try {
      return parseMetadata(field, source);
    } catch (SparkNdException e) {
      // an invalid shape or dtype in the metadata is a file error
      throw e.kind() == SparkNdException.Kind.FILE ? e : ArrowErrors.unreadableArrow(source, e);
    }
  }

  private static TensorField parseMetadata(Field field, String source) {
    Map<String, String> metadata = field.getMetadata();
    String parameters = metadata.getOrDefault(ExtensionType.EXTENSION_METADATA_KEY_METADATA, "");
    FixedShapeTensorType type = FixedShapeTensorType.parse(parameters);
    if (!type.isRowMajor()) {
      throw ArrowErrors.arrowPermuted(source, field.getName(), parameters);
    }
    checkStorage(field, type);
    DType dtype = dtype(field, source);
    Optional<Shape> declared =
        Optional.ofNullable(metadata.get(SHAPE_KEY))
            .map(text -> FixedShapeTensorType.shape(FixedShapeTensorType.json(text)));
    if (declared.isPresent() && !of(dtype, declared.get()).cell.equals(type.shape())) {
      throw ArrowErrors.arrowShapeMismatch(source, declared.get(), dtype, type.shape());
    }
    checkParts(dtype, type.shape());
    return new TensorField(dtype, type.shape(), declared);
  }

  private static void checkParts(DType dtype, Shape cell) {
    int last = cell.rank() - 1;
    if (isComplex(dtype) && (last < 0 || cell.dim(last) != dtype.units())) {
      throw new IllegalArgumentException(
          "cells of shape " + cell + " have no last dimension of 2 for the parts of " + dtype);
    }
  }

  private static void checkStorage(Field field, FixedShapeTensorType type) {
    ArrowType storage =
        field.getType() instanceof ExtensionType extension
            ? extension.storageType()
            : field.getType();
    if (!type.storageType().equals(storage) || field.getChildren().size() != 1) {
      throw new IllegalArgumentException(
          "cells of shape " + type.shape() + " are not stored as " + storage);
    }
  }

  private static DType dtype(Field field, String source) {
    ArrowType elements = field.getChildren().get(0).getType();
    String name = field.getMetadata().get(DTYPE_KEY);
    if (name == null) {
      return plain(elements)
          .orElseThrow(
              () -> ArrowErrors.arrowElementType(source, field.getName(), elements.toString()));
    }
    DType dtype = DType.named(name);
    if (!arrowType(dtype).equals(elements)) {
      throw new IllegalArgumentException(dtype + " is not stored as " + elements);
    }
    return dtype;
  }

  /** Returns the dtype that Arrow's {@code type} represents without SparkND's metadata. */
  private static Optional<DType> plain(ArrowType type) {
    for (DType dtype : DType.values()) {
      boolean ownType = dtype.kind() != DType.Kind.COMPLEX && dtype != DType.BFLOAT16;
      if (ownType && arrowType(dtype).equals(type)) {
        return Optional.of(dtype);
      }
    }
    return Optional.empty();
  }

  private static ArrowType arrowType(DType dtype) {
    return switch (dtype) {
      case BOOL -> ArrowType.Bool.INSTANCE;
      case INT8, INT16, INT32, INT64 -> new ArrowType.Int(8 * dtype.bytes(), true);
      case UINT8, UINT16, UINT32, UINT64, BFLOAT16 -> new ArrowType.Int(8 * dtype.bytes(), false);
      case FLOAT16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case FLOAT32, COMPLEX64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64, COMPLEX128 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case STRING -> ArrowType.Utf8.INSTANCE;
    };
  }
}
