/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

/** Calls {@link Main#main} as Spark's application master does, and says that it returned. */
final class MainCaller {
  static final String RETURNED = "main has returned";

  private MainCaller() {}

  public static void main(String[] args) {
    Main.main(args);
    System.out.println(RETURNED);
  }
}
