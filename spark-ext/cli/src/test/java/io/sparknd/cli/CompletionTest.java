/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the scripts of {@code sparknd completion} complete words in the shells. */
class CompletionTest {
  /** Completes the last of the words $1 ..., as Tab does. */
  private static final String COMPLETE =
      """
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
      _complete_sparknd 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """;

  @TempDir Path folder;

  private Path script(String shell) throws IOException {
    CliRun run = CliRun.of("completion", shell);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return Files.writeString(folder.resolve("completion"), run.out());
  }

  private static List<String> printed(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    return lines;
  }

  private List<String> completed(String... words) throws Exception {
    Stream<String> bash =
        Stream.of("bash", "-c", "source '" + script("bash") + "'\n" + COMPLETE, "bash");
    return printed(Stream.concat(bash, Stream.of(words)).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "sparknd|s, scatter|sql",
    "sparknd|do, doctor",
    "sparknd|sql|--form, --format",
    "sparknd|sql|--format|, table|csv|json",
    "sparknd|sql|--format|j, json",
    "sparknd|check|--kernel|v, vector",
    "sparknd|gather|--negative|, error|wrap|oob",
    "sparknd|info|--j, --json",
    "sparknd|completion|z, zsh",
  })
  void bashCompletes(String words, String expected) throws Exception {
    assertThat(completed(words.split("\\|", -1))).containsExactlyInAnyOrder(expected.split("\\|"));
  }

  @Test
  void bashCompletesFiles() throws Exception {
    Files.createFile(folder.resolve("tensor.npy"));

    assertThat(completed("sparknd", "scatter", "--data", folder + "/ten"))
        .containsExactly(folder + "/tensor.npy");
  }

  @Test
  void zshLoadsTheScript() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "no zsh");

    assertThat(
            printed(
                List.of(
                    "zsh", "-fc", "source '" + script("zsh") + "'; whence -w _complete_sparknd")))
        .contains("_complete_sparknd: function");
  }

  @Test
  void otherShellsAreRefused() {
    assertThat(CliRun.of("completion", "fish").code()).isEqualTo(2);
  }
}
