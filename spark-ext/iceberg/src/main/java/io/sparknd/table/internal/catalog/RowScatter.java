/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.when;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.commit.FeatureScatter;
import io.sparknd.table.internal.commit.StagedScatter;
import io.sparknd.table.internal.commit.TableScatter;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.table.internal.keyed.StagedFeatures;
import io.sparknd.table.internal.read.FeatureRows;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableBranch;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableSelector;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scatters rows whose columns have the names of a table's: into a feature table by the reductions
 * that its variables declare, into a tensor table by update.
 *
 * @param table full name of the table, quoted as in SQL; it may end with a selector
 * @param branch branch that an option names; empty for the one that the table's name or the session
 *     selects
 */
record RowScatter(String table, Optional<String> branch) {

  /**
   * Runs the scatter in one commit.
   *
   * @throws io.sparknd.tensor.SparkNdException if a row is rejected, or the table has a later epoch
   *     of the stream; the table does not change
   */
  TableCommit run(Dataset<Row> rows, ScatterOptions options) {
    SparkSession spark = rows.sparkSession();
    TableCatalogs.Selected selected = TableCatalogs.select(spark, table);
    RowScatter whole = new RowScatter(selected.opened().name(), branch(selected));
    return FeatureProperties.isFeatureTable(selected.opened().table().properties())
        ? whole.features(spark, rows, options)
        : whole.tensor(spark, rows, options);
  }

  /** Returns the branch that an option or the table's name selects; empty for the session's. */
  private Optional<String> branch(TableCatalogs.Selected selected) {
    Optional<String> named = selected.selector().map(TableSelector::value);
    if (named.isPresent() && branch.isPresent() && !named.equals(branch)) {
      throw TableErrors.branchOfOption(table, named.get(), branch.get());
    }
    return branch.or(() -> named);
  }

  private TableCommit features(SparkSession spark, Dataset<Row> rows, ScatterOptions options) {
    StoredFeatures stored = FeatureCatalog.toWrite(spark, table);
    StagedFeatures update = StagedFeatures.of(withoutState(stored, rows), options.features());
    return new FeatureScatter(
            spark,
            stored,
            target(spark, stored, options),
            List.of(update),
            options.batchId(),
            options.validAt())
        .run();
  }

  private CommitTarget target(SparkSession spark, StoredTable stored, ScatterOptions options) {
    CommitTarget target =
        new TableBranch(branch).target(spark, stored, options.snapshotProperties());
    options.epoch().ifPresent(epoch -> epoch.requireLast(stored, target));
    return target;
  }

  /** Returns rows without columns of a reduction's state, that fail if they have a value there. */
  private static Dataset<Row> withoutState(StoredFeatures stored, Dataset<Row> rows) {
    Map<String, String> state = new LinkedHashMap<>();
    for (FeatureColumn variable : stored.format().columns()) {
      for (String column : variable.state()) {
        SparkNdException problem =
            CatalogErrors.stateInserted(stored.name(), variable.name(), column);
        state.put(column, String.valueOf(problem.getMessage()));
      }
    }
    return without(rows, stored.format().axis().columns().get(0).name(), state);
  }

  /**
   * Returns rows without the columns that others added, as {@link #withoutState} does.
   *
   * @param orders columns that order rows, which may be of them
   */
  private static Dataset<Row> withoutAdditional(
      StoredTensor stored, Dataset<Row> rows, List<String> orders) {
    ColumnNameMatcher names = ColumnNameMatcher.in(rows);
    Map<String, String> additional = new LinkedHashMap<>();
    for (Types.NestedField column : stored.additionalColumns().columns()) {
      if (!names.contains(orders, column.name())) {
        SparkNdException problem = CatalogErrors.additionalInserted(stored.name(), column.name());
        additional.put(column.name(), String.valueOf(problem.getMessage()));
      }
    }
    return without(rows, stored.format().rows().indexColumns().get(0), additional);
  }

  /**
   * Returns rows without some columns.
   *
   * @param key a column that is read in any case
   * @param columns the columns to leave out, with the error of rows that have a value there
   */
  private static Dataset<Row> without(Dataset<Row> rows, String key, Map<String, String> columns) {
    ColumnNameMatcher names = ColumnNameMatcher.in(rows);
    String[] all = rows.columns();
    String checkedKey = all[names.ordinal(all, key)];
    Column checked = SqlNames.column(checkedKey);
    List<String> present = new ArrayList<>();
    for (Map.Entry<String, String> column : columns.entrySet()) {
      if (names.contains(Arrays.asList(all), column.getKey())) {
        present.add(column.getKey());
        checked =
            when(SqlNames.column(column.getKey()).isNotNull(), raise_error(lit(column.getValue())))
                .otherwise(checked);
      }
    }
    return present.isEmpty()
        ? rows
        : rows.withColumn(checkedKey, checked).drop(present.toArray(String[]::new));
  }

  private TableCommit tensor(SparkSession spark, Dataset<Row> rows, ScatterOptions options) {
    StoredTensor stored = TableCatalogs.toWrite(spark, table);
    options
        .validAt()
        .ifPresent(
            time -> {
              throw FeatureErrors.featureArgument("valid-at", time, stored.name());
            });
    return new TableScatter(
            spark,
            stored,
            target(spark, stored, options),
            List.of(staged(stored, withoutAdditional(stored, rows, options.orderBy()), options)),
            options.batchId(),
            IfChanged.REDO)
        .run();
  }

  private static StagedScatter staged(
      StoredTensor stored, Dataset<Row> rows, ScatterOptions options) {
    Scatter how = Scatter.update().withBadIndices(options.badIndices());
    ValueColumns values = stored.format().rows().values();
    if (values instanceof ValueColumns.FeatureColumns) {
      return FeatureRows.of(stored)
          .updates(how, rows, new FeatureColumns(values.names(), options.orderBy()));
    }
    List<String> index = stored.format().rows().indexColumns();
    return new StagedScatter(
        how, rows, new TensorColumns(index, values.names().get(0), options.orderBy()));
  }
}
