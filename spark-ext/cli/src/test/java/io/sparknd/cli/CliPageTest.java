/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The page of the command line has the options of each command. Where these change, {@code
 * -Dsparknd.docs.write=true} rewrites them.
 */
class CliPageTest {
  private static final Path PAGE = Page.ROOT.resolve("docs/reference/cli.md");

  /** The table of a command's options. */
  private static final Pattern TABLE =
      Pattern.compile("(?s)(<!-- options: (\\w+) -->\n\n).*?(\n\n<!-- end of options -->)");

  private final Map<String, CommandLine> commands = Main.commandLine().getSubcommands();

  @Test
  void hasTheOptionsOfEachCommand() throws IOException {
    String expected = TABLE.matcher(Files.readString(PAGE)).replaceAll(this::rewritten);
    if (Boolean.getBoolean("sparknd.docs.write")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE)
        .as("run CliPageTest with -Dsparknd.docs.write=true, and look at what it changes")
        .content()
        .isEqualTo(expected);
  }

  @Test
  void hasEachCommand() throws IOException {
    Matcher tables = TABLE.matcher(Files.readString(PAGE));
    assertThat(tables.results().map(table -> table.group(2)))
        .containsExactlyElementsOf(commands.keySet());
  }

  private String rewritten(MatchResult table) {
    CommandSpec command = commands.get(table.group(2)).getCommandSpec();
    return Matcher.quoteReplacement(table.group(1) + table(command) + table.group(3));
  }

  private static String table(CommandSpec command) {
    List<OptionSpec> options =
        command.options().stream()
            .filter(option -> !option.inherited() && !option.usageHelp() && !option.versionHelp())
            .toList();
    return Stream.concat(
            Stream.of("| option | meaning |\n| --- | --- |"),
            Stream.concat(command.positionalParameters().stream(), options.stream())
                .map(arg -> row(arg, command.usageMessage().showDefaultValues())))
        .collect(joining("\n"));
  }

  private static String row(ArgSpec arg, boolean showsDefaults) {
    String label = arg.arity().max() == 0 ? "" : arg.paramLabel();
    String meaning = String.join(" ", Arrays.asList(arg.description()));
    boolean showsDefault =
        showsDefaults && arg.showDefaultValue() != Visibility.NEVER && arg.defaultValue() != null;
    return "| `%s` | %s%s%s |"
        .formatted(
            inTable((name(arg) + " " + label).strip()),
            need(arg),
            inTable(meaning),
            showsDefault ? " Default: `" + inTable(arg.defaultValue()) + "`." : "");
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : "";
  }

  /** Returns whether an argument must be given. Picocli requires each option of a group. */
  private static String need(ArgSpec arg) {
    ArgGroupSpec group = arg.group();
    if (group == null) {
      return arg.required() ? "required. " : "";
    }
    if (!group.exclusive()) {
      return "";
    }
    String others =
        group.args().stream()
            .filter(other -> !other.equals(arg))
            .map(other -> "`" + name(other) + "`")
            .collect(joining(", "));
    return group.multiplicity().min() > 0
        ? "this or %s is required. ".formatted(others)
        : "not with %s. ".formatted(others);
  }

  private static String inTable(String text) {
    return text.replace("|", "\\|");
  }
}
