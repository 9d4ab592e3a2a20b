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
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.exceptions.CommitUnknownException;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.TableProperties;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tables that another session drops, renames or replaces while they are open. */
class DroppedTableTest {
  private static final AtomicInteger CATALOGS = new AtomicInteger();

  private final SparkSession spark = HookedLake.spark();
  private final SparkSession other = spark.newSession();
  private String catalog;

  @TempDir private Path directory;

  @BeforeEach
  void addCatalog() {
    SparkSession.setActiveSession(spark);
    catalog = "dropping" + CATALOGS.incrementAndGet();
  }

  private void useCache(String isCached) {
    for (SparkSession session : List.of(spark, other)) {
      session.conf().set("spark.sql.catalog." + catalog + ".cache-enabled", isCached);
      LocalCatalog.addTo(session, catalog, directory);
    }
  }

  private String name() {
    return catalog + ".tests.t";
  }

  private static FeatureTableSpec spec(String variable) {
    return FeatureTableSpec.numbered("id", 10).with(Variable.of(variable, "bigint"));
  }

  private FeatureTable features() {
    FeatureTable table = FeatureTable.create(spark, name(), spec("views"));
    table.scatter(spark.sql("SELECT 1L AS id, 5L AS views"));
    return table;
  }

  private static void assertMissing(ThrowingCallable call) {
    for (int i = 0; i < 2; i++) { // Iceberg says so once
      assertThatThrownBy(call)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(".tests.t does not exist");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DROP TABLE %s", "ALTER TABLE %s RENAME TO tests.u"})
  void aFeatureTableThatIsGoneIsMissing(String statement) {
    useCache("false");
    FeatureTable table = features();
    FeatureTable pinned = table.snapshot(table.snapshot().getAsLong());
    other.sql(statement.formatted(name()));
    assertMissing(table::snapshot);
    assertMissing(table::variables);
    assertMissing(() -> table.snapshot(1));
    assertMissing(() -> table.asOf(Instant.now()));
    assertMissing(() -> table.branch("main"));
    assertMissing(() -> table.gather(spark.range(3).toDF(), List.of("id")));
    assertMissing(() -> table.scatter(spark.sql("SELECT 1L AS id, 5L AS views")));
    assertMissing(() -> table.changesSince(pinned));
    assertMissing(() -> pinned.changesSince(pinned));
    assertMissing(() -> pinned.gather(spark.range(3).toDF(), List.of("id")));
    assertMissing(() -> FeatureTable.open(spark, name()));
  }

  @Test
  void aTensorTableThatIsGoneIsMissing() {
    useCache("false");
    TensorTable table =
        TensorTable.create(spark, name(), TensorSpec.of(DType.INT64, Shape.of(ROWS)));
    table.scatter(Scatter.add(), updates(0, 9, 1), COLUMNS);
    TensorTable pinned = table.snapshot(table.snapshot().getAsLong());
    other.sql("DROP TABLE " + name());
    assertMissing(table::snapshot);
    assertMissing(table::toDataset);
    assertMissing(() -> table.scatter(Scatter.add(), updates(0, 9, 1), COLUMNS));
    assertMissing(() -> table.changesSince(pinned));
    assertMissing(pinned::toDataset);
    assertMissing(() -> TensorTable.open(spark, name()));
  }

  @Test
  void aTableThatWasReplacedIsNotTheOldOne() {
    useCache("false");
    FeatureTable table = features();
    other.sql("DROP TABLE " + name());
    FeatureTable.create(other, name(), spec("buys"));
    assertThatThrownBy(table::snapshot)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("one of the same name created: open that one");
    assertThat(FeatureTable.open(spark, name()).variables()).containsExactly("buys");
  }

  @Test
  void cachesDoNotKeepTablesThatAreGone() {
    useCache("true");
    features();
    other.sql("DROP TABLE " + name());
    assertMissing(() -> FeatureTable.open(spark, name()));
    features();
    assertThat(FeatureTable.open(spark, name()).variables()).containsExactly("views");
    FeatureTable.open(other, name());
    other.sql("DROP TABLE " + name());
    FeatureTable.create(other, name(), spec("buys"));
    assertThat(FeatureTable.open(spark, name()).variables()).containsExactly("buys");
  }

  /** The table is renamed between the commit and Iceberg's next look at it. */
  @Test
  void aRenameAfterTheCommitLosesNoFile() throws Exception {
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            HookedLake.spec().withProperty(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "1"));
    table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    String renamed = table.name() + "_renamed";
    String rename = "ALTER TABLE " + table.name() + " RENAME TO " + renamed.split("\\.", 2)[1];
    AtomicBoolean isRenamed = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          boolean isAfterCommit = step == Step.DELETE && path.endsWith(".metadata.json");
          if (isAfterCommit && !isRenamed.getAndSet(true)) {
            HookedLake.elsewhere(() -> spark.sql(rename));
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      assertThatThrownBy(() -> table.scatter(Scatter.add(), updates(0, 20, 10), COLUMNS))
          .isInstanceOf(CommitUnknownException.class);
    }
    assertThat(read(TensorTable.open(spark, renamed))).isEqualTo(plus(new long[ROWS], 0, 20, 11));
  }
}
