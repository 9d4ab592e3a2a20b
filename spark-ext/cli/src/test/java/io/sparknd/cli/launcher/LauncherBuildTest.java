/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparknd.cli.launcher.FakeCheckout.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how {@code bin/sparknd} builds SparkND, and what a terminal shows meanwhile. */
class LauncherBuildTest {
  private static final String BUILD =
      """
      #!/usr/bin/env bash
      echo "$JAVA_HOME" >home.txt
      echo 'a warning' >&2
      sleep 0.5
      mkdir -p spark-ext/dist/target udfs/target examples/target jars
      touch spark-ext/dist/target/sparknd-1.jar udfs/target/sparknd-1.jar examples/target/sparknd-1.jar
      touch jars/spark-core_2.13-4.1.3.jar
      echo "$PWD/jars/spark-core_2.13-4.1.3.jar" | tee examples/target/classpath.txt >spark-ext/dist/target/classpath.txt
      """;

  @TempDir Path folder;
  private FakeCheckout checkout;
  private Path jdk;

  @BeforeEach
  void make() {
    checkout = FakeCheckout.in(folder);
    jdk = checkout.jdk("17", "echo ran \"${!#}\"\n");
    checkout.script("tools/mvn", BUILD);
  }

  private Outcome run(String... command) throws Exception {
    String path = folder.resolve("tools") + ":" + System.getenv("PATH");
    return checkout.run(
        Map.of("JAVA_HOME", jdk.toString(), "PATH", path, "TERM", "xterm", "CI", ""),
        List.of(command));
  }

  private Outcome run() throws Exception {
    return run(checkout.sparknd().toString(), "info");
  }

  @Test
  void theFirstCallBuildsAndLaterOnesDoNot() throws Exception {
    Outcome first = run();
    Outcome second = run();

    assertThat(first.out()).isEqualTo("ran info\n");
    assertThat(first.err())
        .isEqualTo(
            "sparknd: building in "
                + folder.toRealPath()
                + " (needed once after source changes)\na warning\n");
    assertThat(second.out()).isEqualTo("ran info\n");
    assertThat(second.err()).isEmpty();
    assertThat(left()).isEmpty();
  }

  /** Returns what the build should have removed. */
  private List<String> left() {
    return Arrays.stream(folder.resolve("spark-ext/dist/target").toFile().list())
        .filter(name -> name.startsWith("started"))
        .toList();
  }

  @Test
  void aSparkThatIsGoneFromTheRepositoryIsBuiltWithAnew() throws Exception {
    run();
    Files.delete(folder.resolve("jars/spark-core_2.13-4.1.3.jar"));

    assertThat(run().err()).contains("building");
  }

  @Test
  void theBuildUsesJdk17() throws Exception {
    Path later = checkout.jdk("21.0.1", "echo ran\n");
    Path seventeen = jdk;
    jdk = later;
    Outcome run = run();

    // where this machine has a JDK 17 in the usual places
    assumeTrue(run.code() == 0 || !run.err().contains("needs a JDK 17"), run.err());
    assertThat(Files.readString(folder.resolve("home.txt")).strip())
        .isNotEqualTo(later.toString())
        .isNotEqualTo(seventeen.toString());
    assertThat(run.out()).isEqualTo("ran\n");
  }

  @Test
  void aFailedBuildShowsItsErrors() throws Exception {
    checkout.script("tools/mvn", "#!/bin/sh\necho 'does not compile' >&2; exit 1\n");

    Outcome run = run();

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.err())
        .endsWith("does not compile\nsparknd: the build failed; see the errors above\n");
    assertThat(left()).isEmpty();
  }

  @Test
  void aTerminalShowsABarThatIsErasedBeforeOutput() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no /usr/bin/script");
    jdk = checkout.jdk("17", "echo \"$@\" | grep -o 'stderr.terminal=[a-z]*'\n");

    Outcome run = run("script", "-qec", checkout.sparknd() + " info", "/dev/null");

    assertThat(run.out())
        .contains("\r\u001b[K| building SparkND (needed once after source changes) ... 0 s")
        .endsWith(" s\r\u001b[Ka warning\r\nstderr.terminal=true\r\n");
    assertThat(run.code()).isZero();
    assertThat(left()).isEmpty();
  }

  @Test
  void aDumbTerminalShowsLines() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no /usr/bin/script");

    Outcome run = run("script", "-qec", "TERM=dumb " + checkout.sparknd() + " info", "/dev/null");

    assertThat(run.out()).startsWith("sparknd: building in ").doesNotContain("\u001b");
  }
}
