/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

/** What of Spark's log the user gets to see. */
public final class Verbosity {
  private static final String CONFIGURATION = "log4j2.configurationFile";

  private Verbosity() {}

  /**
   * Sends the log, for {@code verbose}, or nothing to stderr: the errors that matter to a user come
   * as exceptions. To be called before any class makes a logger; a configuration that the user
   * named stays.
   */
  public static void set(boolean verbose) {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/sparknd/cli/log4j2.properties");
      System.setProperty("sparknd.log.level", verbose ? "info" : "off");
    }
  }
}
