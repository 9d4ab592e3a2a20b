/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.NdErrors;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
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

  @Override
  public Integer call() throws Exception {
    List<Example> examples =
        ServiceLoader.load(Example.class).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparing(Example::name))
            .toList();
    if (name == null) {
      list(examples);
    } else {
      named(examples).run();
    }
    return 0;
  }

  private void list(List<Example> examples) {
    PrintWriter out = spec.commandLine().getOut();
    examples.forEach(example -> out.printf("%-20s %s%n", example.name(), example.summary()));
    out.flush();
  }

  private Example named(List<Example> examples) {
    return examples.stream()
        .filter(example -> example.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> NdErrors.noSuchExample(name, examples.stream().map(Example::name).toList()));
  }
}
