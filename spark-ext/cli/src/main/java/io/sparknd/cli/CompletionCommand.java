/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code sparknd completion}: prints the script that lets a shell complete commands.
 */
@Command(
    name = "completion",
    description = {
      "Print a script that completes commands, options and their values.",
      "bash: source <(sparknd completion bash)",
      "zsh:  source <(sparknd completion zsh)",
    })
final class CompletionCommand implements Runnable {
  /** A label that lists the values of an option, such as {@code table|csv|json}. */
  private static final Pattern VALUES = Pattern.compile("[\\w-]+(\\|[\\w-]+)+");

  /** The shells that can complete. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  Shell shell;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    CommandLine commands = Main.commandLine();
    listValues(commands);
    PrintWriter out = spec.commandLine().getOut();
    // one script for both: under zsh it loads what zsh has to act as bash does
    out.println(AutoComplete.bash("sparknd", commands));
    out.flush();
  }

  /** Makes the values that labels list those that the script offers, for all commands. */
  private static void listValues(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    for (OptionSpec option : List.copyOf(spec.options())) {
      if (option.group() == null && VALUES.matcher(option.paramLabel()).matches()) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).completionCandidates(values(option)).build());
      }
    }
    for (PositionalParamSpec parameter : List.copyOf(spec.positionalParameters())) {
      if (parameter.group() == null && VALUES.matcher(parameter.paramLabel()).matches()) {
        spec.remove(parameter);
        spec.addPositional(
            PositionalParamSpec.builder(parameter).completionCandidates(values(parameter)).build());
      }
    }
    line.getSubcommands().values().forEach(CompletionCommand::listValues);
  }

  private static List<String> values(ArgSpec listed) {
    return List.of(listed.paramLabel().split("\\|"));
  }
}
