/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a publication in a database: that of its rows, and that of the positions of all
 * publications, in the same schema.
 */
final class JdbcTables {
  private static final String POSITIONS = "sparknd_publications";
  private static final String NOT_NULL = " NOT NULL";

  private final Connection connection;
  private final StoreAddress address;
  private final String name;
  private final JdbcRows rows;
  private final String quote;
  private final @Nullable String schema;
  private final String table;

  JdbcTables(Connection connection, StoreAddress address, String name, JdbcRows rows)
      throws SQLException {
    this.connection = connection;
    this.address = address;
    this.name = name;
    this.rows = rows;
    this.quote = connection.getMetaData().getIdentifierQuoteString().strip();
    int dot = name.lastIndexOf('.');
    this.schema = dot < 0 ? null : name.substring(0, dot);
    this.table = rows.dialect().stored(name.substring(dot + 1));
  }

  JdbcRows rows() {
    return rows;
  }

  private String quoted(String identifier) {
    return quote + identifier.replace(quote, quote + quote) + quote;
  }

  private String qualified(String of) {
    return schema == null ? quoted(of) : quoted(schema) + "." + quoted(of);
  }

  private List<String> keys() {
    return rows.columns().keys().stream().map(KeyColumn::name).map(this::quoted).toList();
  }

  private List<String> variables() {
    return rows.columns().variables().stream().map(FeatureColumn::name).map(this::quoted).toList();
  }

  private List<String> fields() {
    return SinkPosition.FIELDS.stream().map(this::quoted).toList();
  }

  boolean hasPositions() throws SQLException {
    return exists(POSITIONS);
  }

