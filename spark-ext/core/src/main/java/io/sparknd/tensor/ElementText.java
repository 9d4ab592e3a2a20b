/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses tensor elements from text. */
public final class ElementText {
  private static final Pattern COMPLEX =
      Pattern.compile(
          "(?:(?<real>.*?[^eE+-])(?=[+-]))?(?<imaginary>[+-]?[^+-]+(?:[eE][+-]?\\d+)?)[jJ]");

  private ElementText() {}

  /**
   * Parses {@code text} to a value that {@link io.sparknd.tensor.Tensor#fill} accepts: {@code
   * true}, {@code -1.5}, {@code nan}, {@code -inf}, {@code 1+2j}; for strings, the text itself.
   *
   * @throws io.sparknd.tensor.SparkNdException if the text is not a value of the dtype's kind
   */
  public static Object parse(DType dtype, String text) {
    return switch (dtype.kind()) {
      case STRING -> text;
      case BOOL -> bool(dtype, text);
      case COMPLEX -> complex(dtype, text);
      case SIGNED, UNSIGNED, FLOAT -> number(dtype, text);
    };
  }

  private static Object bool(DType dtype, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw TensorErrors.valueDoesNotFit("'" + text + "'", dtype);
    };
  }

  private static Object complex(DType dtype, String text) {
    Matcher parts = COMPLEX.matcher(text.strip());
    if (!parts.matches()) {
      return number(dtype, text);
    }
    String real = parts.group("real");
    return new Complex(
        real == null ? 0 : number(dtype, real).doubleValue(),
        number(dtype, parts.group("imaginary")).doubleValue());
  }

  private static Number number(DType dtype, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> decimal(dtype, text.strip());
    };
  }

  private static Number decimal(DType dtype, String text) {
    try {
      BigDecimal value = new BigDecimal(text);
      // BigDecimal has no negative zero
      boolean isNegativeZero = value.signum() == 0 && text.startsWith("-") && !dtype.isInteger();
      return isNegativeZero ? (Number) (-0.0) : value;
    } catch (NumberFormatException e) {
      throw TensorErrors.valueDoesNotFit("'" + text + "'", dtype);
    }
  }
}
