/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The libraries in the runtime jar are those of NOTICE, and their licences are in the jar. */
class NoticeTest {
  private static final Path ROOT = Path.of("..");

  /** Matches a library of NOTICE: its name and its licence. */
  private static final Pattern LIBRARY = Pattern.compile("\\n- (\\S+) \\(\\S+\\), ([^,\n]+)");

  private static final Pattern BUNDLED =
      Pattern.compile("<include>(?!io\\.sparknd:)[^:<]+:([^:<]+)</include>");

  private record Library(String name, String licence) {}

  private static List<Library> libraries() throws IOException {
    return LIBRARY
        .matcher(Files.readString(ROOT.resolve("NOTICE")))
        .results()
        .map(found -> new Library(found.group(1).toLowerCase(Locale.ROOT), found.group(2)))
        .toList();
  }

  @Test
  void everyBundledLibraryIsNamedAndNoOther() throws IOException {
    List<String> bundled =
        BUNDLED
            .matcher(Files.readString(ROOT.resolve("spark-ext/dist/pom.xml")))
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(libraries())
        .extracting(Library::name)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(bundled);
  }

  @Test
  void licencesOtherThanApachesAreInTheJar() throws IOException {
    List<Library> others =
        libraries().stream().filter(each -> !each.licence().startsWith("Apache")).toList();

    assertThat(others)
        .isNotEmpty()
        .allSatisfy(
            library ->
                assertThat(inTheJar("META-INF/licenses/LICENSE-" + library.name() + ".txt"))
                    .contains("Copyright (c)", "AS IS"));
  }

  /** The runtime jar, or the folder that it is made of, is on the class path. */
  private static String inTheJar(String name) throws IOException {
    try (InputStream in = NoticeTest.class.getClassLoader().getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void noLibraryRequiresSourcesOfItsUsers() throws IOException {
    assertThat(libraries()).extracting(Library::licence).noneMatch(each -> each.contains("GNU"));
  }
}
