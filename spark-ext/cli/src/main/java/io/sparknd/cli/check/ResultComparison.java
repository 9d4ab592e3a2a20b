/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.tensor.Complex;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/**
 * Compares a result with the expected one. Dtype and shape must always be equal.
 *
 * @param elements compares two elements
 */
record ResultComparison(Elements elements) {
  private static final int SHOWN_TEXT = 200;

  /** Compares two elements as returned by {@link Tensor#element}. */
  private interface Elements {
    boolean same(Object expected, Object actual);
  }

  /**
   * Returns the comparison that the case names. {@code exact} and {@code bits}: all NaNs are equal,
   * and the sign of zero counts. {@code zero_sign_any}: the sign of zero does not count. {@code
   * close}: {@code |actual - expected| <= atol + rtol * |expected|}.
   */
  static ResultComparison of(CaseAttributes attributes) {
    String word = attributes.string("compare").orElse("exact");
    double rtol = attributes.number("rtol").orElse(0).doubleValue();
    double atol = attributes.number("atol").orElse(0).doubleValue();
    return switch (word) {
      case "exact", "bits" -> new ResultComparison(Object::equals);
      case "zero_sign_any" -> new ResultComparison(ResultComparison::sameButForZero);
      case "close" ->
          new ResultComparison((expected, actual) -> close(expected, actual, rtol, atol));
      default -> throw CaseException.unsupported("unknown compare '%s'", word);
    };
  }

  private static boolean sameButForZero(Object expected, Object actual) {
    return unsigned(expected).equals(unsigned(actual));
  }

  /** Returns the element with -0.0 replaced by 0.0; adding zero changes nothing else. */
  private static Object unsigned(Object element) {
    if (element instanceof Float value) {
      return value + 0f;
    }
    if (element instanceof Double value) {
      return value + 0d;
    }
    return element instanceof Complex value
        ? new Complex(value.real() + 0d, value.imaginary() + 0d)
        : element;
  }

  private static boolean close(Object expected, Object actual, double rtol, double atol) {
    if (expected.equals(actual)) {
      return true;
    }
    if (expected instanceof Complex want && actual instanceof Complex have) {
      return near(want.real(), have.real(), rtol, atol)
          && near(want.imaginary(), have.imaginary(), rtol, atol);
    }
    if (expected instanceof BigInteger || expected instanceof Long) {
      BigInteger difference =
          new BigInteger(expected.toString()).subtract(new BigInteger(actual.toString()));
      return difference.abs().doubleValue() <= atol + rtol * Math.abs(number(expected));
    }
    return expected instanceof Number && near(number(expected), number(actual), rtol, atol);
  }

  private static double number(Object element) {
    return ((Number) element).doubleValue();
  }

  private static boolean near(double expected, double actual, double rtol, double atol) {
    boolean finite = Double.isFinite(expected) && Double.isFinite(actual);
    return finite
        ? Math.abs(actual - expected) <= atol + rtol * Math.abs(expected)
        : Double.compare(expected, actual) == 0;
  }

  /**
   * Describes in several lines how {@code actual} differs from {@code expected}; empty if it does
   * not.
   */
  Optional<String> difference(Tensor expected, Tensor actual) {
    boolean comparable =
        expected.dtype() == actual.dtype() && expected.shape().equals(actual.shape());
    if (!comparable) {
      return Optional.of(both("dtype or shape differ", expected, actual));
    }
    int first = -1;
    int count = 0;
    for (int i = 0; i < expected.elements(); i++) {
      if (!elements.same(expected.element(i), actual.element(i))) {
        first = count++ == 0 ? i : first;
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(both(firstDifference(first, count, expected, actual), expected, actual));
  }

  private static String firstDifference(int first, int count, Tensor expected, Tensor actual) {
    return String.format(
        "%d of %d elements differ, the first at %s: expected %s, actual %s",
        count,
        expected.elements(),
        Arrays.toString(expected.shape().coordinates(first)),
        shortened(expected.element(first).toString()),
        shortened(actual.element(first).toString()));
  }

  private static String both(String what, Tensor expected, Tensor actual) {
    return what
        + "\nexpected "
        + shortened(expected.toString())
        + "\nactual   "
        + shortened(actual.toString());
  }

  static String shortened(String text) {
    return text.length() <= SHOWN_TEXT ? text : text.substring(0, SHOWN_TEXT - 3) + "...";
  }

  /** Returns the error's message, preceded by its class unless it is a {@link SparkNdException}. */
  static String shown(Throwable error) {
    String message = shortened(String.valueOf(error.getMessage()));
    return error instanceof SparkNdException
        ? message
        : error.getClass().getName() + ": " + message;
  }
}
