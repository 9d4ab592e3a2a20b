/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a program printed when it was asked for its version. */
sealed interface ToolOutcome {
  /**
   * It ended with 0.
   *
   * @param text of stdout and stderr, stripped
   */
  record Printed(String text) implements ToolOutcome {
    List<String> lines() {
      return text.lines().toList();
    }
  }

  /** No program of that name is on the {@code PATH}. */
  record NotInstalled() implements ToolOutcome {}

  /**
   * It failed, or did not end in time.
   *
   * @param reason as a clause, such as {@code it ended with 1: no device}
   */
  record Broken(String reason) implements ToolOutcome {}

  /**
   * Runs a program, which must print little.
   *
   * @param limit after which it is ended
   */
  static ToolOutcome of(Duration limit, String... command) throws InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return new NotInstalled();
    }
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return new Broken("it did not answer within " + limit.toMillis() + " ms");
      }
      byte[] output = process.getInputStream().readNBytes(process.getInputStream().available());
      String text = new String(output, Charset.defaultCharset()).strip();
      return process.exitValue() == 0 ? new Printed(text) : broken(process.exitValue(), text);
    } catch (IOException e) {
      return new Broken(String.valueOf(e.getMessage()));
    } finally {
      process.destroyForcibly();
    }
  }

  private static Broken broken(int code, String text) {
    String first = text.lines().reduce((before, last) -> last).orElse("nothing printed");
    return new Broken("it ended with " + code + ": " + first);
  }
}
