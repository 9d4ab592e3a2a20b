/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.iceberg.types.Type;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type.Repetition;

/**
 * A column of a Parquet file, of values or of nested lists.
 *
 * @param lists for each depth, the definition level at which a list is not NULL but may be empty
 */
record VectorColumn(ColumnDescriptor descriptor, VectorElement element, List<Integer> lists) {

  /** Returns how deep lists are nested. */
  int depth() {
    return lists.size();
  }

  /** Returns the definition level of a value that is not absent. */
  int present() {
    return descriptor.getMaxDefinitionLevel();
  }

  int defined(int level) {
    return lists.get(level);
  }

  /** Returns whether a column of {@code type} may be read at all. */
  static boolean isReadable(Type type) {
    return type.isListType()
        ? isReadable(type.asListType().elementType())
        : type.isPrimitiveType() && VectorElement.isReadable(type.asPrimitiveType());
  }

  /**
   * Returns a column of a file.
   *
   * @param stored the column's type in the file
   * @return empty if only Iceberg can read it
   */
  static Optional<VectorColumn> of(
      Type type, org.apache.parquet.schema.Type stored, MessageType file) {
    List<Integer> lists = new ArrayList<>();
    List<String> path = new ArrayList<>(List.of(stored.getName()));
    Type expected = type;
    org.apache.parquet.schema.Type found = stored;
    while (expected.isListType()) {
      if (!isList(found) || !hasId(element(found), expected.asListType().elementId())) {
        return Optional.empty();
      }
      lists.add(file.getMaxDefinitionLevel(path.toArray(String[]::new)));
      expected = expected.asListType().elementType();
      path.add(found.asGroupType().getFieldName(0));
      found = element(found);
      path.add(found.getName());
    }
    if (!found.isPrimitive() || found.isRepetition(Repetition.REPEATED)) {
      return Optional.empty();
    }
    ColumnDescriptor descriptor = file.getColumnDescription(path.toArray(String[]::new));
    return VectorElement.of(expected.asPrimitiveType(), found.asPrimitiveType())
        .map(element -> new VectorColumn(descriptor, element, List.copyOf(lists)));
  }

  private static org.apache.parquet.schema.Type element(org.apache.parquet.schema.Type list) {
    return list.asGroupType().getType(0).asGroupType().getType(0);
  }

  private static boolean hasId(org.apache.parquet.schema.Type type, int id) {
    return type.getId() != null && type.getId().intValue() == id;
  }

  /** Returns whether a type is a list of three levels, as Parquet's specification has it. */
  private static boolean isList(org.apache.parquet.schema.Type type) {
    if (type.isPrimitive()
        || type.isRepetition(Repetition.REPEATED)
        || !(type.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation)
        || type.asGroupType().getFieldCount() != 1) {
      return false;
    }
    org.apache.parquet.schema.Type repeated = type.asGroupType().getType(0);
    if (repeated.isPrimitive() || !repeated.isRepetition(Repetition.REPEATED)) {
      return false;
    }
    GroupType group = repeated.asGroupType();
    String name = group.getName().toLowerCase(Locale.ROOT);
    return group.getFieldCount() == 1
        && !name.equals("array")
        && !name.endsWith("_tuple")
        && !group.getType(0).isRepetition(Repetition.REPEATED);
  }
}
