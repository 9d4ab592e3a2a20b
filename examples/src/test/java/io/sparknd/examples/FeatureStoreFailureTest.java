/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.examples.support.ExampleSession;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The cleanup of a failed example in a catalog that others use, too. */
@Tag("slow")
class FeatureStoreFailureTest {
  @TempDir private Path directory;

  private Map<String, String> catalog;

  /** Sets the catalog as system properties, as {@code spark-submit} does. */
  @BeforeEach
  void nameCatalog() {
    catalog = LocalCatalog.settings("lake", directory.resolve("lake"));
    catalog.forEach(System::setProperty);
  }

  @AfterEach
  void forgetCatalog() {
    catalog.keySet().forEach(System::clearProperty);
  }

  @Test
  void aFailedRunNeverLeavesItsFolderAndNeverDropsATableOfOthers() throws Exception {
    try (SparkSession spark = ExampleSession.open("others")) {
      spark.sql("CREATE NAMESPACE lake.shop");
      spark.sql("CREATE TABLE lake.shop.users (a INT) USING iceberg");
    }
    Path folder = directory.resolve("shop");
    FeatureStore example = new FeatureStore();
    new CommandLine(example)
        .parseArgs("--dir", folder.toString(), "--days=4", "--events=100", "--users=1000");
    assertThatThrownBy(example::run).hasMessageContaining("lake.shop.users");
    assertThat(folder).doesNotExist();
    try (SparkSession spark = ExampleSession.open("others")) {
      assertThat(spark.table("lake.shop.users").columns()).containsExactly("a");
    }
  }
}
