/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between pages have targets, and the index links to every page. */
class LinksTest {
  private static final Path INDEX = Path.of("docs", "README.md");

  static List<Page> pages() {
    return Page.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void leadToFilesAndHeadings(Page page) {
    assertThat(ownLinks(page))
        .allSatisfy(
            link -> {
              String[] parts = link.split("#", 2);
              Path target = target(page, parts[0]);
              assertThat(Page.ROOT.resolve(target)).as("%s links to %s", page, link).exists();
              if (parts.length == 2) {
                assertThat(Page.of(target.toString()).anchors())
                    .as("%s links to %s", page, link)
                    .contains(parts[1]);
              }
            });
  }

  /** Returns the links to files of the repository. */
  private static List<String> ownLinks(Page page) {
    return page.links().stream().filter(link -> !link.matches("https?:.*")).toList();
  }

  private static Path target(Page page, String link) {
    return link.isEmpty() ? page.file() : page.file().resolveSibling(link).normalize();
  }

  @Test
  void theIndexNamesEveryPage() {
    Page index = Page.of(INDEX.toString());
    List<Path> named = ownLinks(index).stream().map(link -> target(index, link)).toList();
    assertThat(Page.all().stream().map(Page::file).filter(LinksTest::isOfTheSite))
        .allSatisfy(page -> assertThat(named).contains(page));
  }

  /** Whether a page is below {@code docs}, without the reports of benchmarks. */
  private static boolean isOfTheSite(Path page) {
    return page.startsWith("docs")
        && !page.equals(INDEX)
        && !page.startsWith(Path.of("docs", "benchmarks"));
  }
}
