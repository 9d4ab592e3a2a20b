/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.LocalSpark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * The result of one command.
 *
 * @param code the exit code
 */
record CliRun(int code, String out, String err) {
  /** Runs a command in this JVM and in the Spark session of the tests. */
  static CliRun of(Object... arguments) {
    LocalSpark.session();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    return new CliRun(line.execute(words), out.toString(), err.toString());
  }

  /** Returns the lines of standard output. */
  List<String> lines() {
    return out.lines().toList();
  }

  String lastLine() {
    return lines().get(lines().size() - 1);
  }
}
