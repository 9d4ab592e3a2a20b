/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.support.ExampleSession;
import java.io.IOException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples with dense parameters on small data, with the engine and in plain PyTorch. */
@Tag("slow")
class DenseExperimentsTest {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ExampleSession.open("dense experiments");
  }

  @AfterAll
  static void stop() throws IOException {
    spark.close();
  }

  @Test
  void whoClicksIsFoundOut() {
    assertThat(DlrmExperiment.run(spark, 120, 256)).isGreaterThan(0.6);
  }

  @Test
  void visitsAreFoundOut() {
    assertThat(TwoTowerExperiment.run(spark, 300, 256)).isGreaterThan(0.6);
  }
}
