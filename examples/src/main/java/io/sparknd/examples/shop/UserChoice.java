/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

/** The choice of users. */
final class UserChoice {
  private UserChoice() {}

  /**
   * Returns SQL for a skewed choice of a user: low ids are far more frequent. Equal seeds choose
   * the same user.
   */
  static String skewed(String seed, long users) {
    return "bigint(pow((xxhash64(" + seed + ") & 1048575) / 1048576, 4) * " + users + ")";
  }
}
