/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.nio.file.Path;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the configuration of the embedded catalog. */
class LocalCatalogTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @Test
  void existingCatalogOfTheSessionIsKept(@TempDir Path directory) {
    String catalog = "spark.sql.catalog.shared";
    spark.conf().set(catalog, SparkCatalog.class.getName());
    spark.conf().set(catalog + ".type", "rest");

    LocalCatalog.addTo(spark, "shared", directory);

    assertThat(spark.conf().get(catalog)).isEqualTo(SparkCatalog.class.getName());
    assertThat(spark.conf().get(catalog + ".type")).isEqualTo("rest");
    LocalCatalog.settings("shared", directory).keySet().stream()
        .filter(key -> !key.equals(catalog) && !key.equals(catalog + ".type"))
        .forEach(key -> assertThat(spark.conf().getOption(key).isEmpty()).as(key).isTrue());
  }

  @Test
  void existingSettingsOfTheCatalogAreKept(@TempDir Path directory) {
    spark.conf().set("spark.sql.catalog.cached.cache-enabled", "true");

    LocalCatalog.addTo(spark, "cached", directory);

    assertThat(spark.conf().get("spark.sql.catalog.cached.cache-enabled")).isEqualTo("true");
    assertThat(spark.conf().get("spark.sql.catalog.cached.uri")).startsWith("jdbc:sqlite:");
  }
}
