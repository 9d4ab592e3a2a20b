/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Runs the files and commands of a page with bash, with the JDK of this JVM.
 *
 * @param folder the working directory
 * @param before commands that run before those of each block
 * @param environment further variables
 */
record PageShell(Path folder, String before, Map<String, String> environment) {
  /** Some Maven builds reset a colour without setting one; Ivy prints where its settings are. */
  private static final Pattern NOISE =
      Pattern.compile("\\u001b\\[0m|^:: loading settings :: .*\\R", Pattern.MULTILINE);

  /** Writes the blocks that are files, runs those of language {@code sh}, in the page's order. */
  void runAll(Page page) throws IOException, InterruptedException {
    for (Block block : page.blocks()) {
      if (block.fileName().isPresent()) {
        Files.writeString(folder.resolve(block.fileName().get()), block.text() + "\n");
      } else if (block.language().equals("sh")) {
        String printed = run(block.text());
        assertThat(block.shows(printed))
            .as("%s:%d printed\n%s", page, block.line(), printed)
            .isTrue();
      }
    }
  }

  /** Returns what the commands print to stdout; fails if one of them does. */
  private String run(String commands) throws IOException, InterruptedException {
    Path errors = folder.resolve("errors.txt");
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", before + commands)
            .directory(folder.toFile())
            .redirectError(errors.toFile());
    Map<String, String> variables = shell.environment();
    variables.putAll(environment);
    String home = System.getProperty("java.home");
    variables.put("JAVA_HOME", home);
    variables.merge("PATH", Path.of(home, "bin").toString(), PageShell::onPath);
    Process process = shell.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor())
        .as("%s\n%s\n%s", commands, printed, Files.readString(errors))
        .isZero();
    return NOISE.matcher(printed).replaceAll("");
  }

  private static String onPath(String others, String first) {
    return first + File.pathSeparator + others;
  }
}
