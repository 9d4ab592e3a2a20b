/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import io.sparknd.tensor.SparkNdException;

/** Messages that name the error's condition, by which the documentation lists causes and fixes. */
public final class ConditionMessage {
  private ConditionMessage() {}

  /** Returns {@code [CONDITION] message}, the form of Spark's own errors. */
  public static String of(SparkNdException error) {
    return "[" + error.condition() + "] " + error.getMessage();
  }
}
