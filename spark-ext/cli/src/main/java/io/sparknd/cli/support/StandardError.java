/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.charset.Charset;
import java.util.Map;

/**
 * Standard error, as {@code bin/sparknd} passes it on. That script filters one line of the JVM out
 * of file descriptor 2, which is therefore a pipe; the original is open as another descriptor.
 */
public final class StandardError {
  /** System property: the number of the descriptor that is the original standard error. */
  static final String DESCRIPTOR = "sparknd.stderr";

  /** System property: {@code true} if the original is a terminal. */
  static final String TERMINAL = "sparknd.stderr.terminal";

  private StandardError() {}

  /**
   * Makes {@link System#err} the original standard error, so that no line waits in the pipe when
   * this JVM ends. Call it before anything is printed. Without the property, or if this JVM does
   * not permit it, nothing changes: the pipe passes on every line, too.
   */
  public static void takeOver() {
    Integer number = Integer.getInteger(DESCRIPTOR);
    if (number == null) {
      return;
    }
    try {
      Constructor<FileDescriptor> open = FileDescriptor.class.getDeclaredConstructor(int.class);
      open.setAccessible(true);
      // unbuffered: a progress bar has no end of line that would flush it
      System.setErr(
          new PrintStream(
              new FileOutputStream(open.newInstance(number)), true, charset("stderr.encoding")));
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      // stays the pipe
    }
  }

  /**
   * Returns the charset of a standard stream: JDK 17 has no property of its own for it.
   *
   * @param property that of later versions, such as {@code stderr.encoding}
   */
  static Charset charset(String property) {
    String name = System.getProperty(property, System.getProperty("native.encoding", "UTF-8"));
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }

  /**
   * Returns whether to show progress: standard error is a terminal that can erase a line, and no
   * continuous integration collects its lines.
   */
  public static boolean showsProgress() {
    return isTerminal() && showsProgress(System.getenv());
  }

  static boolean showsProgress(Map<String, String> environment) {
    String terminal = environment.getOrDefault("TERM", "dumb");
    String integration = environment.getOrDefault("CI", "");
    return !terminal.equals("dumb") && (integration.isEmpty() || integration.equals("false"));
  }

  private static boolean isTerminal() {
    String known = System.getProperty(TERMINAL);
    return known == null ? System.console() != null : Boolean.parseBoolean(known);
  }
}
