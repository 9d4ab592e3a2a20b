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
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that failures of a catalog or disk become SparkND errors and change nothing. */
class CatalogFailuresTest {
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  private final SparkSession spark = HookedLake.spark();

  @Test
  void lockedCatalogIsASparkNdError(@TempDir Path directory) throws Exception {
    addBusy("busy", directory);
    TensorTable table = TensorTable.create(spark, "busy.tests.t", HookedLake.spec());
    add(table);
    try (Connection other = lock(directory)) {
      assertBusy(() -> TensorTable.open(spark, "busy.tests.t"), "opening table");
      assertBusy(
          () -> TensorTable.create(spark, "busy.tests.new", HookedLake.spec()), "creating table");
      assertBusy(() -> add(table), "opening table");
      assertBusy(table::compact, "opening table");
      assertBusy(() -> table.expire(NOTHING), "opening table");
      assertBusy(() -> table.snapshot(1), "reading table");
      assertBusy(() -> table.removeOrphans(Duration.ofDays(1)), "opening table");
      other.createStatement().execute("ROLLBACK");
    }
    assertThat(read(add(table))).isEqualTo(plus(new long[ROWS], 0, 20, 2));
  }

  /** Another process locks the catalog after the last check of the table and before the commit. */
  @Test
  void lockedCatalogAtTheCommitLeavesTheTableUnchanged(@TempDir Path directory) throws Exception {
    addBusy("busier", directory);
    TensorTable table = TensorTable.create(spark, "busier.tests.t", HookedLake.spec());
    add(table);
    AtomicReference<Connection> held = new AtomicReference<>();
    HookedIO.Hook hook =
        (step, path, bytes) -> {
          if (step == Step.CLOSED && path.endsWith(".metadata.json") && held.get() == null) {
            held.set(lockUnchecked(directory));
          }
        };
    try (AutoCloseable hooked = HookedIO.with(hook)) {
      assertThatThrownBy(() -> add(table))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("busier.tests.t")
          .hasMessageContaining("the table is unchanged")
          .hasMessageContaining("raise busy_timeout");
    } finally {
      held.get().createStatement().execute("ROLLBACK");
      held.get().close();
    }
    TensorTable again = TensorTable.open(spark, table.name());
    assertThat(read(again)).isEqualTo(plus(new long[ROWS], 0, 20, 1));
    assertThat(read(add(again))).isEqualTo(plus(new long[ROWS], 0, 20, 2));
  }

  @Test
  void lockedCatalogAfterAnExpiryDoesNotDenyIt(@TempDir Path directory) throws Exception {
    addBusy("counted", directory);
    spark.conf().set("spark.sql.catalog.nd", "io.sparknd.sql.NdCatalog");
    TensorTable table = TensorTable.create(spark, "counted.tests.t", HookedLake.spec());
    add(add(table));
    assertUnknownIfLocked(
        directory,
        held -> HookedIO.with((step, path, bytes) -> held.lockAt(step == Step.DELETE)),
        () ->
            spark.sql(
                "CALL nd.system.expire('counted.tests.t', current_timestamp() + INTERVAL 1 HOUR)"),
        "expiring snapshots of table counted.tests.t");
    table.iceberg().refresh();
    assertThat(table.iceberg().snapshots()).hasSize(1);
  }

  @Test
  void lockedCatalogAfterAResizeDoesNotDenyIt(@TempDir Path directory) throws Exception {
    addBusy("resized", directory);
    spark.conf().set("spark.sql.catalog.resized.cache-enabled", "false");
    TensorTable table = TensorTable.create(spark, "resized.tests.t", HookedLake.spec());
    assertUnknownIfLocked(directory, HeldLock::afterCommit, () -> table.resize(50), "resizing");
    assertThat(TensorTable.open(spark, table.name()).shape()).isEqualTo(Shape.of(50));
    FeatureTable features =
        FeatureTable.create(
            spark,
            "resized.tests.f",
            FeatureTableSpec.numbered("id", 10).with(Variable.of("views", "bigint")));
    assertUnknownIfLocked(directory, HeldLock::afterCommit, () -> features.resize(50), "resizing");
  }

