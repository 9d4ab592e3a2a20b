/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.options.Retention;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that expiry and orphan removal delete no files of other tables, in catalogs whose tables
 * share folders.
 */
@Tag("slow")
class OrphanFilesTest {
  private static final Retention NOTHING = Retention.of(Duration.ZERO);
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path directory;

  private final SparkSession spark = HookedLake.spark();
  private String catalog;

  /** Adds a JDBC catalog as configured in Iceberg's documentation. */
  @BeforeEach
  void addCatalog() {
    catalog = "stock" + UUID.randomUUID().toString().replace("-", "");
    addCatalog(catalog, Map.of());
    spark.conf().set("spark.sql.catalog.nd", "io.sparknd.sql.NdCatalog");
  }

  private void addCatalog(String name, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("", "org.apache.iceberg.spark.SparkCatalog");
    settings.put(".type", "jdbc");
    settings.put(".uri", "jdbc:sqlite:" + directory.resolve("catalog.db"));
    settings.put(".jdbc.schema-version", "V1");
    settings.put(".warehouse", directory.resolve("warehouse").toString());
    settings.putAll(more);
    settings.forEach((key, value) -> spark.conf().set("spark.sql.catalog." + name + key, value));
  }

  @Test
  void maintenanceOfARenamedTableKeepsTheNewTableOfThatName() {
    add(create("shop.users"), 1);
    spark.sql("ALTER TABLE " + catalog + ".shop.users RENAME TO shop.users_old");
    TensorTable live = add(create("shop.users"), 2);
    TensorTable old = TensorTable.open(spark, catalog + ".shop.users_old");
    assertThat(old.iceberg().location()).isEqualTo(live.iceberg().location());
    assertNothingIsLost(old, live);
    assertNothingIsLost(live, old);
  }

  @Test
  void maintenanceKeepsTablesOfANamespaceWithTheTablesName() {
    TensorTable users = add(create("shop.users"), 1);
    TensorTable inner = add(create("shop.users.inner"), 2);
    assertThat(inner.iceberg().location()).startsWith(users.iceberg().location() + "/");
    assertNothingIsLost(users, inner);
    assertNothingIsLost(inner, users);
  }

  /** The folder may also hold tables of other engines and unknown files. */
  @Test
  void maintenanceKeepsFilesOfOthers() throws IOException {
    TensorTable table = add(create("shop.users"), 1);
    Path data = folder(table).resolve("data");
    List<Path> foreign =
        List.of(
            data.resolve("notes.txt"),
            data.resolve("00000-1-" + UUID.randomUUID() + "-00001.parquet"),
            data.resolve(left(UUID.randomUUID().toString())),
            folder(table).resolve("metadata").resolve(UUID.randomUUID() + "-m0.avro"),
            folder(table).resolve(left(table.iceberg().uuid().toString())));
    for (Path file : foreign) {
      Files.writeString(file, "somebody's");
    }
    age(directory);
    table.expire(NOTHING);
    assertThat(table.removeOrphans(DAY)).isEmpty();
    assertThat(foreign).allMatch(Files::exists);
  }

  @Test
  void dryRunDeletesNothingAndRemovalDeletesFilesOfFailedScatters() throws IOException {
    TensorTable table = add(create("shop.users"), 1);
    Path left = folder(table).resolve("data").resolve(left(table.iceberg().uuid().toString()));
    Files.writeString(left, "a dead scatter's");
    assertThat(table.removeOrphans(DAY)).as("too young").isEmpty();
    age(directory);
    table.expire(NOTHING);
    assertThat(left).exists();
    String call = "CALL nd.system.remove_orphans('" + table.name() + "'";
    assertThat(spark.sql(call + ", dry_run => true)").collectAsList().toString())
        .contains(left.getFileName().toString())
        .endsWith(",false]]");
    assertThat(left).exists();
    assertThat(spark.sql(call + ")").collectAsList().toString()).endsWith(",true]]");
    assertThat(left).doesNotExist();
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
  }

  /** Iceberg writes files without the second slash, and stores compare keys literally. */
  @Test
  void orphansOfADataPathThatEndsWithASlashAreFound() throws IOException {
    addCatalog(catalog, Map.of(".io-impl", LiteralPrefixIO.class.getName()));
    TensorTable table =
        TensorTable.create(
            spark,
            catalog + ".shop.users",
            HookedLake.spec()
                .withProperty("write.data.path", directory.resolve("elsewhere") + "/"));
    add(table, 1);
    Path left = directory.resolve("elsewhere").resolve(left(table.iceberg().uuid().toString()));
    Files.writeString(left, "a dead scatter's");
    age(directory);
    assertThat(table.removeOrphans(DAY)).containsExactly(left.toString());
    assertThat(left).doesNotExist();
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
  }

