/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables that are backed up and restored as {@code docs/operate/backup.md} says have the same bits
 * and take further scatters.
 */
@Tag("slow")
class BackupTest {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private final SparkSession spark = TestTables.spark();

  @TempDir private Path directory;
  private String restored;

  @BeforeEach
  void addOtherCatalog() {
    String catalog = "other" + directory.getFileName().toString().replaceAll("\\W", "");
    LocalCatalog.addTo(spark, catalog, directory.resolve("other"));
    restored = catalog + ".tests.restored";
  }

  private TensorTable create(String mode) {
    return TestTables.create(
        TensorSpec.of(DType.FLOAT32, Shape.of(1000, 2))
            .withRowsPerBlock(250)
            .withProperty("write.merge.mode", mode));
  }

  /** Adds inexact values to some rows of every block. */
  private Outcome send(TensorTable table, int batch) {
    String rows =
        "SELECT id AS i0, array(float(id / 7), float(%d / 3)) AS value FROM range(%d, 1000, 3)";
    return table
        .write()
        .batchId("b" + batch)
        .scatter(Scatter.add(), spark.sql(rows.formatted(batch, batch)), COLUMNS)
        .commit()
        .outcome();
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read", "copy-on-write"})
  void restoredTensorHasTheSameBitsAndTakesScatters(String mode) throws Exception {
    TensorTable table = create(mode);
    send(table, 1);
    send(table, 2);
    List<String> first = rows(table.batch("b1").toDataset());
    List<String> last = rows(table.toDataset());

    TableCopy.full(table.name(), table.iceberg(), directory.resolve("backup"))
        .restore(spark, restored);
    send(table, 3);
    List<String> next = rows(table.toDataset());
    spark.sql("DROP TABLE " + table.name() + " PURGE");

    TensorTable copy = TensorTable.open(spark, restored);
    assertThat(rows(copy.toDataset())).isEqualTo(last);
    assertThat(rows(copy.batch("b1").toDataset())).isEqualTo(first);
    assertThat(send(copy, 2)).isEqualTo(Outcome.REPLAYED);
    assertThat(send(copy, 3)).isEqualTo(Outcome.COMMITTED);
    assertThat(rows(copy.toDataset())).isEqualTo(next);
    copy.compact();
    copy.expire(Retention.of(Duration.ZERO));
    assertThat(copy.removeOrphans(Duration.ZERO)).isEmpty();
    assertThat(rows(copy.toDataset())).isEqualTo(next);
  }

  @Test
  void laterBackUpsCopyNewFilesOnly() throws Exception {
    TensorTable table = create("merge-on-read");
    send(table, 1);
    send(table, 2);
    TableCopy full = TableCopy.full(table.name(), table.iceberg(), directory.resolve("backup"));
    send(table, 3);
    TableCopy later = full.next(table.name(), table.iceberg());
    assertThat(later.files()).isLessThan(full.files());
    later.restore(spark, restored);
    assertThat(rows(TensorTable.open(spark, restored).toDataset()))
        .isEqualTo(rows(table.toDataset()));
  }

  @Test
  void restoredFeatureTableHasTheSameRows() throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
                .withBuckets(4));
    table.scatter(users(0, 100));
    table.scatter(users(50, 150));
    List<String> last = rows(table.toDataset());
    TableCopy.full(table.name(), table.iceberg(), directory.resolve("backup"))
        .restore(spark, restored);
    table.scatter(users(0, 200));

    FeatureTable copy = FeatureTable.open(spark, restored);
    assertThat(rows(copy.toDataset())).isEqualTo(last);
    copy.scatter(users(0, 200));
    assertThat(rows(copy.toDataset())).isEqualTo(rows(table.toDataset()));
  }

  private Dataset<Row> users(long from, long to) {
    return spark.sql(
        "SELECT concat('u', id) AS k, id AS n, timestamp'2026-01-01 00:00:00Z' + make_dt_interval("
            + "int(id)) AS seen, concat('c', id) AS city FROM range(%d, %d)".formatted(from, to));
  }

  /** A wrong batch is undone without any copy, and can then be sent again. */
  @Test
  void rollbackToATagUndoesABatch() {
    TensorTable table = create("merge-on-read");
    send(table, 1);
    List<String> before = rows(table.toDataset());
    table.iceberg().refresh();
    long tagged = table.iceberg().currentSnapshot().snapshotId();
    table.iceberg().manageSnapshots().createTag("before_night", tagged).commit();
    send(table, 2);
    List<String> after = rows(table.toDataset());
    table.expire(Retention.of(Duration.ZERO));

    String[] parts = table.name().split("\\.", 2);
    spark.sql(
        "CALL %s.system.set_current_snapshot(table => '%s', ref => 'before_night')"
            .formatted(parts[0], parts[1]));
    assertThat(rows(table.toDataset())).isEqualTo(before);
    assertThat(send(table, 2)).isEqualTo(Outcome.COMMITTED);
    assertThat(rows(table.toDataset())).isEqualTo(after);
  }

  /** Nothing that the copy does changes a file of the table that it was made of. */
  @Test
  void tableAndItsCopyAreIndependent() throws Exception {
    TensorTable table = create("copy-on-write");
    send(table, 1);
    List<String> before = rows(table.toDataset());
    TableCopy.full(table.name(), table.iceberg(), directory.resolve("backup"))
        .restore(spark, restored);
    TensorTable copy = TensorTable.open(spark, restored);
    send(copy, 2);
    copy.expire(Retention.of(Duration.ZERO));
    copy.removeOrphans(Duration.ZERO);
    assertThat(rows(table.toDataset())).isEqualTo(before);
    List<String> ofCopy = rows(copy.toDataset());
    send(table, 3);
    table.expire(Retention.of(Duration.ZERO));
    table.removeOrphans(Duration.ZERO);
    assertThat(rows(copy.toDataset())).isEqualTo(ofCopy);
    assertThat(Files.exists(directory.resolve("backup"))).isTrue();
  }
}
