/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureEvolution;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests commits to feature tables whose columns or partitions others change after the table was
 * read and before the commit.
 */
@Tag("slow")
class ConcurrentFeatureCommitTest {
  private static final int ROWS = 40;

  private FeatureTable table;

  @BeforeEach
  void makeTable() {
    makeTable(HookedLake.name());
  }

  private void makeTable(String name) {
    table =
        FeatureTable.create(
            HookedLake.spark(),
            name,
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("seen", "timestamp"))
                .with(Variable.of("city", "string"))
                .withBuckets(2));
    add(0, ROWS, 1);
  }

  private TableCommit add(int from, int to, int n) {
    return table.scatter(
        HookedLake.spark()
            .range(from, to)
            .selectExpr("concat('u', id) AS k", "CAST(" + n + " AS BIGINT) AS n"));
  }

  private TableCommit scatter(String query) {
    return table.scatter(HookedLake.spark().sql(query));
  }

  /** Runs {@code others} when {@code own} writes its first manifest. */
  private static TableCommit raced(Runnable others, Callable<TableCommit> own) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CREATE && path.endsWith(".avro") && !done.getAndSet(true)) {
            HookedLake.elsewhere(others);
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      TableCommit commit = own.call();
      assertThat(done).isTrue();
      return commit;
    }
  }

  /** Runs {@code others} while {@code own} waits for the list of the table's files. */
  private static void racedWhileListing(Runnable others, Callable<TableCommit> own)
      throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread committing = Thread.currentThread();
    Consumer<String> reading =
        path -> {
          boolean isListing = Thread.currentThread().getName().equals("sparknd planning");
          if (isListing && !done.getAndSet(true)) {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (!waitsForFiles(committing)) {
              assertThat(System.nanoTime()).as("no commit waits for files").isLessThan(end);
              Thread.onSpinWait();
            }
            HookedLake.elsewhere(others);
          }
        };
    try (AutoCloseable hooked = HookedIO.whenReading(reading)) {
      own.call();
      assertThat(done).isTrue();
    }
  }

  private static boolean waitsForFiles(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".BlockFilePlan")
                    && frame.getMethodName().equals("files"));
  }

  private List<String> rows(String columns, String condition) {
    return HookedLake.spark()
        .sql("SELECT " + columns + " FROM " + table.name() + " WHERE " + condition + " ORDER BY k")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  private void addScore() {
    table.addVariable(Variable.of("score", "bigint"));
    scatter("SELECT 'u1' AS k, 70L AS score UNION ALL SELECT 'u2', 71L");
  }

  @Test
  void valuesOfANewVariableAreKept() throws Exception {
    TableCommit commit = raced(this::addScore, () -> add(1, 2, 10));
    assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(rows("k, n, score", "k IN ('u1', 'u2', 'u3')"))
        .containsExactly("[u1,11,70]", "[u2,1,71]", "[u3,1,null]");
  }

  @Test
  void aCompactionKeepsANewVariable() throws Exception {
    add(0, 3, 1);
    raced(this::addScore, table::compact);
    assertThat(rows("k, n, score", "k IN ('u1', 'u2', 'u3')"))
        .containsExactly("[u1,2,70]", "[u2,2,71]", "[u3,1,null]");
  }

  @Test
  void anEvictionKeepsANewVariable() throws Exception {
    raced(this::addScore, () -> table.evict("k = 'u1'"));
    assertThat(rows("k, n, score", "k IN ('u1', 'u2', 'u3')"))
        .containsExactly("[u2,1,71]", "[u3,1,null]");
    assertThat(rows("k", "true")).hasSize(ROWS - 1);
  }

  /** Without its order, a value would not win over older ones that come later. */
  @Test
  void aReductionThatIsDeclaredMeanwhileApplies() throws Exception {
    raced(
        this::declareLast,
        () -> scatter("SELECT 'u1' AS k, 'new' AS city, timestamp'2026-02-01' AS seen"));
    scatter("SELECT 'u1' AS k, 'old' AS city, timestamp'2026-01-01' AS seen");
    assertThat(rows("city", "k = 'u1'")).containsExactly("[new]");
  }

  private void declareLast() {
    new FeatureEvolution(FeatureCatalog.toWrite(HookedLake.spark(), table.name()))
        .declare(
            Map.of(
                "sparknd.variable.city.reduction", Optional.of("last"),
                "sparknd.variable.city.order", Optional.of("seen")),
            (stored, variable) -> false);
  }

  /** The bytes of integers would be read as floats. */
  @Test
  void aDtypeThatIsDeclaredMeanwhileIsWritten() throws Exception {
    table.addVariable(Variable.of("code", DType.INT32, 2).binary());
    raced(
        () ->
            new FeatureEvolution(FeatureCatalog.toWrite(HookedLake.spark(), table.name()))
                .declare(
                    Map.of("sparknd.variable.code.dtype", Optional.of("float64")),
                    (stored, variable) -> false),
        () -> scatter("SELECT 'u1' AS k, array(1, 2) AS code"));
    assertThat(rows("hex(code)", "k = 'u1'")).containsExactly("[000000000000F03F0000000000000040]");
  }

  /** Files of new partitions with rows of old ones would hide these from filters by key. */
  @Test
  void newBucketsHaveTheirOwnRows() throws Exception {
    raced(
        () -> {
          add(0, ROWS, 100);
          doubleBuckets();
        },
        () -> add(0, ROWS, 10));
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows("n", "k = 'u" + i + "'")).as("u" + i).containsExactly("[111]");
    }
    add(0, ROWS, 1000);
    assertThat(rows("k", "n = 1111")).hasSize(ROWS);
  }

  /** Blocks of twice as many buckets have no place for the files of the earlier snapshot. */
  @Test
  void aRollbackToFewerBucketsIsWrittenTo() throws Exception {
    long before = table.snapshot().getAsLong();
    assertWrittenToRollback(before, () -> add(0, ROWS, 10), "[11]", ROWS);
    assertWrittenToRollback(before, () -> table.evict("k = 'u3'"), "[1]", ROWS - 1);
    Callable<TableCommit> compaction =
        () -> {
          add(0, 2, 0);
          return table.compact();
        };
    assertWrittenToRollback(before, compaction, "[1]", ROWS);
  }

  /** Runs {@code own} while another rolls back to {@code before}, where each row is 1. */
  private void assertWrittenToRollback(
      long before, Callable<TableCommit> own, String first, int rows) throws Exception {
    if (table.iceberg().specs().size() == 1) {
      doubleBuckets();
    }
    table.compact();
    add(0, ROWS, 100);
    TableCommit commit =
        raced(
            () -> {
              Table iceberg = FeatureTable.open(HookedLake.spark(), table.name()).iceberg();
              iceberg.manageSnapshots().setCurrentSnapshot(before).commit();
            },
            own);
    assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(rows("n", "k = 'u1'")).containsExactly(first);
    assertThat(rows("k", "n < 100")).hasSize(rows);
    assertThat(rows("k", "true")).hasSize(rows);
  }

  /** Threads of one session share a table then, so its state changes between its uses in a job. */
  @Test
  void aCompactionOfACachedTableKeepsANewVariable() throws Exception {
    makeTable(HookedLake.cachedName());
    add(0, 3, 1);
    racedWhileListing(() -> table.addVariable(Variable.of("score", "bigint")), table::compact);
    assertThat(rows("k, n, score", "k IN ('u1', 'u2', 'u3')"))
        .containsExactly("[u1,2,null]", "[u2,2,null]", "[u3,1,null]");
  }

  @Test
  void newBucketsOfACachedTableHaveTheirOwnRows() throws Exception {
    makeTable(HookedLake.cachedName());
    racedWhileListing(this::doubleBuckets, () -> add(ROWS, 2 * ROWS, 5));
    for (int i = ROWS; i < 2 * ROWS; i++) {
      assertThat(rows("n", "k = 'u" + i + "'")).as("u" + i).containsExactly("[5]");
    }
  }

  @Test
  void anEvictionFromACachedTableFindsRowsOfItsSnapshot() throws Exception {
    makeTable(HookedLake.cachedName());
    racedWhileListing(
        () -> scatter("SELECT 'u9' AS k, 1L AS n"), () -> table.evict("k IN ('u2', 'u9')"));
    assertThat(rows("k", "k IN ('u1', 'u2', 'u9')")).containsExactly("[u1]");
  }

  /** Whichever file the declaration reads: values of one variable come while it checks another. */
  @Test
  void dtypesAreNotDeclaredForValuesThatCameMeanwhile() throws Exception {
    int race = 0;
    while (isDeclaredWithValuesAt(race)) {
      race++;
    }
    assertThat(race).as("races").isGreaterThan(2);
  }

  /** Returns false if the declaration reads fewer files, and so nothing came meanwhile. */
  private boolean isDeclaredWithValuesAt(int read) throws Exception {
    makeTable(HookedLake.alteredName());
    table.addVariable(Variable.of("a", DType.INT32, 2).binary());
    table.addVariable(Variable.of("b", DType.INT32, 2).binary());
    add(0, 3, 1); // a snapshot with the columns, which is searched
    AtomicInteger reads = new AtomicInteger();
    AtomicBoolean came = new AtomicBoolean();
    Consumer<String> reading =
        path -> {
          if (path.endsWith(".avro") && reads.getAndIncrement() == read && !isDeclared()) {
            HookedLake.elsewhere(() -> scatter("SELECT 'u1' AS k, array(1, 2) AS a"));
            came.set(true);
          }
        };
    String alter =
        "ALTER TABLE %s SET TBLPROPERTIES ('sparknd.variable.a.dtype' = 'float32',"
            + " 'sparknd.variable.b.dtype' = 'float32')";
    try (AutoCloseable hooked = HookedIO.whenReading(reading)) {
      Throwable refused =
          catchThrowable(() -> HookedLake.spark().sql(alter.formatted(table.name())));
      assertThat(refused != null).as("refused at read %d", read).isEqualTo(came.get());
      assertThat(refused == null || refused.getMessage().contains("has values")).isTrue();
      return came.get();
    }
  }

  private boolean isDeclared() {
    Table now = FeatureTable.open(HookedLake.spark(), table.name()).iceberg();
    return "float32".equals(now.properties().get("sparknd.variable.a.dtype"));
  }

  private void doubleBuckets() {
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg
        .updateSpec()
        .removeField(iceberg.spec().fields().get(0).name())
        .addField("k_bucket_4", Expressions.bucket("k", 4))
        .commit();
  }
}
