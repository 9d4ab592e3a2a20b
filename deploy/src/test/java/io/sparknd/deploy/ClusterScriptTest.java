/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes and paths of {@code bin/cluster}, without a Spark. */
@Timeout(60)
class ClusterScriptTest {
  private static final Path SCRIPT = Path.of("..", "bin", "cluster").toAbsolutePath().normalize();

  @TempDir private Path folder;
  private Path state;
  private Path tools;
  private Process process;

  @BeforeEach
  void makeFolders() throws IOException {
    state = Files.createDirectory(folder.resolve("a cluster"));
    tools = Files.createDirectory(folder.resolve("tools"));
  }

  @AfterEach
  void endProcess() {
    process.destroyForcibly();
  }

  /** The number in the file was given to another process. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neverKillsTheProcessOfAnother(boolean hasPs) throws Exception {
    startMaster("something else");
    if (!hasPs) {
      shadow("ps", "exit 127");
    }
    assertThat(cluster("down")).isEmpty();
    assertThat(process.isAlive()).isTrue();
    assertThat(state.resolve("master.pid")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void killsItsOwn(boolean hasPs) throws Exception {
    startMaster(state + "/spark/jars/*");
    if (!hasPs) {
      shadow("ps", "exit 127");
    }
    assertThat(cluster("down")).isEmpty();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void killsNothingThatItCannotTell() throws Exception {
    startMaster(state + "/spark/jars/*");
    shadow("ps", "exit 127");
    shadow("tr", "exit 1");
    assertThat(cluster("down"))
        .contains("cannot tell whether process " + process.pid() + " is master");
    assertThat(process.isAlive()).isTrue();
    assertThat(state.resolve("master.pid")).exists();
  }

  /** Spark takes a path, and not a URI, with a space. */
  @Test
  void eventsAreInAFolderWithASpace() throws Exception {
    startMaster(state + "/spark/jars/*");
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    script(java, "printf '%s\\n' \"$@\"");
    assertThat(cluster("run", "demo").lines()).contains("spark.eventLog.dir=" + state + "/events");
  }

  /** Starts a process with an argument, and makes it the cluster's master. */
  private void startMaster(String argument) throws IOException {
    process =
        new ProcessBuilder("bash", "-c", "while read -r; do :; done", argument)
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    Files.writeString(state.resolve("master.pid"), process.pid() + "\n");
  }

  /** Replaces a tool. */
  private void shadow(String tool, String commands) throws IOException {
    script(tools.resolve(tool), commands);
  }

  private static void script(Path file, String commands) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + commands + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String cluster(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString()).redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().put("SPARKND_CLUSTER", state.toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    Process run = builder.start();
    String printed = new String(run.getInputStream().readAllBytes(), UTF_8);
    run.waitFor();
    return printed;
  }
}
