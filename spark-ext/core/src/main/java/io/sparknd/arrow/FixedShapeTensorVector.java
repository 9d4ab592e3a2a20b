/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.hash.ArrowBufHasher;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A vector of {@link FixedShapeTensorType} over the fixed-size lists that store it. */
final class FixedShapeTensorVector extends ExtensionTypeVector<FixedSizeListVector> {
  private final FieldType type;

  FixedShapeTensorVector(
      String name, FieldType type, BufferAllocator allocator, FixedSizeListVector lists) {
    super(new Field(name, type, List.of()), allocator, lists);
    this.type = type;
  }

  /** Returns the field with the element type as child, taken from the underlying lists. */
  @Override
  public Field getField() {
    return new Field(getName(), type, getUnderlyingVector().getField().getChildren());
  }

  @Override
  public Object getObject(int index) {
    return getUnderlyingVector().getObject(index);
  }

  @Override
  public int hashCode(int index) {
    return getUnderlyingVector().hashCode(index);
  }

  @Override
  public int hashCode(int index, ArrowBufHasher hasher) {
    return getUnderlyingVector().hashCode(index, hasher);
  }
}
