/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests creating tables in namespaces that do not exist yet. */
class NewNamespaceTest {
  private final SparkSession spark = HookedLake.spark();

  @TempDir private Path directory;

  @Test
  void missingNamespaceIsCreatedInACachedCatalog() {
    String catalog = "spark.sql.catalog.strict";
    spark.conf().set(catalog, "org.apache.iceberg.spark.SparkCatalog");
    Map.of(
            "type", "jdbc",
            "uri", "jdbc:sqlite:" + directory.resolve("catalog.db"),
            "jdbc.schema-version", "V1",
            "jdbc.strict-mode", "true",
            "cache-enabled", "true",
            "warehouse", directory.toUri().toString())
        .forEach((key, value) -> spark.conf().set(catalog + "." + key, value));
    TensorTable.create(spark, "strict.fresh.a", HookedLake.spec());
    spark.sql("ALTER NAMESPACE strict.fresh SET PROPERTIES (team = 'others')");
    TensorTable.create(spark, "strict.fresh.b", HookedLake.spec());
    assertThat(spark.sql("SHOW TABLES IN strict.fresh").count()).isEqualTo(2);
    assertThat(spark.sql("DESCRIBE NAMESPACE EXTENDED strict.fresh").collectAsList().toString())
        .contains("others");
  }
}
