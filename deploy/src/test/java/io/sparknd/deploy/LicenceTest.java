/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every source file, script and configuration file has a licence identifier in its first lines. */
class LicenceTest {
  private static final String LICENCE = "SPDX-License-Identifier: Apache-2.0";
  private static final Pattern SOURCES =
      Pattern.compile(
          ".*\\.(java|py|sh|cu|h|yml|yaml|toml|properties|conf)|pom\\.xml|cluster|sparknd|gpu-bundle|run|run-tests");
  private static final int FIRST = 3;

  /** Folders that git ignores. */
  private static final Set<String> SKIPPED =
      Set.of("target", "out", "sparknd-lake", "node_modules");

  @Test
  void everySourceFileSaysItsLicence() throws IOException {
    List<Path> sources = sources();
    assertThat(sources).hasSizeGreaterThan(500);
    assertThat(sources).allMatch(LicenceTest::saysItsLicence);
  }

  private static boolean saysItsLicence(Path file) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
      return lines.limit(FIRST).anyMatch(line -> line.contains(LICENCE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Path root = Path.of("..").toRealPath();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean isHidden = name.startsWith(".") && !name.equals(".ci");
            return !folder.equals(root) && (isHidden || SKIPPED.contains(name))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (SOURCES.matcher(file.getFileName().toString()).matches()) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }
}