  /** REST catalogs have this file IO by default. */
  @Test
  void tableWithoutAFolderHasNoOrphans() {
    addCatalog(catalog, Map.of(".io-impl", "org.apache.iceberg.io.ResolvingFileIO"));
    TensorTable table = create("shop.users");
    assertThat(folder(table).resolve("data")).doesNotExist();
    assertThat(table.orphans(DAY)).isEmpty();
  }

  /** A table registered under another name shares UUID and files. */
  @Test
  void filesOfARegisteredCopyAreKept() throws Exception {
    TensorTable table = add(add(create("shop.users"), 1), 1);
    TableOperations operations = ((BaseTable) fresh(table)).operations();
    Spark3Util.loadIcebergCatalog(spark, catalog)
        .registerTable(
            TableIdentifier.of("other", "copy"), operations.current().metadataFileLocation());
    table.compact();
    table.iceberg().refresh();
    table.iceberg().updateProperties().set("gc.enabled", "true").commit();
    forgetAllButTheCurrent(table);
    age(directory);
    assertThat(table.removeOrphans(DAY)).isEmpty();
    assertThat(read(TensorTable.open(spark, catalog + ".other.copy")))
        .isEqualTo(plus(new long[ROWS], 0, 20, 2));
  }

  @Test
  void nothingIsDeletedIfATableOfTheCatalogCannotBeOpened() throws IOException {
    addCatalog(catalog, Map.of(".cache-enabled", "false"));
    TensorTable table = add(create("shop.users"), 1);
    TensorTable broken = add(create("shop.broken"), 1);
    Path left = folder(table).resolve("data").resolve(left(table.iceberg().uuid().toString()));
    Files.writeString(left, "a dead scatter's");
    age(directory);
    try (Stream<Path> metadata = Files.walk(folder(broken).resolve("metadata"))) {
      for (Path file : metadata.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> table.removeOrphans(DAY))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("nothing was deleted")
        .hasMessageContaining(table.name());
    assertThat(left).exists();
  }

  @Test
  void tableWithGcDisabledKeepsItsFiles() throws IOException {
    TensorTable table = add(create("shop.users"), 1);
    table.iceberg().refresh();
    table.iceberg().updateProperties().set("gc.enabled", "false").commit();
    assertThatThrownBy(() -> table.removeOrphans(DAY))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("gc.enabled");
    assertThatThrownBy(() -> table.expire(NOTHING))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("gc.enabled");
  }

  @Test
  void removeOrphansRejectsARecentCutoff() {
    TensorTable table = create("shop.users");
    assertThatThrownBy(
            () ->
                spark
                    .sql(
                        "CALL nd.system.remove_orphans('"
                            + table.name()
                            + "', older_than => INTERVAL 1 HOUR)")
                    .collectAsList())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("older_than is PT1H ago");
  }

  private void assertNothingIsLost(TensorTable upkept, TensorTable other) {
    age(directory);
    long[] own = read(upkept);
    long[] others = read(other);
    spark.sql(
        "CALL nd.system.expire('%s', older_than => current_timestamp() + INTERVAL 1 HOUR)"
            .formatted(upkept.name()));
    assertThat(upkept.removeOrphans(DAY)).isEmpty();
    assertThat(read(TensorTable.open(spark, upkept.name()))).isEqualTo(own);
    assertThat(read(TensorTable.open(spark, other.name()))).isEqualTo(others);
    add(TensorTable.open(spark, other.name()), 0);
  }

  /** Removes all snapshots but the current one from the metadata and keeps their files. */
  private static void forgetAllButTheCurrent(TensorTable table) {
    Table iceberg = fresh(table);
    long current = iceberg.currentSnapshot().snapshotId();
    TableOperations operations = ((BaseTable) iceberg).operations();
    TableMetadata base = operations.current();
    List<Long> others =
        base.snapshots().stream()
            .map(snapshot -> snapshot.snapshotId())
            .filter(id -> id != current)
            .collect(Collectors.toList());
    operations.commit(base, TableMetadata.buildFrom(base).removeSnapshots(others).build());
  }

  private static Table fresh(TensorTable table) {
    table.iceberg().refresh();
    return table.iceberg();
  }

  private TensorTable create(String name) {
    return TensorTable.create(spark, catalog + "." + name, HookedLake.spec());
  }

  private static TensorTable add(TensorTable table, long value) {
    table.scatter(Scatter.add(), updates(0, 20, value), COLUMNS);
    return table;
  }

  /** Returns a file name in SparkND's format. */
  private static String left(String uuid) {
    return "00000-7-sparknd-%s-%s-00001.parquet".formatted(uuid, UUID.randomUUID());
  }

  private static Path folder(TensorTable table) {
    String location = table.iceberg().location();
    return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
  }

  /** Sets the modification time of all files below to a month ago. */
  private static void age(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(30))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
