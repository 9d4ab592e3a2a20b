/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import io.sparknd.tensor.TensorErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests help, versions, exit codes and errors of the command line. */
class MainTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"scatter", "gather", "sql", "info", "check", "demo", "doctor", "completion"})
  void everyCommandHasHelpAndVersion(String command) {
    CliRun help = CliRun.of(command, "--help");

    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("sparknd " + command, "Exit codes:", "--verbose");
    assertThat(CliRun.of(command, "--version").out()).startsWith("sparknd ").contains("Spark 4");
    assertThat(CliRun.of("--help").out()).contains(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "frobnicate",
        "check",
        "check . --engine sideways",
        "sql -e a -f b",
        "sql -e a --format sideways",
        "check . --partitions x",
        "gather --data a.npy --indices i.npy",
        "scatter --data a.npy --shape 3 --indices i.npy --updates u.npy --out o.npy",
        "scatter --indices i.npy --updates u.npy --out o.npy",
        "scatter --shape 3 --indices i --updates u --out o --reduction sideways",
        "scatter --shape 3 --indices i --updates u --out o --bad-indices sideways",
        "scatter --shape 3,x --indices i --updates u --out o",
        "scatter --shape 3 --indices i --updates u --out o --dtype float7",
      })
  void invalidCommandLinesExitWithTwo(String line) {
    CliRun run = CliRun.of((Object[]) (line.isEmpty() ? new String[0] : line.split(" ")));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("sparknd");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void unknownWordsAreReportedWithTheKnownOnes() {
    CliRun run =
        CliRun.of(
            (Object[])
                "scatter --shape 3 --indices i --updates u --out o --reduction sideways"
                    .split(" "));

    assertThat(run.err()).contains("'sideways' is unknown; use one of none, add, sub");
  }

  @ParameterizedTest
  @CsvSource({
    "sql --fromat json, option '--fromat', --format, sparknd sql --help",
    "check . --engin local, option '--engin', --engine, sparknd check --help",
    "info --jsn, option '--jsn', --json, sparknd info --help",
    "chekc ., command 'chekc', check, sparknd --help",
  })
  void mistypedWordsAreAnsweredWithTheRightOnes(
      String line, String unknown, String meant, String help) {
    CliRun run = CliRun.of((Object[]) line.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly(
            "sparknd: unknown " + unknown, "Did you mean " + meant + "?", help + " lists all.");
  }

  /** Of the options that are missing, one may be the misspelt one. */
  @ParameterizedTest
  @CsvSource({
    "scatter --indces i, --indces, Did you mean --indices?",
    "scatter --fromat x, --fromat, Usage: sparknd scatter",
    "check . --frobnicate, --frobnicate, Usage: sparknd check",
  })
  void unknownOptionsComeBeforeMissingOnes(String line, String option, String next) {
    CliRun run = CliRun.of((Object[]) line.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("sparknd: unknown option '" + option + "'\n" + next);
  }

  @Test
  void internalErrorsPrintTheirStackTraceOnlyOnRequest() {
    IllegalStateException error = new IllegalStateException("pump\nat full length");

    assertThat(reported(error, false).lines())
        .hasSize(2)
        .first()
        .isEqualTo("sparknd: internal error: java.lang.IllegalStateException: pump");
    assertThat(reported(error, true)).contains("\tat io.sparknd.cli.MainTest");
  }

  @Test
  void dataErrorsPrintNoStackTrace() {
    Exception refusal = TensorErrors.tooManyElements(new long[] {Long.MAX_VALUE, 9});
    for (Exception error : new Exception[] {refusal, new RuntimeException("wrapped", refusal)}) {
      StringWriter err = new StringWriter();
      CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
      assertThat(CommandErrors.report(error, line, true)).isEqualTo(1);
      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .startsWith("sparknd: [SPARKND_TOO_LARGE.TOO_MANY_ELEMENTS] shape [");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loacl[2]", "local[x]", "local[0]", "spark://host"})
  void aMistypedMasterIsNeverAnInternalError(String master) throws Exception {
    ForkedJvm run = called(MainCaller.class.getName(), "sql", "--master", master, "-e", "SELECT 1");

    assertThat(run.output()).contains(badMaster(master));
    assertThat(run.exit()).isEqualTo(1);
  }

  @Test
  void aMistypedMasterAmongSettingsIsTheOneNamed() throws Exception {
    ForkedJvm run =
        called(MainCaller.class.getName(), "sql", "--conf", "spark.master=foo", "-e", "SELECT 1");

    assertThat(run.output()).contains(badMaster("foo"));
    assertThat(run.exit()).isEqualTo(1);
  }

  private static String badMaster(String master) {
    return "SPARKND_INVALID_SETTING.BAD_MASTER] --master or spark.master is " + master + ",";
  }

  /** The application master of YARN takes an exit for a failure. */
  @Test
  void successIsNeverAnExitInClusterMode() throws Exception {
    ForkedJvm run =
        called(
            "-Dspark.submit.deployMode=cluster",
            "-Dspark.sparknd.kernel=scalar",
            MainCaller.class.getName(),
            "sql",
            "--master=local[1]",
            "--format=csv",
            "-e",
            "SET spark.sparknd.kernel");

    assertThat(run.output()).contains("spark.sparknd.kernel,scalar", MainCaller.RETURNED);
    assertThat(run.exit()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"cluster, --frobnicate, 2", "client, --version, 0"})
  void errorsAndOtherModesEndTheJvm(String mode, String option, int code) throws Exception {
    ForkedJvm run = called("-Dspark.submit.deployMode=" + mode, MainCaller.class.getName(), option);

    assertThat(run.exit()).isEqualTo(code);
    assertThat(run.output()).contains("sparknd").doesNotContain(MainCaller.RETURNED);
  }

  private static ForkedJvm called(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
    all.addAll(List.of(arguments));
    return ForkedJvm.runForSpark(all);
  }

  private static String reported(Exception error, boolean verbose) {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
    assertThat(CommandErrors.report(error, line, verbose)).isEqualTo(70);
    return err.toString();
  }
}
