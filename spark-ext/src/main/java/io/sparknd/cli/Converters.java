/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Values of options. */
final class Converters {
  private Converters() {}

  /** {@code parse}, whose refusals become errors of usage. */
  static <T> ITypeConverter<T> of(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (SparkNdException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  /** {@code 8,64}, with or without brackets; {@code []} is the shape of a scalar. */
  static Shape shape(String text) {
    String dims = text.strip().replaceAll("^[\\[(](.*?),?\\s*[\\])]$", "$1").strip();
    if (dims.isEmpty()) {
      return Shape.of();
    }
    try {
      return Shape.of(
          Arrays.stream(dims.split(",", -1))
              .map(String::strip)
              .mapToLong(Long::parseLong)
              .toArray());
    } catch (NumberFormatException e) {
      throw NdErrors.notAShape(text);
    }
  }
}
