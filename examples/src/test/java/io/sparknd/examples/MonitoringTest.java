/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MonitoringTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "operate", "monitoring.md");

  /** Also checks that the document shows lines of the page. */
  @Test
  void thePageHasWhatWasDone() throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1");
    Monitoring.SETTINGS.forEach(builder::config);
    try (SparkSession spark = builder.getOrCreate()) {
      List<String> lines = Monitoring.run(spark);
      assertThat(shown()).isNotEmpty().allSatisfy(line -> assertThat(lines).contains(line));
    }
  }

  private static List<String> shown() throws Exception {
    return Pattern.compile("^ {4}(metrics_\\S+ \\d+)$", Pattern.MULTILINE)
        .matcher(Files.readString(DOCUMENT))
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
