/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Reads files of properties that lie beside classes in a jar. */
public final class ClassProperties {
  private ClassProperties() {}

  /** Returns the properties in the file {@code name}, as {@link Class#getResource} finds it. */
  public static Properties read(Class<?> beside, String name) {
    Properties properties = new Properties();
    try (InputStream file = beside.getResourceAsStream(name)) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
