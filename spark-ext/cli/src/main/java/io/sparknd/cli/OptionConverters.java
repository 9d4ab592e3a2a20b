/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Values of options. */
final class OptionConverters {
  private OptionConverters() {}

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
}
