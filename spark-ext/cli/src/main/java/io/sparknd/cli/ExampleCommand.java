/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.CliErrors;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sparknd example}: runs an example or lists all of them. */
@Command(name = "example", description = "Run an example; without a name, list them.")
final class ExampleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one.")
  private String name;

  /** Adds each example as a subcommand with its own options. */
  static void addExamples(CommandLine line) {
    CommandLine command = Objects.requireNonNull(line.getSubcommands().get("example"));
    for (Example example : examples()) {
      CommandLine one = new CommandLine(CommandSpec.forAnnotatedObjectLenient(example));
      one.getCommandSpec().usageMessage().description("Example: " + example.summary() + ".");
      command.addSubcommand(example.name(), one);
    }
  }

  private static List<Example> examples() {
    return ServiceLoader.load(Example.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Example::name))
        .toList();
  }

  /** Lists the examples; an error if a name is given, because known names are subcommands. */
  @Override
  public Integer call() {
    List<Example> examples = examples();
    if (name != null) {
      throw CliErrors.noSuchExample(name, examples.stream().map(Example::name).toList());
    }
    PrintWriter out = spec.commandLine().getOut();
    examples.forEach(example -> out.printf("%-20s %s%n", example.name(), example.summary()));
    out.flush();
    return 0;
  }
}
