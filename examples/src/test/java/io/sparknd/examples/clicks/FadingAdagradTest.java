/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.testkit.OptimizerChecks;
import io.sparknd.examples.support.ExampleSession;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FadingAdagradTest {
  private final OptimizerChecks checks =
      OptimizerChecks.of(() -> Optimizer.custom(0.1, new FadingAdagrad(0.99f)));

  @Test
  void itsRulePassesTheChecks() {
    assertThat(checks.failuresWithoutSpark()).isEmpty();
  }

  @Test
  @Tag("slow")
  void itPassesTheChecksInTables(@TempDir Path folder) throws IOException {
    try (SparkSession spark = ExampleSession.open("fading-adagrad")) {
      checks.verify(spark, folder.toString());
    }
  }
}
