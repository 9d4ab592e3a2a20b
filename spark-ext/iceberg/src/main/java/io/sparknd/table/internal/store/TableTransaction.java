/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.ValidationException;

/**
 * A change of a table's metadata in one commit. If a client had no answer and sent it again, the
 * second try fails because the first one succeeded: the table then has the change, and needs the
 * manifest list that Iceberg would delete at once.
 */
public final class TableTransaction {
  private final String name;
  private final Table table;
  private final UnusedMetadata unused = new UnusedMetadata();
  private final Set<Long> before = new HashSet<>();

  private TableTransaction(String name, Table table) {
    this.name = name;
    this.table = table;
    table.snapshots().forEach(snapshot -> before.add(snapshot.snapshotId()));
  }

  /**
   * Changes a table.
   *
   * @param name the table's name, for the log
   * @throws RuntimeException of Iceberg, if the commit failed and the table does not have the
   *     change
   */
  public static void commit(String name, Table table, Consumer<Transaction> change) {
    new TableTransaction(name, table).commit(change, base -> {});
  }

  /**
   * Changes a table if its metadata is as expected when the commit replaces it.
   *
   * @param isExpected is called with the metadata to replace, again for each try
   * @return false if it is not as expected; nothing was changed then
   * @throws RuntimeException as {@link #commit(String, Table, Consumer)}
   */
  public static boolean commitIf(
      Predicate<TableMetadata> isExpected, String name, Table table, Consumer<Transaction> change) {
    try {
      new TableTransaction(name, table)
          .commit(
              change,
              base -> {
                if (!isExpected.test(base)) {
                  throw new ChangedMetadataException();
                }
              });
      return true;
    } catch (ChangedMetadataException e) {
      return false;
    }
  }

  /** Ends a transaction that is not to be tried again. */
  private static final class ChangedMetadataException extends ValidationException {
    private static final long serialVersionUID = 1;

    ChangedMetadataException() {
      super("the table's metadata has changed");
    }
  }

  private void commit(Consumer<Transaction> change, Consumer<TableMetadata> check) {
    Transaction transaction = begin(check);
    change.accept(transaction);
    Wanted wanted = Wanted.of(transaction.table());
    try {
      transaction.commitTransaction();
    } catch (RuntimeException e) {
      if (!isApplied(wanted, e)) {
        throw e;
      }
    } finally {
      deleteUnused();
    }
  }

  private Transaction begin(Consumer<TableMetadata> check) {
    return table instanceof BaseTable base
        ? new BaseTable(
                new HoldingOperations(base.operations(), unused, check),
                base.name(),
                base.reporter())
            .newTransaction()
        : table.newTransaction();
  }

  private boolean isApplied(Wanted wanted, RuntimeException failure) {
    try {
      TableRefresh.orMissing(table);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
    return wanted.isIn(table);
  }

  /** Deletes what no snapshot has; if the table cannot be read, all stays. */
  private void deleteUnused() {
    if (unused.isEmpty()) {
      return;
    }
    try {
      TableRefresh.orMissing(table);
    } catch (RuntimeException e) {
      return; // of an unknown outcome, which the commit reports
    }
    Set<Long> made = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      if (!before.contains(snapshot.snapshotId())) {
        made.add(snapshot.snapshotId());
      }
    }
    unused.delete(name, table, made);
  }

  /** What a table has after a change. */
  private record Wanted(Schema schema, PartitionSpec spec, Map<String, String> properties) {
    static Wanted of(Table table) {
      return new Wanted(table.schema(), table.spec(), Map.copyOf(table.properties()));
    }

    boolean isIn(Table table) {
      return schema.sameSchema(table.schema())
          && spec.compatibleWith(table.spec())
          && properties.equals(table.properties());
    }
  }
}
