/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.spark.CapturedTimeZone;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.OperatorErrors;
import io.sparknd.sql.internal.SqlErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The operation of {@code gather_nd} and {@code gather_nd_as_of} on a table of variables by keys;
 * it reads only the blocks that may have the keys.
 *
 * @param times the times of the rows; null for {@code gather_nd}
 * @param keys ordinals of the key columns in the rows' table
 * @param columns number of columns of the rows; in {@code schema}, variables follow them
 * @param found name of the last column, which says whether the key of each row is in the table;
 *     null if there is no such column
 * @param zone in which dates are times
 */
record KeyedGatherRows(
    KeyedRelation table,
    Gather how,
    @Nullable RowTimes times,
    List<Integer> keys,
    int columns,
    StructType schema,
    @Nullable String found,
    CapturedTimeZone zone)
    implements GatherOperation {

  /**
   * Resolves and checks the columns of a call.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or ambiguous, or an option
   *     does not apply to keys
   */
  static KeyedGatherRows of(
      KeyedRelation table, TableArgument rows, TensorOptions options, GatherArguments arguments) {
    requireFor(table, options, arguments);
    List<Integer> keys = KeyColumnResolver.of(rows, options.indexColumns(), table);
    int batchDims = arguments.batchDims();
    if (batchDims < 0 || batchDims > keys.size()) {
      throw OperatorErrors.batchDimsOutOfRange(batchDims, keys.size());
    }
    ColumnNameMatcher session = new ColumnNameMatcher(SQLConf.get().caseSensitiveAnalysis());
    StructType passed = GatherRows.rows(rows);
    StructType schema =
        added(passed, variables(table, options, arguments, session).fields(), session);
    String found = arguments.found().orElse(null);
    if (found != null) {
      StructField column = new StructField(found, DataTypes.BooleanType, false, Metadata.empty());
      schema = added(schema, new StructField[] {column}, session);
    }
    RowTimes times = arguments.asOf().map(asOf -> RowTimes.of(rows, asOf)).orElse(null);
    return new KeyedGatherRows(
        table,
        arguments.how(),
        times,
        keys,
        passed.length(),
        schema,
        found,
        CapturedTimeZone.now());
  }

  private static StructType variables(
      KeyedRelation table,
      TensorOptions options,
      GatherArguments arguments,
      ColumnNameMatcher session) {
    List<String> named = arguments.variables(options.valueColumn());
    return arguments
        .asOf()
        .map(asOf -> table.timedVariables(named, asOf.clock(), session))
        .orElseGet(() -> table.variables(named, session));
  }

  private static StructType added(
      StructType columns, StructField[] more, ColumnNameMatcher session) {
    List<String> taken = List.of(columns.fieldNames());
    StructType all = columns;
    for (StructField column : more) {
      if (session.contains(taken, column.name())) {
        throw ClusterErrors.columnTaken(column.name());
      }
      all = all.add(column);
    }
    return all;
  }

  private static void requireFor(
      KeyedRelation table, TensorOptions options, GatherArguments arguments) {
    if (arguments.found().isPresent() && !table.hasMissingKeys()) {
      throw SqlErrors.foundOnlyForKeys(arguments.found().get());
    }
    Gather how = arguments.how();
    options.shape().ifPresent(shape -> reject("shape", shape, table));
    options.dtype().ifPresent(dtype -> reject("dtype", dtype, table));
    BadIndices bad = how.indices().bad();
    if (bad instanceof BadIndices.Fill fill) {
      reject("fill", fill.value(), table);
    }
    if (bad instanceof BadIndices.Clip) {
      throw SqlErrors.policyNotForKeys("bad_indices", bad.toString(), table.table());
    }
    if (how.indices().negative() == NegativeIndices.WRAP) {
      throw SqlErrors.policyNotForKeys("negative", "wrap", table.table());
    }
  }

  private static void reject(String option, Object value, KeyedRelation table) {
    throw SqlErrors.optionNotForKeys(option, value, table.table());
  }

  @Override
  public List<Integer> ordinalsRead() {
    return times == null ? keys : Stream.concat(keys.stream(), Stream.of(times.ordinal())).toList();
  }

  @Override
  public KeyedGatherRows keeping(List<Integer> kept) {
    return new KeyedGatherRows(
        table,
        how,
        times == null ? null : new RowTimes(kept.indexOf(times.ordinal()), times.how()),
        GatherOperation.places(keys, kept),
        (int) kept.stream().filter(i -> i < columns).count(),
        GatherOperation.select(schema, kept),
        kept.contains(schema.length() - 1) ? found : null,
        zone);
  }

  private List<String> variables() {
    int end = found == null ? schema.length() : schema.length() - 1;
    return List.of(schema.fieldNames()).subList(columns, end);
  }

  @Override
  public KeyedGatherRows at(DataSourceV2Relation version) {
    KeyedRelation newer = TensorRelations.at(version, table);
    return new KeyedGatherRows(newer, how, times, keys, columns, schema, found, zone);
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    return zone.apply(() -> run(inputs.first(), metrics.missingKeys()));
  }

  private TableQuery run(Dataset<Row> rows, MissingKeyListener listener) {
    List<String> names = keys.stream().map(SliceOrdinals::name).toList();
    KeyedGatherCall call =
        new KeyedGatherCall(how, names, variables(), Optional.ofNullable(found), listener);
    return times == null ? table.gather(rows, call) : table.gatherAsOf(rows, call, times.named());
  }

  @Override
  public double bytes(List<Double> tables) {
    StructType rows = new StructType(Arrays.copyOf(schema.fields(), columns));
    return tables.get(0) * schema.defaultSize() / Math.max(1, rows.defaultSize());
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    String[] names = schema.fieldNames();
    CallText text = CallText.of(times == null ? "gather_nd" : "gather_nd_as_of");
    text.with("params", table).with("value_columns", variables());
    text.with("index_columns", keys.stream().map(i -> names[i]).toList());
    if (times != null) {
      text.with("at", times.how().time()).with("clock", times.clock());
    }
    if (found != null) {
      text.with("found", found);
    }
    return text.with(how.indices()) + ", reads only the requested blocks";
  }
}
