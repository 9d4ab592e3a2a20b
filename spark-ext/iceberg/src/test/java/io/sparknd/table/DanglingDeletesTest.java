/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests gathers as of a time in tables with delete files that apply to no row: Iceberg keeps those
 * as long as any data file is older.
 */
class DanglingDeletesTest {
  private static final int BUCKETS = 4;
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private FeatureTable users(int buckets) {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").withFill(-1))
            .withBuckets(buckets)
            .withProperty("format-version", "2")
            .withProperty("write.delete.mode", "merge-on-read")
            .withProperty("write.delete.granularity", "partition"));
  }

  private void scatter(FeatureTable table, int from, int to) {
    table.scatter(
        spark
            .range(from, to, 1, 1)
            .selectExpr("concat('u', lpad(id, 3, '0')) AS user", "id AS views"));
  }

  /** Deletes a user as Flink does. */
  private static void deleteByEquality(FeatureTable users, String user) throws IOException {
    Table table = users.iceberg();
    table.refresh();
    Schema key = table.schema().select("user");
    PartitionKey partition = new PartitionKey(table.spec(), table.schema());
    partition.partition(GenericRecord.create(table.schema()).copy("user", user));
    EqualityDeleteWriter<Record> writer =
        Parquet.writeDeletes(
                table.io().newOutputFile(table.location() + "/data/" + UUID.randomUUID()))
            .forTable(table)
            .rowSchema(key)
            .createWriterFunc(type -> GenericParquetWriter.create(key, type))
            .withPartition(partition)
            .equalityFieldIds(key.findField("user").fieldId())
            .buildEqualityWriter();
    try (writer) {
      writer.write(GenericRecord.create(key).copy("user", user));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  private static List<DeleteFile> deletes(FeatureTable table, FileContent content) {
    Table iceberg = table.iceberg();
    iceberg.refresh();
    return iceberg.currentSnapshot().deleteManifests(iceberg.io()).stream()
        .flatMap(
            manifest ->
                StreamSupport.stream(
                    ManifestFiles.readDeleteManifest(manifest, iceberg.io(), iceberg.specs())
                        .spliterator(),
                    false))
        .map(DeleteFile::copy)
        .filter(file -> file.content() == content)
        .toList();
  }

  private List<Long> gathered(FeatureTable table, AsOf asOf, String... users) {
    Dataset<Row> labels =
        spark.sql(
            "SELECT user, current_timestamp() AS at FROM VALUES ('"
                + String.join("'), ('", users)
                + "') AS l(user)");
    return table.gatherAsOf(labels, List.of("user"), asOf).orderBy("user").collectAsList().stream()
        .map(row -> row.<Long>getAs("views"))
        .toList();
  }

  @Test
  void equalityDeletesThatWereAppliedDoNotHoldUpGathers() throws Exception {
    FeatureTable table = users(BUCKETS);
    scatter(table, 0, 20);
    deleteByEquality(table, "u003");
    assertThatThrownBy(() -> gathered(table, AsOf.latest("at"), "u003"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("holds equality deletes");
    SparkActions.get(spark)
        .rewriteDataFiles(table.iceberg())
        .option("delete-file-threshold", "1")
        .execute();
    assertThat(deletes(table, FileContent.EQUALITY_DELETES)).hasSize(1);
    assertThat(gathered(table, AsOf.latest("at"), "u003", "u004")).containsExactly(-1L, 4L);
    assertThatThrownBy(() -> gathered(table, AsOf.commitTime("at"), "u003"))
        .as("a snapshot of the history needs them")
        .hasMessageContaining("holds equality deletes");
    table.expire(Retention.of(Duration.ZERO));
    assertThat(gathered(table, AsOf.commitTime("at").orNullIfExpired(), "u003", "u004"))
        .containsExactly(-1L, 4L);
  }

  /** The bounds of the older file tell that it has none of the keys. */
  @Test
  void equalityDeletesOfOtherKeysDoNotHoldUpGathers() throws Exception {
    FeatureTable table = users(1);
    scatter(table, 0, 20);
    deleteByEquality(table, "u777");
    scatter(table, 20, 30);
    assertThat(deletes(table, FileContent.EQUALITY_DELETES)).hasSize(1);
    assertThat(gathered(table, AsOf.commitTime("at"), "u019", "u025", "u777"))
        .containsExactly(19L, 25L, -1L);
  }

  @Test
  void positionDeletesOfAFormerSpecDoNotHoldUpGathers() {
    FeatureTable table = users(BUCKETS);
    scatter(table, 0, 100);
    spark.sql("DELETE FROM " + table.name() + " WHERE user = 'u007'");
    assertThat(deletes(table, FileContent.POSITION_DELETES))
        .isNotEmpty()
        .allMatch(file -> file.referencedDataFile() == null);
    Table iceberg = table.iceberg();
    iceberg
        .updateSpec()
        .removeField(iceberg.spec().fields().get(0).name())
        .addField("finer", Expressions.bucket("user", 4 * BUCKETS))
        .commit();
    SparkActions.get(spark).rewriteDataFiles(iceberg).option("rewrite-all", "true").execute();
    assertThat(deletes(table, FileContent.POSITION_DELETES)).isNotEmpty();
    assertThat(gathered(table, AsOf.latest("at"), "u007", "u008")).containsExactly(-1L, 8L);
  }
}
