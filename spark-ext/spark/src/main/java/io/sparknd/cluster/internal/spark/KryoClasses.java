/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;

/** Registers classes with Kryo by their names, since most are visible in their package only. */
public final class KryoClasses {
  private KryoClasses() {}

  /**
   * Registers classes, and arrays of these.
   *
   * @param prefix of all names
   */
  public static void register(Kryo kryo, String prefix, List<String> names) {
    for (String name : names) {
      Class<?> type = named(prefix + name);
      kryo.register(type);
      kryo.register(type.arrayType());
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name, false, KryoClasses.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
