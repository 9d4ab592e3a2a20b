/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Converts errors with the {@link ErrorConverter} installed in this JVM, if any. */
final class HostErrorConverter {
  private static final ErrorConverter TYPE = load();

  private HostErrorConverter() {}

  static SparkNdException convert(SparkNdException error) {
    return TYPE.of(error);
  }

  /** If no host type can be loaded, errors keep their own type. */
  private static ErrorConverter load() {
    try {
      return ServiceLoader.load(ErrorConverter.class, HostErrorConverter.class.getClassLoader())
          .findFirst()
          .orElse(error -> error);
    } catch (ServiceConfigurationError | LinkageError e) {
      return error -> error;
    }
  }
}
