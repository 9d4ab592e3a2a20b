/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.CommitBackoff;
import io.sparknd.table.internal.store.NumberedAxis;
import io.sparknd.table.internal.store.SnapshotColumns;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.internal.store.TableTransaction;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the size of a table's numbered axis: metadata only. The change is a snapshot without
 * files, because a catalog may detect races of snapshots only, not those of properties.
 *
 * <p>An axis shrinks only if no branch has a row beyond its new size. A commit between that check
 * and the change of the size makes the change start over; a scatter that commits after the change
 * checks its rows against the new size ({@link ShrunkAxis}).
 */
public final class TableResize {
  private static final Logger LOG = LoggerFactory.getLogger(TableResize.class);
  private static final int MAX_ATTEMPTS = 200;

  private final SparkSession spark;
  private final String name;
  private final Table table;

  /**
   * Prepares a change of a tensor table or a feature table.
   *
   * @param name the table's name, for messages
   */
  public TableResize(SparkSession spark, String name, Table table) {
    this.spark = spark;
    this.name = name;
    this.table = table;
  }

  /**
   * Returns the size that a change of table properties requests; empty if it changes no size.
   *
   * @param changes properties to set
   * @throws io.sparknd.tensor.SparkNdException if a property is malformed, the table has no such
   *     property, or a shape differs in more than its first dimension
   */
  public OptionalLong requested(Map<String, String> changes) {
    String history = changes.get(NumberedAxis.HISTORY);
    if (history != null) {
      throw TableErrors.badTableProperty(
          NumberedAxis.HISTORY, history, "for users to set; SparkND keeps it");
    }
    Optional<NumberedAxis> axis = NumberedAxis.of(table.properties());
    for (String property : List.of(TableProperties.SIZE, TableProperties.SHAPE)) {
      String value = changes.get(property);
      if (value != null && axis.filter(of -> of.property().equals(property)).isPresent()) {
        return OptionalLong.of(size(property, value));
      }
      if (value != null) {
        throw TableErrors.noNumberedAxis(name);
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Returns the property that holds the size.
   *
   * @throws io.sparknd.tensor.SparkNdException if the axis is labelled
   */
  public String property() {
    return NumberedAxis.of(table.properties())
        .map(NumberedAxis::property)
        .orElseThrow(() -> TableErrors.noNumberedAxis(name));
  }

  private long size(String property, String value) {
    if (property.equals(TableProperties.SIZE)) {
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw TableErrors.badTableProperty(property, value, "a positive number");
      }
    }
    Shape now = Shape.parse(String.valueOf(table.properties().get(property)));
    Shape wanted = Shape.parse(value);
    if (wanted.rank() != now.rank() || !wanted.from(1).equals(now.from(1))) {
      throw TableErrors.badTableProperty(
          property, value, now + " with another first dimension, which alone can change");
    }
    return wanted.dim(0);
  }

  /**
   * Changes the size.
   *
   * @param size the new number of entries
   * @return the size before
   * @throws io.sparknd.tensor.SparkNdException if the axis is labelled; {@code size} is not
   *     positive, or makes a tensor of more than 2^63 - 1 elements; a row beyond it is stored; or
   *     other commits won every race
   */
  public long run(long size) {
    if (size < 1) {
      throw TableErrors.notPositive("size", size);
    }
    long before = -1;
    boolean isUnknown = false; // whether the last attempt may have committed
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        refresh(isUnknown);
        CheckedState checked = CheckedState.of(name, table, size);
        before = before < 0 ? checked.axis().size() : before;
        if (checked.axis().size() == size) {
          return before;
        }
        requireNoRowBeyond(checked, size);
        commit(checked, size);
        return before;
      } catch (CommitFailedException
          | ValidationException
          | NotFoundException // a snapshot expired while it was read
          | CommitStateUnknownException e) { // if it succeeded, the next attempt does nothing
        LOG.atInfo()
            .addKeyValue("table_name", name)
            .addKeyValue("attempt", attempt)
            .log("{}: resize attempt {} conflicted: {}", name, attempt, e.getMessage());
        isUnknown = e instanceof CommitStateUnknownException;
        CommitBackoff.pause(attempt);
      } catch (SparkNdException e) {
        throw e;
      } catch (RuntimeException e) {
        throw CatalogFailures.unknown("resizing", name, e);
      }
    }
    throw TableErrors.commitLost(name, MAX_ATTEMPTS);
  }

