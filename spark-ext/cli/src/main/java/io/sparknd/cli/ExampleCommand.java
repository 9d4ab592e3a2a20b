/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sparknd example}: runs one of the examples, or lists them. */
@Command(name = "example", description = "Run an example; without a name, list them.")
final class ExampleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Which one.")
  private String name;

  /** Makes each example a command below this one, with its options. */
  static void addExamples(CommandLine line) {
    CommandLine command = line.getSubcommands().get("example");
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

  /** Without the name of an example, or with one that is none. */
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
