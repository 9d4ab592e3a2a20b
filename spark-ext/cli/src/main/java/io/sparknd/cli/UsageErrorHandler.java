/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reports an invalid command line: a word that is almost an option or command with what it may
 * stand for, anything else with the usage of the command. An unknown option comes before what is
 * missing, which may be because of it.
 */
final class UsageErrorHandler implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException error, String[] arguments) {
    CommandLine line = error.getCommandLine();
    CommandSpec spec = line.getCommandSpec();
    PrintWriter err = line.getErr();
    List<String> unmatched = line.getUnmatchedArguments();
    List<String> meant =
        unmatched.isEmpty() ? List.of() : SimilarWords.of(unmatched.get(0), known(spec, unmatched));
    if (meant.isEmpty()) {
      err.println("sparknd: " + (isOption(unmatched) ? unknown(unmatched) : error.getMessage()));
      line.usage(err);
    } else {
      err.println("sparknd: " + unknown(unmatched));
      err.printf("Did you mean %s?%n", String.join(" or ", meant));
      err.printf("%s --help lists all.%n", spec.qualifiedName());
    }
    err.flush();
    return spec.exitCodeOnInvalidInput();
  }

  private static Collection<String> known(CommandSpec spec, List<String> unmatched) {
    if (isOption(unmatched)) {
      return spec.optionsMap().keySet();
    }
    return spec.subcommands().keySet();
  }

  private static boolean isOption(List<String> unmatched) {
    return !unmatched.isEmpty() && unmatched.get(0).startsWith("-");
  }

  private static String unknown(List<String> unmatched) {
    String kind = isOption(unmatched) ? "option" : "command";
    return "unknown " + kind + " '" + unmatched.get(0) + "'";
  }
}
