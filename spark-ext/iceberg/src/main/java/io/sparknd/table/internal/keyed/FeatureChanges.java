/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyColumn;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The rows that differ between two snapshots, found in the files that differ.
 *
 * @param table the table, with the format of the later snapshot
 */
public record FeatureChanges(SparkSession spark, StoredFeatures table) {
  /** Column of changes: what happened to the row, as in Iceberg's change logs. */
  public static final String TYPE = "_change_type";

  /** Column of changes: the names of the variables that differ. */
  public static final String VARIABLES = "_changed_variables";

  /**
   * Returns the rows that differ.
   *
   * @param before the earlier snapshot; null for an empty table
   * @param after the later snapshot; null for an empty table
   */
  public Dataset<Row> between(@Nullable Snapshot before, @Nullable Snapshot after) {
    ChangedBlocks changed = ChangedBlocks.between(table, before, after);
    StructType schema = schema();
    if (changed.pairs().isEmpty()) {
      return spark.createDataFrame(List.of(), schema);
    }
    FeatureChangesTask task = task(changed);
    JavaRDD<InternalRow> rows = changed.distribute(context()).mapPartitions(task::run);
    return InternalRows.toDataset(spark, rows, schema);
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  private FeatureChangesTask task(ChangedBlocks changed) {
    return new FeatureChangesTask(
        context().broadcast(changed.table().forTasks(spark)),
        changed.unchangedUntil(),
        table.format().variableOrdinals());
  }

  /**
   * How the rows that differ are found.
   *
   * @param blocks the blocks that the task compares
   */
  public record Plan(FeatureChangesTask task, List<BlockPair> blocks) {}

  /**
   * Returns how the rows that differ are found; empty if no file differs.
   *
   * @param before as for {@link #between}
   * @param after as for {@link #between}
   */
  public Optional<Plan> plan(@Nullable Snapshot before, @Nullable Snapshot after) {
    ChangedBlocks changed = ChangedBlocks.between(table, before, after);
    return changed.pairs().isEmpty()
        ? Optional.empty()
        : Optional.of(new Plan(task(changed), changed.pairs()));
  }

  /** Returns what the values of each column of the table depend on, as text, by name. */
  public Map<String, String> identities() {
    Map<String, String> identities = new LinkedHashMap<>();
    table.format().axis().columns().forEach(key -> identities.put(key.name(), identity(key)));
    table.format().variables().forEach(each -> identities.put(each.name(), each.identity()));
    return identities;
  }

  private static String identity(KeyColumn key) {
    return "key " + key.type() + ", id " + key.fieldId();
  }

  /**
   * Returns the columns of changes.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has a column with the name of one
   */
  public StructType schema() {
    StructType schema = new StructType();
    for (KeyColumn key : table.format().axis().columns()) {
      schema = schema.add(key.name(), key.type().sql(), false);
    }
    for (FeatureColumn variable : table.format().variables()) {
      schema = schema.add(variable.name(), variable.type().sql(), true);
    }
    for (String added : List.of(TYPE, VARIABLES)) {
      if (Arrays.stream(schema.fieldNames()).anyMatch(added::equalsIgnoreCase)) {
        throw FeatureErrors.columnOfChanges(table.name(), added);
      }
    }
    return schema
        .add(TYPE, DataTypes.StringType, false)
        .add(VARIABLES, new ArrayType(DataTypes.StringType, false), false);
  }
}
