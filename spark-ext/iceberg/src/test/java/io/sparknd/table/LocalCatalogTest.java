/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the configuration of the embedded catalog, and copies of its directory. */
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

  /** Returns a session whose catalog "lake" is a directory. */
  private SparkSession lake(Path directory) {
    SparkSession session = spark.newSession();
    LocalCatalog.settings("lake", directory).forEach(session.conf()::set);
    return session;
  }

  private void insert(Path directory, int value) {
    lake(directory).sql("INSERT INTO lake.shop.t VALUES (" + value + ")");
  }

  /** The file system would make a folder s3a: of it. */
  @Test
  void aUriIsNoDirectory() {
    Path uri = Path.of("s3a://bucket/lake");
    assertThatThrownBy(() -> LocalCatalog.addTo(spark, "remote", uri))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("catalog directory s3a:/bucket/lake cannot be created")
        .hasMessageContaining("where s3a: would be a folder");
    assertThat(Path.of("s3a:")).doesNotExist();
  }

  /** As on another host: a task would write a file there that no other host can read. */
  @Test
  void nothingIsWrittenWhereTheDirectoryIsNot(@TempDir Path folder) throws Exception {
    Path directory = folder.resolve("lake");
    SparkSession session = lake(directory);
    session.sql("CREATE NAMESPACE lake.shop");
    session.sql("CREATE TABLE lake.shop.t (n INT) USING iceberg");
    Table table = Spark3Util.loadIcebergTable(session, "lake.shop.t");
    FileIO sent =
        SerializationUtils.roundtrip((Serializable & Table) SerializableTable.copyOf(table)).io();
    OutputFile file = sent.newOutputFile(table.location() + "/data/x.parquet");
    Path elsewhere = folder.resolve("elsewhere");
    Files.move(directory, elsewhere);
    assertThatThrownBy(file::create)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("x.parquet cannot be written; the table is unchanged")
        .hasMessageContaining("catalog directory " + directory + " is not on the disk");
    assertThat(directory).doesNotExist();
    Files.move(elsewhere, directory);
    insert(directory, 1);
    assertThat(values(directory)).containsExactly(1);
  }

  private List<Integer> values(Path directory) {
    return lake(directory).sql("SELECT * FROM lake.shop.t ORDER BY n").collectAsList().stream()
        .map(row -> row.getInt(0))
        .toList();
  }

  private void assertRefused(Path directory, Path original) {
    assertThatThrownBy(() -> insert(directory, 3))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(
            "directory " + directory + " of the catalog was copied or moved from " + original)
        .hasMessageContaining("its table shop.t is that of the original");
  }

  /** The copy would write into the original's folder, and delete its metadata files. */
  @Test
  void tablesOfACopiedDirectoryAreNotThoseOfTheOriginal(@TempDir Path folder) throws IOException {
    Path original = folder.resolve("lake");
    lake(original).sql("CREATE NAMESPACE lake.shop");
    lake(original).sql("CREATE TABLE lake.shop.t (n INT) USING iceberg");
    insert(original, 1);
    Path copy = folder.resolve("trial");
    FileUtils.copyDirectory(original.toFile(), copy.toFile());
    assertRefused(copy, original);
    lake(copy).sql("CREATE TABLE lake.shop.other AS SELECT 1 AS n");
    assertThat(lake(copy).sql("SELECT * FROM lake.shop.other").count()).isEqualTo(1);
    insert(original, 2);
    assertThat(values(original)).containsExactly(1, 2);

    Path link = Files.createSymbolicLink(folder.resolve("link"), original);
    assertThat(values(link)).containsExactly(1, 2);

    Path moved = folder.resolve("moved");
    Files.move(original, moved);
    assertRefused(moved, original);
    Files.createSymbolicLink(original, moved);
    assertThat(values(moved)).containsExactly(1, 2);
  }

  /** A back-up is registered while the catalog's directory still has the files of the table. */
  @Test
  void tablesMayBeElsewhere(@TempDir Path folder) throws Exception {
    Path directory = folder.resolve("lake");
    SparkSession session = lake(directory);
    session.sql("CREATE NAMESPACE lake.shop");
    session.sql("CREATE TABLE lake.shop.t (n INT) USING iceberg");
    insert(directory, 1);
    Table table = Spark3Util.loadIcebergTable(session, "lake.shop.t");
    Path backup = folder.resolve("backup/shop").resolve(Path.of(table.location()).getFileName());
    TableCopy.full(session, "lake.shop.t", table, backup).restore(session, "lake.shop.restored");
    session.sql("INSERT INTO lake.shop.restored VALUES (2)");
    assertThat(session.sql("SELECT * FROM lake.shop.restored").count()).isEqualTo(2);
    assertThat(values(directory)).containsExactly(1);
    // as beside the catalog that has the clone in its own directory
    Files.createFile(folder.resolve("backup/catalog.db"));
    assertThat(session.sql("SELECT * FROM lake.shop.restored").count()).isEqualTo(2);
  }
}
