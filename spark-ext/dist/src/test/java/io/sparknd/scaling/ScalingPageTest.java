/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.docs.Page;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of the page on scaling are what the model computes. Where it changes, {@code
 * -Dsparknd.docs.write=true} rewrites them.
 */
class ScalingPageTest {
  private static final Path PAGE = Page.ROOT.resolve("docs/explanation/scaling.md");

  private static final Pattern TABLE =
      Pattern.compile("(?s)(<!-- scaling: (\\w+) -->\n\n).*?(\n\n<!-- end of scaling -->)");

  private final Map<String, String> tables = ScalingTables.all();

  @Test
  void hasTheValuesOfTheModel() throws IOException {
    String expected = TABLE.matcher(Files.readString(PAGE)).replaceAll(this::rewritten);
    if (Boolean.getBoolean("sparknd.docs.write")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE)
        .as("run ScalingPageTest with -Dsparknd.docs.write=true, and look at what it changes")
        .content()
        .isEqualTo(expected);
  }

  /** The tables stand on sizes that the code chooses. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1000, 5000})
  void sizesAreThoseOfTheCode(int executors) {
    ClusterScale cluster = new ClusterScale(executors);
    Shape shape = Shape.of(ClusterScale.ROWS, ClusterScale.DIM);
    BlockLayout layout =
        BlockLayout.of(DType.FLOAT32, shape, Partitioning.AUTO, (int) cluster.cores());
    assertThat(cluster.partitions()).isEqualTo(layout.partitions());
    assertThat(cluster.featureTable().blocks())
        .isEqualTo(FeatureCatalog.buckets(ClusterScale.ROWS));
  }

  @Test
  void hasEachTable() throws IOException {
    Matcher found = TABLE.matcher(Files.readString(PAGE));
    assertThat(found.results().map(table -> table.group(2)))
        .containsExactlyInAnyOrderElementsOf(tables.keySet());
  }

  private String rewritten(MatchResult table) {
    return Matcher.quoteReplacement(table.group(1) + tables.get(table.group(2)) + table.group(3));
  }
}
