/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

/** Throws checked exceptions undeclared, as Scala throws and expects them. */
public final class SneakyThrow {
  private SneakyThrow() {}

  /** Throws {@code error} unchanged; declared to return, so that callers can {@code throw} it. */
  public static RuntimeException thrown(Throwable error) {
    throw SneakyThrow.<RuntimeException>as(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E as(Throwable error) throws E {
    throw (E) error;
  }
}
