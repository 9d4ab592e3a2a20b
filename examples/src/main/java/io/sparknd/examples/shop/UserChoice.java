/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

/** The choice of users. */
final class UserChoice {
  private UserChoice() {}

  /**
   * Returns SQL for a skewed choice of a user id, such as {@code u0001234}: low numbers are far
   * more frequent. Equal seeds choose the same user.
   *
   * @param users SQL for the number of users
   */
  static String skewed(String seed, String users) {
    return "format_string('u%07d', bigint(pow((xxhash64("
        + seed
        + ") & 1048575) / 1048576, 4) * "
        + users
        + "))";
  }
}
