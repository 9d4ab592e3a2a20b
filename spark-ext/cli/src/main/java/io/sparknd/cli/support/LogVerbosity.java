/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

/** What of Spark's log the user gets to see, on stderr. */
public enum LogVerbosity {
  /** Nothing: the errors that matter to a user come as exceptions. */
  QUIET("off"),
  VERBOSE("info");

  private static final String CONFIGURATION = "log4j2.configurationFile";

  private final String level;

  LogVerbosity(String level) {
    this.level = level;
  }

  /**
   * Configures the log. To be called before any class makes a logger; a configuration that the user
   * named stays.
   */
  public void apply() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/sparknd/cli/log4j2.properties");
      System.setProperty("sparknd.log.level", level);
    }
  }
}
