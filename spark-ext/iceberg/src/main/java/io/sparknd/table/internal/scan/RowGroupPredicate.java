/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.And;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.BoundLiteralPredicate;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.BoundSetPredicate;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Or;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators.Column;
import org.apache.parquet.filter2.predicate.Operators.SupportsLtGt;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/**
 * Converts conditions of Iceberg to those of Parquet, to leave out row groups. What has no
 * counterpart leaves out none: Spark evaluates the condition on each row anyway.
 */
final class RowGroupPredicate {
  private final MessageType file;

  private RowGroupPredicate(MessageType file) {
    this.file = file;
  }

  /**
   * Returns a predicate that all rows of a file satisfy which satisfy a condition.
   *
   * @param columns columns of the condition
   * @return empty if no row group can be left out
   */
  static Optional<FilterPredicate> of(
      Expression condition, Schema columns, boolean isCaseSensitive, MessageType file) {
    try {
      Expression positive = Expressions.rewriteNot(condition);
      Expression bound =
          Binder.isBound(positive)
              ? positive
              : Binder.bind(columns.asStruct(), positive, isCaseSensitive);
      return Optional.ofNullable(new RowGroupPredicate(file).convert(bound));
    } catch (ValidationException | IllegalStateException e) {
      return Optional.empty(); // it names a column that is not read
    }
  }

  private @Nullable FilterPredicate convert(Expression condition) {
    return switch (condition.op()) {
      case AND -> {
        FilterPredicate left = convert(((And) condition).left());
        FilterPredicate right = convert(((And) condition).right());
        yield left == null ? right : right == null ? left : FilterApi.and(left, right);
      }
      case OR -> {
        FilterPredicate left = convert(((Or) condition).left());
        FilterPredicate right = convert(((Or) condition).right());
        yield left == null || right == null ? null : FilterApi.or(left, right);
      }
      default -> condition instanceof BoundPredicate<?> predicate ? convert(predicate) : null;
    };
  }

  private @Nullable FilterPredicate convert(BoundPredicate<?> predicate) {
    if (!(predicate.term() instanceof BoundReference<?> reference)) {
      return null;
    }
    Type stored = stored(reference.fieldId());
    if (stored == null || !reference.type().isPrimitiveType()) {
      return null;
    }
    VectorElement element =
        VectorElement.of(reference.type().asPrimitiveType(), stored.asPrimitiveType())
            .orElse(VectorElement.DOUBLE);
    return switch (element) {
      case INT -> convert(predicate, FilterApi.intColumn(stored.getName()), Integer.class);
      case LONG -> convert(predicate, FilterApi.longColumn(stored.getName()), Long.class);
      case BYTES -> convert(predicate, FilterApi.binaryColumn(stored.getName()), Binary.class);
      default -> null;
    };
  }

  private @Nullable Type stored(int id) {
    return file.getFields().stream()
        .filter(field -> field.getId() != null && field.getId().intValue() == id)
        .filter(field -> field.isPrimitive() && !field.isRepetition(Repetition.REPEATED))
        .filter(field -> field.getName().indexOf('.') < 0) // Parquet would split the name
        .findFirst()
        .orElse(null);
  }

  private static <T extends Comparable<T>, C extends Column<T> & SupportsLtGt>
      @Nullable FilterPredicate convert(BoundPredicate<?> predicate, C column, Class<T> type) {
    if (predicate instanceof BoundLiteralPredicate<?> literal) {
      T value = value(literal.literal().value(), type);
      return value == null ? null : comparison(literal.op(), column, value);
    }
    if (predicate instanceof BoundSetPredicate<?> set && set.op() == Expression.Operation.IN) {
      Set<T> values = new LinkedHashSet<>();
      for (Object each : set.literalSet()) {
        T value = value(each, type);
        if (value == null) {
          return null;
        }
        values.add(value);
      }
      return FilterApi.in(column, values);
    }
    return null;
  }

  private static <T extends Comparable<T>, C extends Column<T> & SupportsLtGt>
      @Nullable FilterPredicate comparison(Expression.Operation op, C column, T value) {
    return switch (op) {
      case EQ -> FilterApi.eq(column, value);
      case LT -> FilterApi.lt(column, value);
      case LT_EQ -> FilterApi.ltEq(column, value);
      case GT -> FilterApi.gt(column, value);
      case GT_EQ -> FilterApi.gtEq(column, value);
      default -> null;
    };
  }

  /** Returns a value in Parquet's form; null if it is of another type. */
  private static <T> @Nullable T value(Object value, Class<T> type) {
    Object converted = value;
    if (value instanceof CharSequence text) {
      converted = Binary.fromString(text.toString());
    } else if (value instanceof ByteBuffer bytes) {
      converted = Binary.fromConstantByteBuffer(bytes.duplicate());
    }
    return type.isInstance(converted) ? type.cast(converted) : null;
  }
}
