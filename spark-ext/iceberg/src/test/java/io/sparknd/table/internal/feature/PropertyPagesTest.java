/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.JavaSources;
import io.sparknd.docs.Page;
import io.sparknd.docs.TableRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference has all properties of tables and all entries of snapshots, and no others. */
class PropertyPagesTest {
  private static final Pattern NAME = Pattern.compile("\"(sparknd\\.[a-z][a-z.-]*)\"");
  private static final Predicate<Path> ENTRIES = file -> file.endsWith("SnapshotProperties.java");

  /** Returns the literals in sources of the module that are names of properties. */
  private static Set<String> names(Predicate<Path> sources) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path file : JavaSources.mainBelow("spark-ext/iceberg")) {
      if (sources.test(file)) {
        String source = Files.readString(Page.ROOT.resolve(file));
        NAME.matcher(source).results().forEach(found -> names.add(found.group(1)));
      }
    }
    return names;
  }

  private static List<String> listed(String page, String section, String title) {
    List<List<TableRow>> tables =
        Page.of("docs/reference/" + page + ".md").section(section).tables(title);
    return tables.get(0).stream().map(TableRow::name).toList();
  }

  private static List<String> listedProperties() {
    return listed("configuration", "Properties of tables", "property");
  }

  @Test
  void snapshotEntriesAreOnThePage() throws IOException {
    assertThat(listed("metrics", "Snapshots", "entry"))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(names(ENTRIES));
  }

  @Test
  void propertiesAreOnThePage() throws IOException {
    for (String name : names(ENTRIES.negate())) {
      assertThat(listedProperties())
          .anySatisfy(
              listed ->
                  assertThat(name.endsWith(".") ? listed.startsWith(name) : listed.equals(name))
                      .as("%s is %s", listed, name)
                      .isTrue());
    }
  }

  /** A name in capital letters stands for a column or a snapshot. */
  @Test
  void thePageHasNoOtherProperties() throws IOException {
    Set<String> names = names(ENTRIES.negate());
    assertThat(listedProperties())
        .doesNotHaveDuplicates()
        .allSatisfy(
            listed -> {
              String name = listed.replaceFirst("[A-Z].*", "");
              assertThat(names.contains(name) || names.contains(name.replaceFirst("\\.$", "")))
                  .as(listed)
                  .isTrue();
            });
  }

  @Test
  void optionsOfVariablesAreOnThePage() {
    String prefix = FeatureProperties.key("NAME", "");
    assertThat(
            listedProperties().stream()
                .filter(listed -> listed.startsWith(prefix))
                .map(listed -> listed.substring(prefix.length()))
                .collect(Collectors.toSet()))
        .isEqualTo(Set.copyOf(FeatureProperties.OPTIONS));
  }
}
