/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.JavaSources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests class names in all modules, including optional ones. */
class ClassNamesTest {
  /** Classes named after a SQL function: one for Datasets, one for scalars, one for GPUs. */
  private static final String SQL_FUNCTION = "(TensorScatterNd|ScatterNd|GatherNd).*";

  @Test
  void aSimpleNameOccursOnce() {
    List<Path> sources =
        JavaSources.below("").stream().filter(file -> !file.endsWith("package-info.java")).toList();
    assertThat(sources).hasSizeGreaterThan(900);
    Map<String, List<Path>> repeated =
        sources.stream()
            .filter(file -> !name(file).matches(SQL_FUNCTION))
            .collect(Collectors.groupingBy(ClassNamesTest::name, TreeMap::new, Collectors.toList()))
            .entrySet()
            .stream()
            .filter(entry -> entry.getValue().size() > 1)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertThat(repeated).isEmpty();
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
