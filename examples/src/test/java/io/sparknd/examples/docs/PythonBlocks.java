/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.sparknd.docs.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Runs Python blocks of pages, each in a process of its own, if this machine has the modules that
 * it imports.
 *
 * @param folder the working directory
 */
record PythonBlocks(Path folder) implements BlockRunner {
  /** Debian's, which has the modules that {@code .ci/run} installs, then that of the path. */
  private static final List<String> PROGRAMS = List.of("/usr/bin/python3", "python3");

  @Override
  public boolean run(Block block) throws IOException, InterruptedException {
    if (!block.language().equals("python")) {
      return false;
    }
    String imports =
        block.lines().stream()
            .filter(line -> line.startsWith("import ") || line.startsWith("from "))
            .collect(joining("\n"));
    for (String program : PROGRAMS) {
      if (output(program, imports).isPresent()) {
        System.out.print(
            output(program, block.text()).orElseThrow(() -> new AssertionError(block.text())));
        return true;
      }
    }
    return false;
  }

  /** Returns what the code printed; empty if it failed, or there is no such program. */
  private Optional<String> output(String program, String code) throws InterruptedException {
    try {
      Process python =
          new ProcessBuilder(program, "-c", code)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String printed = new String(python.getInputStream().readAllBytes(), UTF_8);
      return python.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
