/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import static java.time.format.DateTimeFormatter.ISO_LOCAL_DATE_TIME;
import static org.apache.spark.sql.functions.lit;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Converts the text of fill values to values in Spark's internal form. */
public final class FillValues {
  private FillValues() {}

  /**
   * Returns the value of a fill value's text: of the column's type, or of the elements of its
   * slices.
   *
   * @throws io.sparknd.tensor.SparkNdException if the text is not a value of the type
   */
  static Object of(String variable, String text, CellType type) {
    DataType wanted = type instanceof CellType.Elements elements ? elements.element() : type.sql();
    Object value = ConstantExpressions.cast(text, wanted);
    if (value == null) {
      throw FeatureErrors.fillValue(variable, text, wanted.simpleString());
    }
    return value;
  }

  /**
   * Returns the text of a fill value as it is stored, which Iceberg reads as Spark's cast does: of
   * a timestamp, or a slice of some, with a time zone, so that it is the same instant in each
   * session.
   */
  static String stored(String text, Variable variable) {
    DataType type = SqlTypes.innermost(variable.type());
    boolean isText = type instanceof StringType || type.equals(DataTypes.BinaryType);
    Object value = isText ? null : ConstantExpressions.cast(text, type);
    if (value instanceof Long micros && type.equals(DataTypes.TimestampType)) {
      return instant(micros);
    }
    if (value instanceof Long micros && type.equals(DataTypes.TimestampNTZType)) {
      Instant time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      return ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
    }
    if (value instanceof Integer days && type.equals(DataTypes.DateType)) {
      return LocalDate.ofEpochDay(days).toString();
    }
    if (value instanceof Decimal number) {
      return number.toJavaBigDecimal().toPlainString();
    }
    boolean hasOneText = type.equals(DataTypes.BooleanType) || InternalRows.isInteger(type);
    return value != null && hasOneText ? value.toString() : text;
  }

  /** Returns the text of a timestamp's fill value. */
  public static String instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }

  /** Returns the fill value of a variable as a constant column. */
  public static Column column(FeatureColumn variable, String fill) {
    CellType type = variable.type();
    if (type instanceof CellType.Elements binary && binary.isBinary()) {
      Cells cell = type.allocate(1);
      cell.fill(0, Objects.requireNonNull(variable.fillValue()));
      return lit(cell.value(0));
    }
    if (!(type instanceof CellType.Elements elements) || elements.shape().rank() == 0) {
      return element(variable, fill, type.sql());
    }
    Column value = element(variable, fill, elements.element());
    Shape shape = elements.shape();
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      value = functions.array_repeat(value, (int) shape.dim(axis));
    }
    return value;
  }

  /** Returns the fill value of halves as cells store it, which hold fewer bits than SQL's float. */
  private static Optional<Object> rounded(FeatureColumn variable) {
    if (!(variable.type() instanceof CellType.Elements elements)
        || !(variable.fillValue() instanceof Float value)) {
      return Optional.empty();
    }
    return Optional.of(HalfFloats.rounded(elements.dtype(), value));
  }

  private static Column element(FeatureColumn variable, String fill, DataType type) {
    if (variable.fillValue() instanceof byte[] bytes) {
      return lit(bytes);
    }
    if (!(type instanceof StructType complex)
        || !(variable.fillValue() instanceof InternalRow parts)) {
      return rounded(variable).map(functions::lit).orElse(lit(fill)).cast(type);
    }
    Column[] columns = new Column[complex.length()];
    for (int i = 0; i < columns.length; i++) {
      StructField part = complex.fields()[i];
      columns[i] = lit(parts.get(i, part.dataType())).as(part.name());
    }
    return functions.struct(columns);
  }
}
