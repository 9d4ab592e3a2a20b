/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.demo.DemoCommand;
import io.sparknd.cli.doctor.DoctorCommand;
import io.sparknd.cli.sql.SqlCommand;
import io.sparknd.cli.support.LogVerbosity;
import io.sparknd.cli.support.StandardError;
import io.sparknd.cli.support.StandardOutput;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line {@code sparknd}. A new command must be added to the list of subcommands. */
@Command(
    name = "sparknd",
    description = "N-dimensional scatter and gather on Apache Spark.",
    subcommands = {
      ScatterCommand.class,
      GatherCommand.class,
      SqlCommand.class,
      InfoCommand.class,
      CheckCommand.class,
      DemoCommand.class,
      ExampleCommand.class,
      DoctorCommand.class,
      CompletionCommand.class,
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeOnExecutionException = Main.UNEXPECTED,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:user error (an invalid file, shape, index or option), a case failed, or the doctor found"
          + " something required missing",
      "2:invalid command line",
      "70:internal error; --verbose prints the stack trace",
    })
public final class Main implements Runnable {
  static final int USER_ERROR = 1;
  static final int UNEXPECTED = 70;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show Spark's log, and stack traces of internal errors and failed statements.")
  boolean verbose;

  @Spec CommandSpec spec;

  /** Runs one command and ends the JVM with its exit code, unless Spark ends it. */
  public static void main(String[] args) {
    StandardError.takeOver();
    int code = run(args);
    if (code != 0 || !isEndedBySpark()) {
      System.exit(code);
    }
  }

  /**
   * In cluster mode, YARN's application master takes any {@code System.exit} for a failure, and
   * runs the command again. It ends the JVM when {@link #main} has returned.
   */
  private static boolean isEndedBySpark() {
    return "cluster".equals(System.getProperty("spark.submit.deployMode"));
  }

  private static int run(String... args) {
    Main main = new Main();
    StandardOutput output = new StandardOutput();
    CommandLine line = commandLine(main).setOut(output.writer());
    line.setExecutionStrategy(
        parsed -> {
          (main.verbose ? LogVerbosity.VERBOSE : LogVerbosity.QUIET).apply();
          return new CommandLine.RunLast().execute(parsed);
        });
    try {
      int code = line.execute(args);
      line.getOut().flush();
      IOException failure = output.failure();
      return code == 0 && failure != null ? CommandErrors.unwritten(failure, line) : code;
    } catch (OutOfMemoryError e) {
      return CommandErrors.outOfMemory(e, line);
    }
  }

  /** Returns the commands, for {@link CommandLine#execute}. */
  static CommandLine commandLine() {
    return commandLine(new Main());
  }

  private static CommandLine commandLine(Main main) {
    CommandLine commands = new CommandLine(main);
    ExampleCommand.addExamples(commands);
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(DType.class, OptionConverters.of(DType::named))
        .registerConverter(Reduction.class, OptionConverters.of(Reduction::named))
        .registerConverter(Shape.class, OptionConverters.of(Shape::parse))
        .setParameterExceptionHandler(new UsageErrorHandler())
        .setExecutionExceptionHandler(
            (error, line, parsed) -> CommandErrors.report(error, line, main.verbose));
  }

  /** Reports a usage error, because no command was given. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing command; the commands are listed below");
  }
}
