/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

/** How much of Spark's log is printed to stderr. */
public enum LogVerbosity {
  /** Prints nothing; errors that matter to the user are raised as exceptions. */
  QUIET("off"),
  VERBOSE("info");

  private static final String CONFIGURATION = "log4j2.configurationFile";
  private static final String LEVEL = "sparknd.log.level";

  private final String level;

  LogVerbosity(String level) {
    this.level = level;
  }

  /**
   * Configures the log. Call it before any class creates a logger. A configuration named by the
   * user takes precedence.
   */
  public void apply() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/sparknd/cli/log4j2.properties");
      System.setProperty(LEVEL, level);
    }
  }

  /** Returns whether {@link #QUIET} was applied. */
  static boolean isQuiet() {
    return QUIET.level.equals(System.getProperty(LEVEL));
  }
}
