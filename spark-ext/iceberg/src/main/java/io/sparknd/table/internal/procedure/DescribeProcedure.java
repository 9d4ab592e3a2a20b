/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableProperties;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The procedure {@code describe}: what an Iceberg table is to SparkND, one row for each column. */
final class DescribeProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "kind string, column string, role string, type string, dtype string,"
              + " shape array<bigint>, fill string, reduction string,"
              + " state_columns array<string>, axis string, size bigint, partitions string,"
              + " blocks bigint, rows bigint, rows_per_block bigint, largest_block bigint");

  DescribeProcedure() {
    super(
        "describe",
        "describes a table of features or of a tensor, or another Iceberg table, by its columns",
        TensorProcedureParameter.TABLE);
  }

  /**
   * What all result rows of a table have.
   *
   * @param size entries of a numbered axis
   * @param blocks blocks that have rows
   */
  private record TableFacts(
      String kind,
      @Nullable String axis,
      @Nullable Long size,
      String partitions,
      @Nullable Collection<BlockFiles> blocks) {

    Row row(DescribedColumn column) {
      Long rows = blocks == null ? null : blocks.stream().mapToLong(BlockFiles::liveRows).sum();
      return RowFactory.create(
          kind,
          column.name(),
          column.role().text(),
          column.type(),
          column.dtype().map(String::valueOf).orElse(null),
          column.shape().map(shape -> shape.dims()).orElse(null),
          column.fill().orElse(null),
          column.reduction().map(String::valueOf).orElse(null),
          column.state().toArray(String[]::new),
          axis,
          size,
          partitions,
          blocks == null ? null : (long) blocks.size(),
          rows,
          rows == null ? null : average(rows),
          blocks == null ? null : blocks.stream().mapToLong(BlockFiles::liveRows).max().orElse(0));
    }

    private long average(long rows) {
      int count = blocks == null ? 0 : blocks.size();
      return count == 0 ? 0 : -Math.floorDiv(-rows, (long) count);
    }
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    Table found = TableCatalogs.select(spark, name).opened().table();
    Map<String, String> properties = found.properties();
    boolean isOfSparkNd =
        FeatureProperties.isFeatureTable(properties)
            || properties.containsKey(TableProperties.DTYPE);
    if (!isOfSparkNd) {
      TableFacts facts = new TableFacts("table", null, null, PartitionText.of(found), null);
      return output(found, facts, DescribedColumn::other);
    }
    OpenedTable opened = OpenedTable.open(spark, name);
    StoredTable stored = opened.stored();
    OptionalLong at = opened.snapshot();
    Collection<BlockFiles> blocks = stored.files(at.isPresent() ? at.getAsLong() : null).values();
    return stored instanceof StoredFeatures features
        ? output(
            found, facts(features, blocks), field -> DescribedColumn.of(field, features.format()))
        : output((StoredTensor) stored, found, blocks);
  }

  private static TableFacts facts(StoredFeatures features, Collection<BlockFiles> blocks) {
    boolean isNumbered = features.format().axis() instanceof FeatureAxis.Numbered;
    return new TableFacts(
        "features",
        isNumbered ? "numbered" : "keys",
        features.format().axis() instanceof FeatureAxis.Numbered numbered ? numbered.size() : null,
        PartitionText.of(features.table()),
        blocks);
  }

  private static Output output(StoredTensor tensor, Table found, Collection<BlockFiles> blocks) {
    TableFacts facts =
        new TableFacts(
            "tensor",
            "numbered",
            tensor.format().rows().shape().dim(0),
            PartitionText.of(found),
            blocks);
    return output(found, facts, field -> DescribedColumn.of(field, tensor.format()));
  }

  private static Output output(
      Table table, TableFacts facts, Function<Types.NestedField, DescribedColumn> described) {
    List<Row> rows =
        table.schema().columns().stream().map(field -> facts.row(described.apply(field))).toList();
    return new Output(SCHEMA, rows);
  }
}
