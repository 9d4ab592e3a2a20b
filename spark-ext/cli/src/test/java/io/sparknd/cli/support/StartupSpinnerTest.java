/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.spark.package$;
import org.junit.jupiter.api.Test;

/** Tests what a terminal shows while Spark starts. */
class StartupSpinnerTest {
  private static final String ERASE = "\r\u001b[K";

  @Test
  void theLineTurnsAndIsErasedAtTheEnd() throws InterruptedException {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (StartupSpinner spinner =
        StartupSpinner.on(new PrintStream(terminal, true, UTF_8), "starting")) {
      Thread.sleep(350);
    }

    String shown = terminal.toString(UTF_8);
    assertThat(shown).contains(ERASE + "| starting ... 0 s", "/ starting", "- starting");
    assertThat(shown).endsWith(" s" + ERASE);
    Thread.sleep(150);
    assertThat(terminal.toString(UTF_8)).as("nothing after the end").isEqualTo(shown);
  }

  @Test
  void longLinesAreCut() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    StartupSpinner.on(new PrintStream(terminal, true, UTF_8), "x".repeat(200)).close();

    assertThat(terminal.toString(UTF_8).split(ERASE.replace("[", "\\["), -1))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
  }

  @Test
  void theTextNamesSparkAndOtherMasters() {
    String spark = "starting Spark " + package$.MODULE$.SPARK_VERSION();

    assertThat(StartupSpinner.text("local[*]")).isEqualTo(spark);
    assertThat(StartupSpinner.text("spark://host:7077")).isEqualTo(spark + " on spark://host:7077");
  }

  @Test
  void withoutTerminalNothingIsShown() {
    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, UTF_8));
    System.setProperty(StandardError.TERMINAL, "false");
    try {
      StartupSpinner.show("local[1]").close();
    } finally {
      System.setErr(before);
      System.clearProperty(StandardError.TERMINAL);
    }

    assertThat(err.size()).isZero();
  }
}
