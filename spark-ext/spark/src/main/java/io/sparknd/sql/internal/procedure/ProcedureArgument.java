/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import io.sparknd.cluster.internal.spark.SqlTexts;
import io.sparknd.sql.internal.SqlErrors;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One argument of a call, which is not NULL and was not cast: Spark's casts cut fractions, and
 * without ANSI make NULL of a text that they cannot read, and other numbers of those that are too
 * large.
 */
record ProcedureArgument(String procedure, String name, Object value) {
  /**
   * Returns the value of a number, or of the text of an integer.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is not a bigint
   */
  long integer() {
    return integer(value, "an integer");
  }

  /**
   * Returns the elements of a list.
   *
   * @throws io.sparknd.tensor.SparkNdException if one is NULL or is not a bigint
   */
  long[] integers() {
    List<?> elements = (List<?>) value;
    if (elements.stream().anyMatch(Objects::isNull)) {
      throw SqlErrors.nullInTensor(name);
    }
    return elements.stream()
        .mapToLong(each -> integer(each, "an array of integers, such as array(1000000, 64)"))
        .toArray();
  }

  private long integer(Object number, String wanted) {
    try {
      if (number instanceof String text) {
        return SqlTexts.integer(text);
      }
      if (number instanceof Float || number instanceof Double) {
        // not by its text, which may be that of another number with the same nearest double
        return new BigDecimal(((Number) number).doubleValue()).longValueExact();
      }
      if (number instanceof Number) {
        return new BigDecimal(number.toString()).longValueExact();
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(wanted);
    }
    throw wrong(wanted);
  }

  /**
   * Returns a time; a text is read as a cast to a timestamp reads it.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is no time
   */
  Instant time() {
    if (value instanceof String text) {
      return SqlTexts.time(text)
          .orElseThrow(() -> wrong("a time, such as TIMESTAMP '2026-03-04 10:00:00'"));
    }
    return (Instant) value;
  }

  /**
   * Returns a boolean; a text is read as a cast reads it.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is neither true nor false
   */
  boolean flag() {
    if (!(value instanceof String given)) {
      return (Boolean) value;
    }
    return SqlTexts.flag(given).orElseThrow(() -> wrong("true or false"));
  }

  /**
   * Returns a number; a text is read as a cast to a double reads it.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is no number
   */
  double number() {
    if (!(value instanceof String given)) {
      return ((Number) value).doubleValue();
    }
    return SqlTexts.number(given).orElseThrow(() -> wrong("a number"));
  }

  private RuntimeException wrong(String wanted) {
    return SqlErrors.wrongConstant(procedure, name, value, wanted);
  }
}
