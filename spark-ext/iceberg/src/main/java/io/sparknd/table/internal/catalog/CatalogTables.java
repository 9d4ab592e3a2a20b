/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.scan.ColumnarTable;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.internal.store.TableSelector;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.spark.PathIdentifier;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;

/**
 * The tables of a catalog that SparkND knows.
 *
 * @param catalog name of the catalog in the session
 */
public record CatalogTables(String catalog) {

  /** Returns a table whose appends are scattered, or the table itself if it holds no tensors. */
  public Table wrapped(Identifier identifier, Table loaded) {
    return ColumnarTable.plain(identifier, loaded)
        .filter(CatalogTables::isOurs)
        .<Table>map(table -> new ScatterTable(fullName(identifier), table))
        .orElse(loaded);
  }

  /**
   * Returns the table of which an identifier selects a version if there is no table of the whole
   * name; empty if its last part is no selector.
   */
  public static Optional<Identifier> selected(Identifier identifier) {
    String[] namespace = identifier.namespace();
    int last = namespace.length - 1;
    return last >= 0
            && !(identifier instanceof PathIdentifier)
            && TableSelector.parse(identifier.name()).isPresent()
        ? Optional.of(Identifier.of(Arrays.copyOf(namespace, last), namespace[last]))
        : Optional.empty();
  }

  /** Returns the error of a table that would hide the version that its name selects. */
  public SparkNdException versionNotCreated(Identifier identifier) {
    return CatalogErrors.versionCreated(fullName(identifier), selectedName(identifier));
  }

  /** Returns the error of a statement that drops a table by a name that selects a version. */
  public SparkNdException versionNotDropped(Identifier identifier) {
    return CatalogErrors.versionDropped(fullName(identifier), selectedName(identifier));
  }

  private String selectedName(Identifier identifier) {
    return fullName(selected(identifier).orElse(identifier));
  }

  private static boolean isOurs(SparkTable table) {
    return isFeatureTable(table) || TableProperties.isTensor(table.table().properties());
  }

  private static boolean isFeatureTable(SparkTable table) {
    return FeatureProperties.isFeatureTable(table.table().properties());
  }

  private String fullName(Identifier identifier) {
    List<String> parts = new ArrayList<>();
    parts.add(catalog);
    parts.addAll(List.of(identifier.namespace()));
    parts.add(identifier.name());
    return SqlNames.joined(parts);
  }

  /**
   * Creates a feature table; returns false if the definition is of another table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the definition contradicts itself, a column of
   *     another table has a default, or there is a table of the name
   */
  public boolean create(Identifier identifier, TableInfo definition) {
    String name = fullName(identifier);
    if (!FeatureProperties.isFeatureTable(definition.properties())) {
      requireNoDefaults(name, definition.columns());
      return false;
    }
    FeatureDefinition features =
        new FeatureDefinition(
            name, definition.columns(), definition.partitions(), definition.properties());
    FeatureCatalog.create(SparkSession.active(), name, features.spec(), features.comments());
    return true;
  }

  /** Iceberg's catalog would ignore a default, which Spark lets pass, since variables have some. */
  private static void requireNoDefaults(String table, Column[] columns) {
    for (Column column : columns) {
      if (column.defaultValue() != null) {
        throw CatalogErrors.columnDefault(table, column.name());
      }
    }
  }

  /**
   * Checks that a table made of a query, or in place of another one, is one that Iceberg can make.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a feature table, or a column has a default
   */
  public void requirePlain(Identifier identifier, TableInfo definition) {
    if (FeatureProperties.isFeatureTable(definition.properties())) {
      throw CatalogErrors.createAsSelect(fullName(identifier));
    }
    requireNoDefaults(fullName(identifier), definition.columns());
  }

  /**
   * Removes the properties that describe the tensor or the variables of the table that is replaced.
   * Iceberg keeps all properties of such a table, whose columns are gone.
   *
   * @param staged the table that replaces another one, or is new
   * @param given the properties that the statement sets, which stay
   */
  public static StagedTable replaced(StagedTable staged, Map<String, String> given) {
    if (staged instanceof SparkTable table) {
      List<String> left =
          table.table().properties().keySet().stream()
              .filter(key -> key.startsWith(FeatureProperties.PREFIX) && !given.containsKey(key))
              .toList();
      if (!left.isEmpty()) {
        UpdateProperties update = table.table().updateProperties();
        left.forEach(update::remove);
        update.commit();
      }
    }
    return staged;
  }

  /** Checks that no change is of a property that records what expired snapshots were. */
  private static void requireHistory(String table, TableChange... changes) {
    for (TableChange change : changes) {
      Optional<String> record = ChangedProperty.of(change).filter(TableProperties::isOfExpired);
      if (record.isPresent()) {
        throw CatalogErrors.expiredSnapshot(table, record.get());
      }
    }
  }

  /**
   * Applies changes of a feature table's variables.
   *
   * @return the changes that are left to Iceberg
   * @throws io.sparknd.tensor.SparkNdException if a change is refused
   */
  public TableChange[] alter(Identifier identifier, Table loaded, TableChange... changes) {
    String name = fullName(identifier);
    if (wrapped(identifier, loaded) instanceof ScatterTable table) {
      FormatNumber.requireKnown(name, table.properties());
      requireHistory(name, changes);
      if (TensorAlteration.restores(name, table.table(), changes)) {
        return changes;
      }
      if (new SizeAlteration(name, table.table()).apply(changes)) {
        return new TableChange[0];
      }
      if (isFeatureTable(table)) {
        return new FeatureAlteration(SparkSession.active(), name).apply(changes);
      }
      new TensorAlteration(StoredTensor.of(name, table.table())).check(changes);
    }
    for (TableChange change : changes) {
      if (change instanceof TableChange.AddColumn add && add.defaultValue() != null) {
        throw CatalogErrors.columnDefault(name, String.join(".", add.fieldNames()));
      }
    }
    return changes;
  }
}
