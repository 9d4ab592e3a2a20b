/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import io.sparknd.table.internal.AdoptionErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.internal.store.TableTransaction;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * An Iceberg table that is adopted: what every adoption checks, and its commit.
 *
 * @param name the full name, quoted as in SQL
 */
record AdoptedTable(String name, Table table) {
  private static final int MAX_ATTEMPTS = 10;
  private static final int FIRST_WITH_DELETES = 2;
  private static final String FORMAT = org.apache.iceberg.TableProperties.DEFAULT_FILE_FORMAT;
  private static final String MAPPING = org.apache.iceberg.TableProperties.DEFAULT_NAME_MAPPING;

  /**
   * Opens a table that is not SparkND's yet.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, it is encrypted or of
   *     another format, or commits to it may be lost
   */
  static AdoptedTable open(SparkSession spark, String name) {
    TableCatalogs.Opened opened = TableCatalogs.load(spark, name);
    AdoptedTable adopted = new AdoptedTable(opened.name(), opened.table());
    TableCatalogs.requireSafe(spark, adopted.name(), adopted.table());
    adopted.check();
    return adopted;
  }

  private void check() {
    Map<String, String> properties = table.properties();
    Stream.of(FeatureProperties.KEY, TableProperties.DTYPE, TableProperties.SHAPE)
        .filter(properties::containsKey)
        .findFirst()
        .ifPresent(
            property -> {
              throw AdoptionErrors.alreadyAdopted(name, property);
            });
    if (properties.containsKey(org.apache.iceberg.TableProperties.ENCRYPTION_TABLE_KEY)) {
      throw TableErrors.encryptedTable(name);
    }
    int version = TableUtil.formatVersion(table);
    if (version < FIRST_WITH_DELETES) {
      throw AdoptionErrors.adoptedVersion(name, version);
    }
    String format = properties.getOrDefault(FORMAT, "parquet");
    if (!format.toLowerCase(Locale.ROOT).equals("parquet")) {
      throw AdoptionErrors.adoptedProperty(
          name, FORMAT, format, "set it to parquet, and rewrite other files");
    }
    String mapping = properties.get(MAPPING);
    if (mapping != null) { // by which Iceberg reads imported files, which have no field ids
      throw AdoptionErrors.adoptedProperty(
          name, MAPPING, mapping, "rewrite all files by rewrite_data_files, and unset it");
    }
  }

  /**
   * Returns a column.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table does not have it, by this exact name
   */
  Types.NestedField column(String column) {
    List<Types.NestedField> columns = table.schema().columns();
    return columns.stream()
        .filter(field -> field.name().equals(column))
        .findFirst()
        .orElseThrow(
            () ->
                AdoptionErrors.adoptedColumn(
                    name, column, columns.stream().map(Types.NestedField::name).toList()));
  }

  /**
   * Checks that no property describes what an adoption does not: one that is left from an earlier
   * adoption would apply again.
   *
   * @param isDescription whether a property describes tables of the adopted kind
   * @param described the properties that the adoption sets
   * @throws io.sparknd.tensor.SparkNdException if there is one
   */
  void requireNoOther(Predicate<String> isDescription, Map<String, String> described) {
    new TreeMap<>(table.properties())
        .forEach(
            (property, value) -> {
              if (isDescription.test(property) && !described.containsKey(property)) {
                throw AdoptionErrors.adoptedDescription(name, property, value);
              }
            });
  }

  /** Returns the table's partitions, for messages. */
  String partitions() {
    return table.spec().isUnpartitioned()
        ? "nothing"
        : table.spec().fields().stream()
            .map(field -> field.transform() + "(" + source(field) + ")")
            .collect(Collectors.joining(", "));
  }

  /** Returns the column of a partition field; the field's name if the column was dropped. */
  private String source(PartitionField field) {
    String column = table.schema().findColumnName(field.sourceId());
    return column == null ? field.name() : column;
  }

  /** Returns the current snapshot's id; null if there is none. */
  @Nullable Long head() {
    return CheckedState.of(table).head();
  }

  /**
   * Checks the table, and again while others change it.
   *
   * @param check a check of the table's current state
   * @throws io.sparknd.tensor.SparkNdException if a check fails, or every check is overtaken
   */
  void checked(Runnable check) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      CheckedState before = CheckedState.of(table);
      check.run();
      refresh();
      if (before.equals(CheckedState.of(table))) {
        check();
        return;
      }
    }
    throw AdoptionErrors.adoptionLost(name, MAX_ATTEMPTS);
  }

  /** What the checks of an adoption depend on. */
  private record CheckedState(
      @Nullable Long head, int schema, int spec, Map<String, String> properties) {
    static CheckedState of(Table table) {
      return new CheckedState(
          id(table.currentSnapshot()),
          table.schema().schemaId(),
          table.spec().specId(),
          table.properties());
    }

    static CheckedState of(TableMetadata metadata) {
      return new CheckedState(
          id(metadata.currentSnapshot()),
          metadata.currentSchemaId(),
          metadata.defaultSpecId(),
          metadata.properties());
    }

    private static @Nullable Long id(@Nullable Snapshot snapshot) {
      return snapshot == null ? null : snapshot.snapshotId();
    }
  }

  /**
   * Checks the table and changes its metadata in one transaction, and again if others change it in
   * between.
   *
   * @param check a check of the table's current state
   * @throws io.sparknd.tensor.SparkNdException as {@link #checked}, and if another one has adopted
   *     the table
   */
  void adopt(Runnable check, Consumer<Transaction> change) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      checked(check);
      boolean isAdopted = isCommitted(change);
      refresh();
      if (isAdopted) {
        return;
      }
      check();
    }
    throw AdoptionErrors.adoptionLost(name, MAX_ATTEMPTS);
  }

  private boolean isCommitted(Consumer<Transaction> change) {
    CheckedState checked = CheckedState.of(table);
    try {
      return TableTransaction.commitIf(
          base -> checked.equals(CheckedState.of(base)), name, table, change);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("adopting", name, e);
    }
  }

  private void refresh() {
    TableRefresh.run(name, table);
  }

  /** Throws the first problem, if there is any. */
  void reject(Stream<RowProblem> problems) {
    problems
        .findFirst()
        .ifPresent(
            found -> {
              throw AdoptionErrors.adoptedRows(
                  name, found.problem(), found.rows(), found.example());
            });
  }
}
