/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.LongCodec;
import io.sparknd.parquet.RepetitionPattern;
import io.sparknd.parquet.UnsignedLongCodec;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Finds a tensor's columns in a Parquet file: by field id, or by name if the file has no ids. */
final class LeafColumnFinder {
  private final String file;
  private final MessageType schema;
  private final RowFormat format;
  private final Schema columns;
  private final boolean ids;

  LeafColumnFinder(String file, MessageType schema, RowFormat format) {
    this.file = file;
    this.schema = schema;
    this.format = format;
    this.columns = format.schema();
    this.ids = schema.getFields().stream().anyMatch(field -> field.getId() != null);
  }

  /** Returns the index columns, outermost dimension first. */
  List<LeafColumn> indices() {
    List<LeafColumn> leaves = new ArrayList<>();
    for (String column : format.indexColumns()) {
      leaves.add(
          leaf(column, RepetitionPattern.SCALAR, new ValueKind.Fixed(new LongCodec()), 0, 1, 0));
    }
    return leaves;
  }

  List<LeafColumn> values() {
    int units = format.units();
    if (format.values() instanceof ValueColumns.BinaryColumn binary) {
      ValueKind slices = new ValueKind.Slice(format.dtype().storage(), units);
      return List.of(leaf(binary.name(), RepetitionPattern.SCALAR, slices, 0, units, 0));
    }
    boolean array = format.values() instanceof ValueColumns.ArrayColumn;
    RepetitionPattern pattern =
        array ? new RepetitionPattern(format.slice()) : RepetitionPattern.SCALAR;
    ValueKind kind = ValueKind.of(format.dtype());
    int parts = format.dtype().units();
    List<LeafColumn> leaves = new ArrayList<>();
    for (String column : format.values().names()) {
      int first = array ? 0 : leaves.size();
      for (int part = 0; part < parts; part++) {
        leaves.add(leaf(column, pattern, kind, first + part, array ? parts : units, part));
      }
    }
    return leaves;
  }

  private LeafColumn leaf(
      String name, RepetitionPattern pattern, ValueKind kind, int firstUnit, int stride, int part) {
    List<ColumnDescriptor> found = columns(name);
    boolean complex =
        format.dtype().kind() == DType.Kind.COMPLEX && kind instanceof ValueKind.Fixed;
    boolean whole = format.indexColumns().contains(name) || !complex;
    ColumnDescriptor column =
        found.size() != (whole ? 1 : 2) ? null : whole ? found.get(0) : part(found, part);
    if (column != null) {
      ValueKind stored = kind.in(column.getPrimitiveType().getPrimitiveTypeName());
      if (fits(column, pattern, stored)) {
        return new LeafColumn(
            column, name, pattern, stored, emptyLevels(schema, column), firstUnit, stride);
      }
    }
    throw TableErrors.wrongFileColumn(file, name, brief(field(name)), expected(name));
  }

  /**
   * Returns the definition levels of empty lists: an absent repeated group has the level of its
   * parent.
   */
  static Set<Integer> emptyLevels(MessageType schema, ColumnDescriptor column) {
    Set<Integer> levels = new HashSet<>();
    String[] path = column.getPath();
    for (int i = 1; i <= path.length; i++) {
      String[] head = Arrays.copyOf(path, i);
      if (schema.getType(head).isRepetition(Type.Repetition.REPEATED)) {
        levels.add(schema.getMaxDefinitionLevel(head) - 1);
      }
    }
    return levels;
  }

  private static boolean fits(ColumnDescriptor column, RepetitionPattern pattern, ValueKind kind) {
    PrimitiveType type = column.getPrimitiveType();
    boolean decimal =
        type.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
    boolean unsigned =
        kind instanceof ValueKind.Fixed fixed && fixed.codec() instanceof UnsignedLongCodec;
    return column.getMaxRepetitionLevel() == pattern.depth()
        && type.getPrimitiveTypeName() == kind.physical()
        && decimal == unsigned
        && fitsSigned(type)
        && (!unsigned || isWhole(type));
  }

  /** Returns whether a column has no unsigned integers, or only those that signed ones can be. */
  static boolean fitsSigned(PrimitiveType type) {
    int bits = type.getPrimitiveTypeName() == PrimitiveTypeName.INT32 ? Integer.SIZE : Long.SIZE;
    return !(type.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation integer)
        || integer.isSigned()
        || integer.getBitWidth() < bits;
  }

  private static boolean isWhole(PrimitiveType type) {
    return type.getTypeLength() == UnsignedLongCodec.BYTES
        && ((LogicalTypeAnnotation.DecimalLogicalTypeAnnotation) type.getLogicalTypeAnnotation())
                .getScale()
            == 0;
  }

  private static @Nullable ColumnDescriptor part(List<ColumnDescriptor> found, int part) {
    String name = part == 0 ? "re" : "im";
    return found.stream()
        .filter(column -> column.getPath()[column.getPath().length - 1].equals(name))
        .findFirst()
        .orElse(null);
  }

  private List<ColumnDescriptor> columns(String name) {
    String top = field(name).getName();
    return schema.getColumns().stream().filter(column -> column.getPath()[0].equals(top)).toList();
  }

  private Type field(String name) {
    int id = columns.findField(name).fieldId();
    return schema.getFields().stream()
        .filter(field -> ids ? hasId(field, id) : field.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> TableErrors.noFileColumn(file, name, names()));
  }

  private static boolean hasId(Type field, int id) {
    return field.getId() != null && field.getId().intValue() == id;
  }

  private List<String> names() {
    return schema.getFields().stream().map(Type::getName).toList();
  }

  private String expected(String name) {
    Types.NestedField field = columns.findField(name);
    return field.type().toString();
  }

  private static String brief(Type type) {
    return type.toString().replaceAll("\\s+", " ").strip();
  }
}
