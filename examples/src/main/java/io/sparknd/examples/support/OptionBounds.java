/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.cli.support.CliErrors;

/** Checks numbers of the command line before an example begins. */
public final class OptionBounds {
  private OptionBounds() {}

  /**
   * Does nothing if an option is in bounds.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code value} is below {@code least}
   */
  public static void atLeast(int least, String option, int value) {
    if (value < least) {
      throw CliErrors.optionTooSmall(option, value, least);
    }
  }
}
