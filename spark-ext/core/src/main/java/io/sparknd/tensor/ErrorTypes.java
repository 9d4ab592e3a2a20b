/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Converts errors with the {@link ErrorType} installed in this JVM, if any. */
final class ErrorTypes {
  private static final ErrorType TYPE = found();

  private ErrorTypes() {}

  static SparkNdException made(SparkNdException error) {
    return TYPE.of(error);
  }

  /** If no host type can be loaded, errors keep their own type. */
  private static ErrorType found() {
    try {
      return ServiceLoader.load(ErrorType.class, ErrorTypes.class.getClassLoader())
          .findFirst()
          .orElse(error -> error);
    } catch (ServiceConfigurationError | LinkageError e) {
      return error -> error;
    }
  }
}
