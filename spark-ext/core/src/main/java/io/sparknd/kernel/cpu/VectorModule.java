/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

/** The module of the Vector API, which a JVM has only with {@code --add-modules}. */
public final class VectorModule {
  public static final String NAME = "jdk.incubator.vector";

  private VectorModule() {}

  /** Returns whether this JVM has it. If not, no class that uses vectors must be loaded. */
  public static boolean isPresent() {
    return ModuleLayer.boot().findModule(NAME).isPresent();
  }
}
