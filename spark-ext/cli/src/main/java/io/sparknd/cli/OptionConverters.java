/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the values of options. */
final class OptionConverters {
  private OptionConverters() {}

  /** Returns {@code parse} as a converter that turns SparkND errors into usage errors. */
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