  private boolean exists(String of) throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    try (ResultSet found = metadata.getTables(connection.getCatalog(), schema(), of, null)) {
      while (found.next()) {
        if (isOf(found, of)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Returns whether a row, which was found by patterns, in which {@code _} is any character, is of
   * exactly this table.
   */
  private boolean isOf(ResultSet found, String of) throws SQLException {
    return isSchema(found.getString("TABLE_SCHEM")) && of.equals(found.getString("TABLE_NAME"));
  }

  /** Returns whether a schema is that of the tables; databases without schemas have no names. */
  private boolean isSchema(@Nullable String found) throws SQLException {
    String wanted = schema();
    return wanted == null || found == null || found.isEmpty() || found.equals(wanted);
  }

  private @Nullable String schema() throws SQLException {
    return schema == null ? connection.getSchema() : schema;
  }

  /** Creates the table of positions. */
  void createPositions() throws SQLException {
    execute(
        "CREATE TABLE "
            + qualified(POSITIONS)
            + SinkPosition.FIELDS.stream()
                .map(field -> quoted(field) + positionType(field))
                .collect(
                    Collectors.joining(
                        ", ",
                        " (",
                        ", " + quoted("name") + " varchar(255) NOT NULL PRIMARY KEY)")));
  }

  /** Checks that no table has the name of the publication. */
  void requireNoRows() throws SQLException {
    if (exists(table)) {
      throw PublicationErrors.foreignPosition(name, address.shown());
    }
  }

  /**
   * Creates the table of rows if it does not exist.
   *
   * @return whether it did not
   */
  boolean createRows() throws SQLException {
    if (exists(table)) {
      return false;
    }
    execute(definition());
    requireExactKeys();
    return true;
  }

  private String positionType(String field) {
    return field.equals(SinkPosition.EPOCH) ? " bigint NOT NULL" : " " + rows.dialect().text();
  }

  private String definition() {
    List<String> definitions = new ArrayList<>();
    for (KeyColumn key : rows.columns().keys()) {
      definitions.add(quoted(key.name()) + " " + rows.dialect().type(key.type()) + NOT_NULL);
    }
    definitions.add(quoted(PublishedColumns.VERSION) + " bigint" + NOT_NULL);
    for (FeatureColumn variable : rows.columns().variables()) {
      definitions.add(quoted(variable.name()) + " " + rows.type(variable));
    }
    definitions.add("PRIMARY KEY (" + String.join(", ", keys()) + ")");
    return "CREATE TABLE " + qualified(table) + " (" + String.join(", ", definitions) + ")";
  }

  /** Checks that no two texts are equal to the database that are not to SparkND. */
  private void requireExactKeys() throws SQLException {
    Optional<KeyColumn> text =
        rows.columns().keys().stream().filter(key -> key.type() == KeyType.STRING).findFirst();
    if (text.isPresent()) {
      requireExact(text.get().name());
    }
  }

  private void requireExact(String column) throws SQLException {
    List<String> columns = new ArrayList<>(keys());
    columns.add(quoted(PublishedColumns.VERSION));
    String insert = SqlDialect.insert(qualified(table), columns);
    try (PreparedStatement probe = connection.prepareStatement(insert)) {
      rows.setKey(probe, 1, rows.probe("k"));
      probe.setLong(columns.size(), 0);
      probe.executeUpdate();
    }
    for (String other : List.of("K", "k ")) {
      try (PreparedStatement delete = connection.prepareStatement(deleteRow())) {
        rows.setKey(delete, 1, rows.probe(other));
        if (delete.executeUpdate() > 0) {
          forget();
          throw PublicationErrors.keysNotExact(address.shown(), column);
        }
      }
    }
    execute("DELETE FROM " + qualified(table));
  }

  /** Removes what was just made, for databases that commit each definition on its own. */
  private void forget() throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM " + qualified(POSITIONS) + whereName())) {
      delete.setString(1, name);
      delete.executeUpdate();
    }
    execute("DROP TABLE " + qualified(table));
  }

  /** Checks that the key has not changed, which that of a table cannot. */
  void requireSameKey(SinkPosition before) {
    if (!keyTypes(before.columns()).equals(keyTypes(rows.columns().text()))) {
      throw PublicationErrors.otherKey(name, address.shown());
    }
  }

  private static List<String> keyTypes(String columns) {
    return PublishedColumns.types(columns).entrySet().stream()
        .filter(column -> column.getValue().startsWith(PublishedColumns.KEY))
        .map(Object::toString)
        .toList();
  }

  /**
   * Checks that the table of rows has no column of a variable's name that others added.
   *
   * @param before names the columns that publications made
   */
  void requireNoOtherColumns(SinkPosition before) throws SQLException {
    Set<String> ours =
        PublishedColumns.types(before.columns()).keySet().stream()
            .map(rows.dialect()::column)
            .collect(Collectors.toSet());
    Set<String> others = columns();
    others.removeAll(ours);
    for (FeatureColumn variable : rows.columns().variables()) {
      if (others.contains(rows.dialect().column(variable.name()))) {
        throw PublicationErrors.foreignColumn(name, address.shown(), variable.name());
      }
    }
  }

  /**
   * Adds the columns of variables that the table does not have, and replaces those of other ones:
   * rows keep the values of the others until they are sent. Columns that others added stay.
   */
  void alter(SinkPosition before) throws SQLException {
    if (before.columns().equals(rows.columns().text())) {
      return; // a column that is not there is an error then: not all rows are sent
    }
    Set<String> stored = columns();
    for (FeatureColumn variable : rows.columns().variables()) {
      boolean isThere = stored.contains(rows.dialect().column(variable.name()));
      boolean isSame = isThere && isSame(variable, before.columns());
      if (isThere && !isSame) {
        drop(variable.name());
      }
      if (!isSame) {
        add(variable);
      }
    }
  }

  /** Returns whether a variable's column is the one that a text of columns has. */
  private boolean isSame(FeatureColumn variable, String before) {
    boolean isForm = !rows.dependsOnForm(variable) || rows.columns().isFormIn(before);
    return isForm && rows.columns().isColumnIn(variable, before, rows.dialect()::column);
  }

  /** Drops the columns of variables that publications had, of steps that did not end too. */
  void dropFormer(SinkPosition before) throws SQLException {
    Set<String> former = columns();
    rows.columns().variables().stream()
        .map(variable -> rows.dialect().column(variable.name()))
        .forEach(former::remove);
    for (Map.Entry<String, String> column : PublishedColumns.types(before.columns()).entrySet()) {
      boolean isKey = column.getValue().startsWith(PublishedColumns.KEY);
      if (!isKey && former.remove(rows.dialect().column(column.getKey()))) {
        drop(column.getKey());
      }
    }
  }

  private void drop(String column) throws SQLException {
    execute("ALTER TABLE " + qualified(table) + " DROP COLUMN " + quoted(column));
  }

  private void add(FeatureColumn variable) throws SQLException {
    execute(
        "ALTER TABLE "
            + qualified(table)
            + " ADD COLUMN "
            + quoted(variable.name())
            + " "
            + rows.type(variable));
  }

  /**
   * Returns the names of the columns of the table of rows, as {@link SqlDialect#column} gives them;
   * none if there is no such table.
   */
  private Set<String> columns() throws SQLException {
    DatabaseMetaData metadata = connection.getMetaData();
    Set<String> names = new HashSet<>();
    // all at once: a name as a pattern may not match itself, such as one with an escape
    try (ResultSet found = metadata.getColumns(connection.getCatalog(), schema(), table, null)) {
      while (found.next()) {
        if (isOf(found, table)) {
          names.add(rows.dialect().column(found.getString("COLUMN_NAME")));
        }
      }
    }
    return names;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  String selectPosition() {
    return "SELECT " + String.join(", ", fields()) + " FROM " + qualified(POSITIONS) + whereName();
  }

  private String whereName() {
    return " WHERE " + quoted("name") + " = ?";
  }

  String insertPosition() {
    List<String> columns = new ArrayList<>(fields());
    columns.add(quoted("name"));
    return SqlDialect.insert(qualified(POSITIONS), columns);
  }

  String updatePosition() {
    return "UPDATE "
        + qualified(POSITIONS)
        + " SET "
        + fields().stream().map(field -> field + " = ?").collect(Collectors.joining(", "))
        + whereName()
        + " AND "
        + quoted(SinkPosition.EPOCH)
        + " = ?";
  }

  /** Returns a statement that locks the position: an update by name and epoch, or a query. */
  String lockEpoch() {
    String epoch = quoted(SinkPosition.EPOCH);
    return rows.dialect().locksByUpdate()
        ? "UPDATE "
            + qualified(POSITIONS)
            + " SET "
            + epoch
            + " = "
            + epoch
            + whereName()
            + " AND "
            + epoch
            + " = ?"
        : "SELECT " + epoch + " FROM " + qualified(POSITIONS) + whereName() + " FOR SHARE";
  }

  String insertRow() {
    List<String> others = new ArrayList<>(List.of(quoted(PublishedColumns.VERSION)));
    others.addAll(variables());
    return rows.dialect().replace(qualified(table), keys(), others);
  }

  String deleteRow() {
    return "DELETE FROM "
        + qualified(table)
        + " WHERE "
        + keys().stream().map(key -> key + " = ?").collect(Collectors.joining(" AND "));
  }

  String deleteOlder() {
    return "DELETE FROM "
        + qualified(table)
        + " WHERE "
        + quoted(PublishedColumns.VERSION)
        + " <> ?";
  }
}
