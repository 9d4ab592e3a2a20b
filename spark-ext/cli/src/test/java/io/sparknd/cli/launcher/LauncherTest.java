/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.launcher.FakeCheckout.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which JDKs {@code bin/sparknd} runs, and how it passes on streams, signals and exit codes.
 */
class LauncherTest {
  private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector\n";
  private static final String PRINT_ARGUMENTS = "printf '%s\\n' \"$@\"\n";

  @TempDir Path folder;
  private FakeCheckout checkout;

  @BeforeEach
  void build() {
    checkout = FakeCheckout.in(folder).builtWith("4.1.3");
  }

  @ParameterizedTest
  @CsvSource({
    "4.1.3, 17.0.15",
    "4.1.3, 21",
    "4.1.0-preview1, 21.0.1",
    "4.2.0, 17",
    "4.2.0, 21.0.9",
    "4.2.0, 25.0.3",
    "4.2.0, 25-ea",
    "9.9.0, 31", // not in the table: Spark itself must say
  })
  void jdksOfTheBuiltSparkRun(String spark, String version) throws Exception {
    FakeCheckout built = FakeCheckout.in(folder.resolve("of")).builtWith(spark);

    Outcome run = built.run(built.jdk(version, PRINT_ARGUMENTS), "sql", "-e", "SELECT 'a b'");

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out().lines())
        .contains("--add-modules=jdk.incubator.vector", "-Dsparknd.stderr.terminal=false")
        .endsWith("io.sparknd.cli.Main", "sql", "-e", "SELECT 'a b'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sql", "--version", "info"})
  void otherJdksAreRefusedWithThoseThatRun(String command) throws Exception {
    Path home = checkout.jdk("25.0.3", PRINT_ARGUMENTS);

    Outcome run = checkout.run(home, command);

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "sparknd: Spark 4.1.3, which SparkND is built with, runs on JDK 17 or 21, and "
                + home
                + "/bin/java is version 25: set JAVA_HOME, or build with Spark 4.2, which runs on"
                + " JDK 25\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "completion"})
  void commandsWithoutSparkRunOnLaterJdksOnly(String command) throws Exception {
    assertThat(checkout.run(checkout.jdk("25", PRINT_ARGUMENTS), command).code()).isZero();

    Outcome tooOld = checkout.run(checkout.jdk("11.0.2", PRINT_ARGUMENTS), command);

    assertThat(tooOld.code()).isEqualTo(70);
    assertThat(tooOld.err()).endsWith("is version 11: set JAVA_HOME\n");
  }

  @Test
  void aJdkOnThePathIsFoundThroughLinks() throws Exception {
    Path home = checkout.jdk("25", PRINT_ARGUMENTS);
    Path links = Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("java"), home.resolve("bin/java"));
    Path link = Files.createSymbolicLink(folder.resolve("sparknd"), Path.of("bin/sparknd"));
    Map<String, String> path = Map.of("JAVA_HOME", "", "PATH", links + ":" + System.getenv("PATH"));

    Outcome run = checkout.run(path, List.of(link.toString(), "info"));

    assertThat(run.err()).contains(links + "/java is version 25");
  }

  @Test
  void aJvmWithoutReleaseFileIsAskedForItsVersion() throws Exception {
    String java =
        "case $1 in -XshowSettings:*) echo '    java.specification.version = 25' >&2 ;; esac\n";
    Path home = checkout.jdk("17", java);
    Files.delete(home.resolve("release"));

    assertThat(checkout.run(home, "info").err()).contains("is version 25");
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmx1g -XX:+UseG1GC, -XX:+UseG1GC",
    "-XX:+UseZGC -Xmx1g, -XX:+UseZGC",
    "-XX:+UseShenandoahGC, -XX:+UseShenandoahGC",
    "-XX:+UseMaximumCompactionOnSystemGC, -XX:+UseParallelGC",
    "-XX:+UseGCOverheadLimit, -XX:+UseParallelGC",
    "-XX:-UseParallelGC, -XX:+UseParallelGC",
  })
  void theCollectorOfTheUserIsTheOnlyOne(String options, String collector) throws Exception {
    Path home = checkout.jdk("17", PRINT_ARGUMENTS);

    Outcome run = checkout.bash(home, "SPARKND_JAVA_OPTS='" + options + "' $sparknd info");

    assertThat(run.out().lines().filter(each -> each.matches("-XX:\\+Use[A-Z][a-z0-9]*GC")))
        .containsExactly(collector);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
  void noCollectorIsAddedToThatOfAVariableOfJava(String variable) throws Exception {
    Path home = checkout.jdk("17", PRINT_ARGUMENTS);

    Outcome run = checkout.bash(home, variable + "=-XX:+UseG1GC $sparknd info");

    assertThat(run.out()).contains("-XX:MaxRAMPercentage=60").doesNotContain("ParallelGC");
  }

  @Test
  void aMissingJdkIsNamed() throws Exception {
    Outcome run = checkout.run(folder.resolve("gone"), "info");

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.err()).contains("JAVA_HOME is " + folder.resolve("gone"));
  }

  @Test
  void anOptionThatLaterJdksWarnOfIsLeftOutThere() throws Exception {
    FakeCheckout later = FakeCheckout.in(folder.resolve("later")).builtWith("4.2.0");

    String on17 = later.run(later.jdk("17", PRINT_ARGUMENTS), "info").out();
    String on25 = later.run(later.jdk("25", PRINT_ARGUMENTS), "info").out();

    assertThat(on17).contains("sun.security.action");
    assertThat(on25).doesNotContain("sun.security.action").contains("sun.nio.cs");
  }

  @Test
  void theNewestJarRunsWhateverTheNamesOfOthers() throws Exception {
    Path earlier = checkout.write("udfs/target/sparknd-before-1.jar", "");
    Path later = checkout.write("udfs/target/sparknd-later-1.jar", "");
    Files.setLastModifiedTime(earlier, FileTime.fromMillis(0));
    Files.setLastModifiedTime(later, FileTime.from(Instant.now().plusSeconds(60)));

    assertThat(checkout.run(checkout.jdk("17", PRINT_ARGUMENTS), "info").out())
        .contains(later.toString())
        .doesNotContain(earlier.toString(), "sparknd-udfs-");
  }

  @Test
  void furtherOptionsArePassedOn() throws Exception {
    Path home = checkout.jdk("17", PRINT_ARGUMENTS);

    Outcome run = checkout.bash(home, "SPARKND_JAVA_OPTS='-Xmx8g -Da=b' $sparknd check x");

    assertThat(run.out().lines()).contains("-Xmx8g", "-Da=b", "-XX:TieredStopAtLevel=1");
  }

  @Test
  void furtherJarsComeLastOnTheClassPath() throws Exception {
    Path home = checkout.jdk("17", PRINT_ARGUMENTS);
    Path jars = checkout.write("my jars/client.jar", "").getParent();
    Path folder = Files.createDirectory(checkout.root().resolve("classes"));

    Outcome run =
        checkout.bash(home, "SPARKND_CLASSPATH=':*:" + jars + "/*:" + folder + ":' $sparknd sql");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .filteredOn(line -> line.contains("spark-core_"))
        .singleElement()
        .asString()
        .contains("sparknd-udfs-")
        .endsWith(".jar:*:" + jars + "/*:" + folder);
  }

  @Test
  void aFurtherJarThatDoesNotExistIsNamed() throws Exception {
    Path home = checkout.jdk("17", PRINT_ARGUMENTS);
    Path there = checkout.write("there.jar", "");

    Outcome run =
        checkout.bash(home, "SPARKND_CLASSPATH=" + there + ":/gone/client.jar $sparknd sql");

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.err())
        .isEqualTo(
            "sparknd: SPARKND_CLASSPATH names /gone/client.jar, which does not exist: correct the"
                + " path\n");
  }

  @Test
  void onlyTheNoticeIsTakenOutOfStderr() throws Exception {
    String before = "Picked up JAVA_TOOL_OPTIONS: -Da=b\n";
    String after =
        "WARNING: Using incubator modules: others\r 10 %\r 20 %\n\n  \\n \0\377 %s\n"
            + NOTICE
            + "no end of line";
    checkout.write("stderr.bin", before + NOTICE + after);
    Path home = checkout.jdk("17", "cat '" + folder.resolve("stderr.bin") + "' >&2; exit 7\n");

    Outcome run = checkout.run(home, "info");

    assertThat(run.err()).isEqualTo(before + after);
    assertThat(run.code()).isEqualTo(7);
  }

  @Test
  void stderrWithoutNoticeIsUnchanged() throws Exception {
    String text = "Error: could not start\n\n \\ x";
    checkout.write("stderr.bin", text);
    Path home = checkout.jdk("17", "cat '" + folder.resolve("stderr.bin") + "' >&2; exit 1\n");

    Outcome run = checkout.run(home, "info");

    assertThat(run.err()).isEqualTo(text);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void stderrThatIsClosedStaysClosed() throws Exception {
    Path home = checkout.jdk("17", "echo out; echo err >&2; exit 3\n");

    Outcome run = checkout.bash(home, "$sparknd info 2>&-");

    assertThat(run.out()).isEqualTo("out\n");
    assertThat(run.code()).isEqualTo(3);
  }

  @Test
  void stdinIsThatOfTheCaller() throws Exception {
    Outcome run = checkout.bash(checkout.jdk("17", "cat\n"), "printf 'SELECT 1;' | $sparknd sql");

    assertThat(run.out()).isEqualTo("SELECT 1;");
  }

  @Test
  void theProcessIsJavaItself() throws Exception {
    Path home =
        checkout.jdk(
            "17", "trap 'echo caught; exit 9' TERM; echo $$\nwhile :; do sleep 0.05; done\n");

    Process process =
        checkout.start(
            Map.of("JAVA_HOME", home.toString()), List.of(checkout.sparknd().toString(), "sql"));
    String pid = line(process);
    // unlike that of Process, this leaves its streams open
    process.toHandle().destroy();

    assertThat(pid).isEqualTo(Long.toString(process.pid()));
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(line(process)).isEqualTo("caught");
    assertThat(process.exitValue()).isEqualTo(9);
  }

  private static String line(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = process.getInputStream().read(); c > 0 && c != '\n'; ) {
      line.append((char) c);
      c = process.getInputStream().read();
    }
    return line.toString();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void interruptionsOfTheTerminalReachJavaAndNotTheFilter() throws Exception {
    Path home =
        checkout.jdk(
            "17",
            """
            trap 'echo first >&2; sleep 0.2; echo last >&2; exit 130' INT
            echo ready >&2
            while :; do sleep 0.05; done
            """);

    // as a terminal does: a signal to the whole process group, of a job of its own
    Outcome run =
        checkout.bash(
            home,
            // a build in the background ignores INT, and bash cannot undo that
            "env --default-signal=INT true 2>/dev/null && heard='env --default-signal=INT';"
                + " set -m; ${heard:-} $sparknd sql 2>'"
                + folder
                + "/err' & until grep -q ready '"
                + folder
                + "/err'; do sleep 0.05; done; kill -INT -- -$!; wait $!; echo $?; sleep 0.3; cat '"
                + folder
                + "/err'");

    assertThat(run.out()).isEqualTo("130\nready\nfirst\nlast\n");
  }

  /** A JVM whose class path is that of this test, so that it runs the real commands. */
  private static Path realJdk(FakeCheckout checkout) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return checkout.jdk(
        Integer.toString(Runtime.version().feature()), "exec '" + java + "' \"$@\"\n");
  }

  private FakeCheckout real() {
    return FakeCheckout.in(folder.resolve("real"))
        .builtWithClassPath(System.getProperty("java.class.path"));
  }

  @Test
  void aJvmPrintsNoNoticeAndItsErrorsAreThereWhenItEnds() throws Exception {
    FakeCheckout real = real();
    String errors = folder.resolve("err").toString();

    Outcome run =
        real.bash(
            realJdk(real), "$sparknd info /gone 2>'" + errors + "'; echo $?; cat '" + errors + "'");

    assertThat(run.out())
        .isEqualTo(
            "1\nsparknd: [SPARKND_CANNOT_READ_FILE.NO_SUCH_FILE] file or directory /gone"
                + " does not exist\n");
  }

  @Test
  void aJvmPrintsTextInTheEncodingOfTheTerminal() throws Exception {
    FakeCheckout real = real();

    Outcome run =
        real.bash(realJdk(real), "LC_ALL=C.UTF-8 $sparknd info \"$(printf '/caf\\303\\251')\"");

    assertThat(new String(run.err().getBytes(ISO_8859_1), UTF_8))
        .contains("/caf\u00e9 does not exist");
  }
}