  /** A lock of a catalog's database that is taken once. */
  private static final class HeldLock {
    private final Path directory;
    private final AtomicBoolean hasCommitted = new AtomicBoolean();
    private @Nullable Connection connection;

    HeldLock(Path directory) {
      this.directory = directory;
    }

    synchronized void lockAt(boolean isTime) {
      if (isTime && connection == null) {
        connection = lockUnchecked(directory);
      }
    }

    /** Locks when the metadata of a commit is read for the first time. */
    AutoCloseable afterCommit() {
      AutoCloseable writes =
          HookedIO.with(
              (step, path, bytes) ->
                  hasCommitted.compareAndSet(
                      false, step == Step.CLOSED && path.endsWith(".metadata.json")));
      AutoCloseable reads = HookedIO.whenReading(path -> lockAt(hasCommitted.get()));
      return () -> {
        reads.close();
        writes.close();
      };
    }

    synchronized void release() throws SQLException {
      if (connection != null) {
        connection.createStatement().execute("ROLLBACK");
        connection.close();
      }
    }
  }

  private interface HookOfLock {
    AutoCloseable install(HeldLock lock);
  }

  private static void assertUnknownIfLocked(
      Path directory, HookOfLock hook, ThrowingCallable call, String tried) throws Exception {
    HeldLock lock = new HeldLock(directory);
    try (AutoCloseable hooked = hook.install(lock)) {
      assertThatThrownBy(call)
          .hasMessageContaining(tried)
          .hasMessageContaining("it is unknown how much of it was done")
          .hasMessageContaining("SQLITE_BUSY");
    } finally {
      lock.release();
    }
  }

  @Test
  void fullDiskIsASparkNdError() throws Exception {
    TensorTable table = HookedLake.create();
    add(add(table));
    HookedIO.Hook full =
        (step, path, bytes) -> {
          if (step == Step.WRITE) {
            throw new IOException("No space left on device");
          }
        };
    try (AutoCloseable hooked = HookedIO.with(full)) {
      assertFull(() -> HookedLake.create(), "creating table").hasMessageContaining("not");
      assertFull(() -> add(table), "the table is unchanged").hasMessageContaining("free space");
      assertFull(() -> table.expire(NOTHING), "expiring snapshots of table " + table.name());
    }
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 2));
    table.expire(NOTHING);
  }

  @Test
  void reasonAndRootReasonAreNotRepeated() {
    Exception root = new IllegalStateException("the server is down");
    assertThat(TableErrors.catalogFailed("reading", "t", root))
        .hasMessage(
            "reading table t failed; nothing was changed: the server is down; check that the"
                + " catalog and its storage are reachable, then call again");
    assertThat(TableErrors.commitFailed("t", new IllegalStateException("no answer", root)))
        .hasMessageContaining("the table is unchanged: no answer; the server is down; check that");
  }

  private static void assertBusy(ThrowingCallable call, String tried) {
    assertThatThrownBy(call)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(tried)
        .hasMessageContaining("nothing was changed")
        .hasMessageContaining("SQLITE_BUSY")
        .hasMessageContaining("raise busy_timeout");
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFull(
      ThrowingCallable call, String tried) {
    return assertThatThrownBy(call)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(tried)
        .hasMessageContaining("No space left on device");
  }

  private void addBusy(String name, Path directory) {
    String catalog = "spark.sql.catalog." + name;
    spark.conf().set(catalog + ".io-impl", HookedIO.class.getName());
    spark.conf().set(catalog + ".uri", uri(directory));
    LocalCatalog.addTo(spark, name, directory);
  }

  private static String uri(Path directory) {
    return "jdbc:sqlite:" + directory.resolve("catalog.db") + "?busy_timeout=50";
  }

  private static Connection lockUnchecked(Path directory) {
    try {
      return lock(directory);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection lock(Path directory) throws SQLException {
    Connection connection = DriverManager.getConnection(uri(directory));
    connection.createStatement().execute("BEGIN EXCLUSIVE");
    return connection;
  }

  private static TensorTable add(TensorTable table) {
    table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    return table;
  }
}
