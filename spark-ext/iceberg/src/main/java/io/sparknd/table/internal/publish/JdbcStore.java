/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.tensor.SparkNdException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A connection to a database. */
final class JdbcStore implements SinkStore {
  /** Classes of the standard's states of errors. */
  private static final String DATA = "22";

  private static final String CONSTRAINT = "23";

  private final Connection connection;
  private final StoreAddress address;
  private final String name;
  private final JdbcTables tables;

  private JdbcStore(Connection connection, StoreAddress address, String name, JdbcTables tables) {
    this.connection = connection;
    this.address = address;
    this.name = name;
    this.tables = tables;
  }

  static JdbcStore open(StoreAddress address, String name, PublishedColumns columns) {
    try {
      Connection connection = JdbcConnections.open(address);
      JdbcRows rows = new JdbcRows(SqlDialect.of(address.url()), columns);
      JdbcTables tables = new JdbcTables(connection, address, name, rows);
      return new JdbcStore(connection, address, name, tables);
    } catch (SQLException e) {
      throw address
          .missingFolder()
          .map(
              folder ->
                  PublicationErrors.noSinkFolder(
                      address.shown(), folder, address.withoutCredentials(e)))
          .orElseGet(() -> address.failed(e));
    }
  }

  private interface Transaction<T> {
    T run() throws SQLException;
  }

  /** Runs a transaction: it is committed, or rolled back if it fails. */
  private <T> T run(Transaction<T> transaction) {
    return run(transaction, address::failed);
  }

  private <T> T run(Transaction<T> transaction, Function<SQLException, SparkNdException> failure) {
    try {
      T result = transaction.run();
      connection.commit();
      return result;
    } catch (SQLException e) {
      rollBack(e);
      throw failure.apply(e);
    } catch (RuntimeException e) {
      rollBack(e);
      throw e;
    }
  }

  /** Returns the error of rows that were not written. */
  private SparkNdException notWritten(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    boolean isOfRow = state.startsWith(DATA) || state.startsWith(CONSTRAINT);
    return isOfRow ? address.refused(error) : address.failed(error);
  }