  private void refresh(boolean isUnknown) {
    if (isUnknown) {
      TableRefresh.afterCommit("resizing", name, table);
    } else {
      TableRefresh.run(name, table);
    }
  }

  /**
   * What a change was checked against; the change fails if it is no longer so.
   *
   * @param heads snapshots that must have no row beyond the new size, by branch; empty if the axis
   *     grows
   * @param newest the greatest sequence number of a snapshot; 0 if the axis grows
   */
  private record CheckedState(NumberedAxis axis, Map<String, Long> heads, long newest) {
    static CheckedState of(String name, Table table, long size) {
      NumberedAxis axis =
          NumberedAxis.of(table.properties()).orElseThrow(() -> TableErrors.noNumberedAxis(name));
      return size >= axis.size()
          ? new CheckedState(axis, Map.of(), 0)
          : new CheckedState(axis, heads(table), sequences(table).max().orElse(0));
    }

    private static Map<String, Long> heads(Table table) {
      Map<String, Long> heads = new TreeMap<>();
      for (Map.Entry<String, SnapshotRef> ref : table.refs().entrySet()) {
        if (ref.getValue().isBranch()) {
          heads.put(ref.getKey(), ref.getValue().snapshotId());
        }
      }
      return heads;
    }

    /** Returns a validator that rejects a commit to a table in another state. */
    SnapshotAncestryValidator validator(String name, Table base, long size) {
      return new SnapshotAncestryValidator() {
        @Override
        public boolean validate(Iterable<Snapshot> ancestors) {
          return CheckedState.this.equals(of(name, base, size));
        }

        @Override
        public String errorMessage() {
          return "table " + name + " changed while it was resized";
        }
      };
    }
  }

  private static LongStream sequences(Table table) {
    return StreamSupport.stream(table.snapshots().spliterator(), false)
        .mapToLong(Snapshot::sequenceNumber);
  }

  private void requireNoRowBeyond(CheckedState checked, long size) {
    checked
        .heads()
        .forEach(
            (branch, snapshot) -> {
              OptionalLong row =
                  firstRowBeyond(name, table, snapshot, checked.axis().column(), size);
              if (row.isPresent()) {
                throw TableErrors.rowsBeyondSize(
                    name, size, checked.axis().column(), row.getAsLong(), branch);
              }
            });
  }

  /**
   * Returns the number of a live row at or beyond {@code size}; empty if there is none. Files whose
   * metrics exclude such rows are not read.
   *
   * @throws io.sparknd.tensor.SparkNdException if others renamed or dropped the column
   */
  static OptionalLong firstRowBeyond(
      String name, Table table, long snapshot, String column, long size) {
    if (table.schema().findField(column) == null) {
      throw TableErrors.wrongTableColumn(name, column, "not there", column + " long");
    }
    SnapshotColumns columns = new SnapshotColumns(table, snapshot);
    return columns
        .filterName(column)
        .map(then -> firstRowBeyond(columns, then, size))
        .orElseGet(OptionalLong::empty);
  }

  private static OptionalLong firstRowBeyond(SnapshotColumns columns, String column, long size) {
    try (CloseableIterable<Record> rows =
        IcebergGenerics.read(columns.table())
            .useSnapshot(columns.snapshot())
            .where(Expressions.greaterThanOrEqual(column, size))
            .project(columns.filterSchema().select(column))
            .build()) {
      Iterator<Record> found = rows.iterator();
      return found.hasNext()
          ? OptionalLong.of(((Number) found.next().get(0)).longValue())
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void commit(CheckedState checked, long size) {
    TableTransaction.commit(name, table, transaction -> change(transaction, checked, size));
  }

  private void change(Transaction transaction, CheckedState checked, long size) {
    EmptySnapshot.add(
        spark,
        transaction,
        Map.of(SnapshotProperties.SIZE, Long.toString(size)),
        checked.validator(name, transaction.table(), size));
    UpdateProperties properties = transaction.updateProperties();
    checked
        .axis()
        .resized(table.properties(), size, firstSequence(checked), sequences(table).min().orElse(0))
        .forEach(
            (property, value) ->
                value.ifPresentOrElse(
                    text -> properties.set(property, text), () -> properties.remove(property)));
    properties.commit();
  }

  /**
   * Returns a sequence number above those of all snapshots that were checked. In format version 1
   * all are 0, so no snapshot keeps another size.
   */
  private long firstSequence(CheckedState checked) {
    return TableUtil.formatVersion(table) == 1 ? 0 : checked.newest() + 1;
  }
}
