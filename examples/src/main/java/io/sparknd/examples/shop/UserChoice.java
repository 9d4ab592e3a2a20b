/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

/** Which user does something. */
final class UserChoice {
  private UserChoice() {}

  /** SQL for a user, the first of them far more often than the last; the same for the same seed. */
  static String skewed(String seed, long users) {
    return "bigint(pow((xxhash64(" + seed + ") & 1048575) / 1048576, 4) * " + users + ")";
  }
}