  private void rollBack(Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public Optional<SinkPosition> position() {
    return run(
        () -> {
          if (!tables.hasPositions()) {
            return Optional.empty();
          }
          Map<String, String> fields = positionFields();
          if (fields.isEmpty()) {
            return Optional.empty();
          }
          return Optional.of(
              SinkPosition.of(fields)
                  .orElseThrow(() -> PublicationErrors.foreignPosition(name, address.shown())));
        });
  }

  private Map<String, String> positionFields() throws SQLException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (PreparedStatement select = connection.prepareStatement(tables.selectPosition())) {
      select.setString(1, name);
      try (ResultSet found = select.executeQuery()) {
        if (found.next()) {
          for (int i = 0; i < SinkPosition.FIELDS.size(); i++) {
            fields.put(SinkPosition.FIELDS.get(i), found.getString(i + 1));
          }
        }
      }
    }
    return fields;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The transaction writes before it reads, and what is read before has another one: SQLite does
   * not wait for others where a transaction that has read is to write.
   */
  @Override
  public boolean begin(Optional<SinkPosition> before, SinkPosition step) {
    createPositions();
    if (before.isEmpty()) {
      return isFirst(step);
    }
    return run(
        () -> {
          tables.requireSameKey(before.get());
          if (!update(before.get().epoch(), step)) {
            return false;
          }
          tables.requireNoOtherColumns(before.get());
          if (before.get().published().isPresent() || !tables.createRows()) {
            tables.alter(before.get());
          }
          return true;
        });
  }

  /** Creates the table of positions if there is none, which another publication may do as well. */
  private void createPositions() {
    if (run(tables::hasPositions)) {
      return;
    }
    try {
      run(
          () -> {
            tables.createPositions();
            return true;
          });
    } catch (SparkNdException e) {
      if (!hasPositions(e)) {
        throw e;
      }
    }
  }

  private boolean hasPositions(SparkNdException failure) {
    try {
      return run(tables::hasPositions);
    } catch (SparkNdException e) { // the connection is broken
      failure.addSuppressed(e);
      return false;
    }
  }

  /** Begins a first step; false if another publication under the name made one before it. */
  private boolean isFirst(SinkPosition step) {
    try {
      return run(() -> beginFirst(step));
    } catch (SparkNdException e) {
      if (hasOtherThan(step, e)) {
        return false;
      }
      throw e;
    }
  }

  private boolean hasOtherThan(SinkPosition step, SparkNdException failure) {
    try {
      String epoch = run(this::positionFields).get(SinkPosition.EPOCH);
      return epoch != null && !epoch.equals(Long.toString(step.epoch()));
    } catch (SparkNdException e) { // the connection is broken
      failure.addSuppressed(e);
      return false;
    }
  }

  private boolean beginFirst(SinkPosition step) throws SQLException {
    // locks the file of SQLite; no position has this number
    if (isLast(step.epoch()) || !positionFields().isEmpty()) {
      return false;
    }
    tables.requireNoRows();
    if (!insert(step)) {
      return false;
    }
    tables.createRows();
    return true;
  }

  @Override
  public boolean end(SinkPosition ended) {
    Map<String, String> begun = run(this::positionFields);
    return run(
        () -> {
          if (!isLast(ended.epoch())) {
            return false;
          }
          Optional<SinkPosition> before = SinkPosition.of(begun);
          if (before.isPresent()) {
            // before the position forgets them: some databases commit each definition on its own
            tables.dropFormer(before.get());
          }
          return update(ended.epoch(), ended);
        });
  }

  private boolean insert(SinkPosition position) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(tables.insertPosition())) {
      setFields(insert, position);
      insert.setString(SinkPosition.FIELDS.size() + 1, name);
      return insert.executeUpdate() == 1;
    }
  }

  private boolean update(long epoch, SinkPosition position) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(tables.updatePosition())) {
      setFields(update, position);
      update.setString(SinkPosition.FIELDS.size() + 1, name);
      update.setLong(SinkPosition.FIELDS.size() + 2, epoch);
      return update.executeUpdate() == 1;
    }
  }

  private static void setFields(PreparedStatement statement, SinkPosition position)
      throws SQLException {
    Map<String, String> fields = position.fields();
    for (int i = 0; i < SinkPosition.FIELDS.size(); i++) {
      String field = SinkPosition.FIELDS.get(i);
      if (field.equals(SinkPosition.EPOCH)) {
        statement.setLong(i + 1, position.epoch());
      } else {
        statement.setString(i + 1, fields.get(field));
      }
    }
  }

  /** Returns whether a step is the last that began, which holds until the transaction ends. */
  private boolean isLast(long epoch) throws SQLException {
    boolean locks = tables.rows().dialect().locksByUpdate();
    try (PreparedStatement lock = connection.prepareStatement(tables.lockEpoch())) {
      lock.setString(1, name);
      if (locks) {
        lock.setLong(2, epoch);
        return lock.executeUpdate() == 1;
      }
      try (ResultSet found = lock.executeQuery()) {
        return found.next() && found.getLong(1) == epoch;
      }
    }
  }

  @Override
  public long write(long epoch, List<PublishedRow> rows) {
    return run(() -> isLast(epoch) ? send(epoch, rows) : -1L, this::notWritten);
  }

  private long send(long epoch, List<PublishedRow> rows) throws SQLException {
    JdbcRows encoder = tables.rows();
    long bytes = 0;
    int keys = encoder.columns().keys().size();
    try (PreparedStatement delete = connection.prepareStatement(tables.deleteRow());
        PreparedStatement insert = connection.prepareStatement(tables.insertRow())) {
      for (PublishedRow row : rows) {
        if (row.cells() == null ? JdbcRows.isText(row.key()) : encoder.dialect().deletesFirst()) {
          bytes += encoder.setKey(delete, 1, row.key());
          delete.addBatch();
        }
        if (row.cells() != null) {
          bytes += encoder.setKey(insert, 1, row.key());
          insert.setLong(keys + 1, epoch);
          bytes += encoder.setValues(insert, keys + 2, row);
          insert.addBatch();
        }
      }
      delete.executeBatch();
      insert.executeBatch();
    }
    return bytes;
  }

  @Override
  public long deleteOlder(long epoch) {
    return run(
        () -> {
          if (!isLast(epoch)) {
            return -1L;
          }
          try (PreparedStatement delete = connection.prepareStatement(tables.deleteOlder())) {
            delete.setLong(1, epoch);
            return (long) delete.executeUpdate();
          }
        });
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw address.failed(e);
    }
  }
}
