/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.ForkedJvm;
import io.sparknd.tensor.Tensor;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that programs of pages run with only this module and SLF4J on the class path. */
class LocalPageTest {

  @ParameterizedTest
  @ValueSource(strings = {"docs/get-started/local.md", "docs/reference/kernels.md"})
  void theProgramRunsWithoutSpark(String page, @TempDir Path folder) throws Exception {
    Block program = Page.of(page).blocks("java").get(0);
    Path source = folder.resolve(program.fileName().orElseThrow());
    Files.writeString(source, program.text());
    ForkedJvm jvm = ForkedJvm.run(List.of("-cp", classPath(), source.toString()));
    String printed =
        jvm.output()
            .lines()
            .filter(line -> !line.startsWith("SLF4J"))
            .collect(Collectors.joining("\n"));
    assertThat(jvm.exit()).as(jvm.output()).isZero();
    assertThat(program.shows(printed)).as(printed).isTrue();
  }

  private static String classPath() throws Exception {
    Path classes =
        Path.of(Tensor.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.contains("/slf4j-api-"))
        .collect(Collectors.joining(File.pathSeparator, classes + File.pathSeparator, ""));
  }
}
