/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.FillValues;
import io.sparknd.table.internal.feature.GatherOutput;
import io.sparknd.table.internal.feature.GatheredColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.history.BlockHistory;
import io.sparknd.table.internal.history.FileHistories;
import io.sparknd.table.internal.history.TableTimeline;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.Snapshot;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the values of variables to rows that name keys.
 *
 * @param listener is told how many keys are not in the table
 */
public record FeatureGather(
    SparkSession spark, StoredFeatures table, OptionalLong snapshot, MissingKeyListener listener) {
  private static final Logger LOG = LoggerFactory.getLogger(FeatureGather.class);

  /** What a value of any length is taken for. */
  private static final long OBJECT_BYTES = 1024;

  /** Returns a gather that counts missing keys in the metrics of executors only. */
  public FeatureGather(SparkSession spark, StoredFeatures table, OptionalLong snapshot) {
    this(spark, table, snapshot, MissingKeyListener.NONE);
  }

  /**
   * Returns the rows, in any order, with a column for each variable. A key that was never written
   * has fill values.
   *
   * @param keyColumns columns of {@code rows} with the columns of the key, in their order
   * @param added columns to add
   * @param badKeys what happens to rows whose key is NULL or out of bounds: an error, or fill
   *     values
   * @throws io.sparknd.tensor.SparkNdException if such a key is an error
   */
  public Dataset<Row> run(
      Dataset<Row> rows,
      List<String> keyColumns,
      GatherOutput<GatheredColumn.Stored> added,
      StagedFeatures.KeyPolicy badKeys) {
    Map<Long, BlockFiles> files = table.files(snapshot.isEmpty() ? null : snapshot.getAsLong());
    KeyedLookup lookup = new SnapshotLookup(broadcast(table.forTasks(spark)), broadcast(files));
    RowErrors rowErrors = RowErrors.registered(spark, Shape.of());
    Dataset<Row> shuffled =
        shuffled(located(rows, keyColumns, badKeys, rowErrors), tasks(files.size()));
    boolean isChecked = badKeys == StagedFeatures.KeyPolicy.ERROR;
    List<GatheredColumn.Stored> columns = added.columns();
    List<Integer> ordinals = columns.stream().map(GatheredColumn.Stored::ordinal).toList();
    Dataset<Row> found = found(shuffled, isChecked, rowErrors, lookup, ordinals);
    int last = found.columns().length - 1;
    int width = last - columns.size();
    List<Column> selected = own(rows, rows.columns().length, width);
    for (int c = 0; c < columns.size(); c++) {
      selected.add(orFill(found, width + c, columns.get(c).column()).as(columns.get(c).name()));
    }
    added.found().ifPresent(name -> selected.add(col(found.columns()[last]).as(name)));
    count(columns.size(), "the latest values");
    return found.select(selected.toArray(Column[]::new));
  }

  /**
   * Returns the rows, in any order, with a column for each variable, of the table's version at the
   * time of each row. A key that had not been written then has fill values.
   *
   * @param keyColumns as for {@link #run}
   * @param added as for {@link #run}
   * @param badKeys as for {@link #run}
   * @param asOf the times of the rows
   * @throws io.sparknd.tensor.SparkNdException if a key or a time is an error
   */
  public Dataset<Row> runAsOf(
      Dataset<Row> rows,
      List<String> keyColumns,
      GatherOutput<GatheredColumn> added,
      StagedFeatures.KeyPolicy badKeys,
      AsOf asOf) {
    TableTimeline timeline = timeline(asOf);
    LabelTimes times = new LabelTimes(table.name(), timeline, asOf);
    StoredFeatures all = table.spanningSpecs(FileHistories.specIds(table.table(), timeline));
    Map<Long, BlockHistory> histories = FileHistories.of(all, timeline);
    FeatureGather gather = new FeatureGather(spark, all, snapshot, listener);
    RowErrors rowErrors = RowErrors.registered(spark, Shape.of());
    Dataset<Row> timed = times.of(rows);
    Dataset<Row> located =
        times.checked(spark, gather.located(timed, keyColumns, badKeys, rowErrors), rowErrors);
    int width = located.columns().length;
    KeyedLookup lookup =
        new TimelineLookup(
            broadcast(all.forTasks(spark)), broadcast(histories), timeline, width - 1);
    boolean isChecked = badKeys == StagedFeatures.KeyPolicy.ERROR || times.areChecked();
    TimedColumns columns = new TimedColumns(all.format(), added);
    Dataset<Row> found =
        gather.found(
            shuffled(located, tasks(histories.size())),
            isChecked,
            rowErrors,
            lookup,
            columns.ordinals());
    Dataset<Row> windowed = columns.windows(spark, times, times.type(rows), found, width);
    List<Column> selected = own(timed, rows.columns().length, width);
    selected.addAll(columns.selected(windowed, width, times));
    count(added.columns().size(), "values as of " + asOf.time() + " by " + asOf.clock());
    return windowed.select(selected.toArray(Column[]::new));
  }

  private void count(int columns, String values) {
    SparkNdMetric.GATHERS.add(1);
    LOG.atInfo()
        .addKeyValue("table_name", table.name())
        .log("gather from {}: {} of {} variables", table.name(), values, columns);
  }

  private TableTimeline timeline(AsOf asOf) {
    Snapshot head = snapshot.isEmpty() ? null : table.table().snapshot(snapshot.getAsLong());
    if (snapshot.isPresent() && head == null) {
      throw TableErrors.noSuchSnapshot(table.name(), snapshot.getAsLong());
    }
    return switch (asOf.clock()) {
      case COMMIT_TIME -> TableTimeline.ofCommits(table.table(), head);
      case VALID_TIME -> TableTimeline.ofValidTimes(table.table(), head);
      case NONE -> TableTimeline.ofLatest(head);
    };
  }

  private <T> Broadcast<T> broadcast(T value) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(value);
  }

  /** Returns the rows with their block and key, as {@link KeyedRows#of} does. */
  private Dataset<Row> located(
      Dataset<Row> rows,
      List<String> keyColumns,
      StagedFeatures.KeyPolicy badKeys,
      RowErrors rowErrors) {
    StageColumns keyed = StageColumns.ofLookup(table, rows, keyColumns);
    return new KeyedRows(table, 0, badKeys)
        .of(spark, keyed, rowErrors, DroppedRows.registered(spark));
  }

  /**
   * Sends rows to the tasks of their blocks. Rows without a key have no block, and go by the
   * partition of the input that they are from. By their position in it they would be lost or come
   * twice if Spark runs a map task again whose rows then come in another order.
   */
  private static Dataset<Row> shuffled(Dataset<Row> located, int tasks) {
    String source = "shiftright(position, " + ShuffledRows.POSITION_BITS + ")";
    String number = "if(block < 0, " + source + ", block)";
    return located
        .repartitionById(tasks, expr("CAST(pmod(" + number + ", " + tasks + ") AS INT)"))
        .sortWithinPartitions("block", "key");
  }

  /**
   * Returns the rows, of numbered columns, with the values that are stored for them, and whether
   * their key was found.
   */
  private Dataset<Row> found(
      Dataset<Row> shuffled,
      boolean isChecked,
      RowErrors rowErrors,
      KeyedLookup lookup,
      List<Integer> columns) {
    FeatureLookupTask task = new FeatureLookupTask(lookup, columns, valueBytes(columns), listener);
    return InternalRows.toDataset(
        spark,
        checked(shuffled, isChecked, rowErrors).mapPartitions(task::run),
        schema(shuffled.schema(), columns));
  }

  /** Returns the bytes of the values of a row, as far as they are known. */
  private long valueBytes(List<Integer> columns) {
    long bytes = 0;
    FeatureFormat format = table.format();
    for (int column : columns) {
      bytes += cellBytes(format.columns().get(column).type());
    }
    for (FeatureColumn variable : format.variables()) {
      boolean isRead =
          variable.effective().windows().isPresent()
              && variable.state().stream()
                  .anyMatch(state -> columns.contains(format.ordinal(state).orElseThrow()));
      bytes += isRead ? format.tiles(variable, SparkNdSetting.KERNEL.in(spark)).bytesPerRow() : 0;
    }
    return bytes;
  }

  private static long cellBytes(CellType type) {
    if (!(type instanceof CellType.Elements elements)) {
      return OBJECT_BYTES;
    }
    Storage storage = elements.dtype().storage();
    return elements.units() * (storage == Storage.STRING ? OBJECT_BYTES : storage.bytes());
  }

  /** Returns the shuffled rows; if rows may be rejected, runs the map side first. */
  private static JavaRDD<InternalRow> checked(
      Dataset<Row> shuffled, boolean isChecked, RowErrors rowErrors) {
    try {
      JavaRDD<InternalRow> rows = InternalRows.of(shuffled);
      if (isChecked) {
        MapStage.runBefore(rows); // adaptive execution has run it already
        rowErrors.throwFirst();
      }
      return rows;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private int tasks(int blocks) {
    long cores = ClusterCores.of(spark);
    return (int) Math.max(1, Math.max(cores, Math.min(blocks, 4 * cores)));
  }

  private StructType schema(StructType rows, List<Integer> columns) {
    StructType schema = new StructType();
    StructField[] fields = rows.fields();
    for (int i = 0; i < fields.length; i++) {
      schema = schema.add("c" + i, fields[i].dataType(), fields[i].nullable());
    }
    for (int column : columns) {
      FeatureColumn variable = table.format().columns().get(column);
      schema = schema.add("c" + schema.length(), variable.type().sql(), true);
    }
    return schema.add("c" + schema.length(), DataTypes.BooleanType, false);
  }

  /**
   * Returns columns of the rows by their names.
   *
   * @param count number of the columns, the first of the rows
   * @param width number of columns of located rows, of which the last are those of the rows
   */
  private static List<Column> own(Dataset<Row> rows, int count, int width) {
    String[] names = rows.columns();
    int first = width - names.length;
    return IntStream.range(0, count)
        .mapToObj(i -> col("c" + (first + i)).as(names[i]))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Returns a column that was looked up, with the fill value of a variable where it is NULL. */
  static Column orFill(Dataset<Row> found, int ordinal, FeatureColumn variable) {
    Column value = col(found.columns()[ordinal]);
    return variable
        .fill()
        .map(fill -> coalesce(value, FillValues.column(variable, fill)))
        .orElse(value);
  }
}
