/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.AdoptionErrors;
import io.sparknd.table.internal.feature.BucketSpecs;
import io.sparknd.table.internal.feature.SnapshotRows;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.store.StoredFormat;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.ValueLayout;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;

/**
 * Makes a tensor table of an Iceberg table that exists, by properties only. The table has the
 * columns that SparkND would give it, in their order and partitioned by ranges of the first.
 */
public final class TensorAdoption {
  private final SparkSession spark;
  private final AdoptedTable adopted;
  private final TensorSpec spec;

  private TensorAdoption(SparkSession spark, AdoptedTable adopted, TensorSpec spec) {
    this.spark = spark;
    this.adopted = adopted;
    this.spec = spec;
  }

  /**
   * Adopts a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, partitions, files or rows do not match
   *     the specification; the table does not change
   */
  public static StoredTensor run(SparkSession spark, String name, TensorSpec spec) {
    AdoptedTable adopted = AdoptedTable.open(spark, name);
    TensorAdoption adoption = new TensorAdoption(spark, adopted, spec);
    adopted.adopt(adoption::check, adoption::change);
    return StoredTensor.of(adopted.name(), adopted.table());
  }

  private StoredFormat format() {
    PartitionSpec current = adopted.table().spec();
    int width = BucketSpecs.width(current);
    if (width == 0 || current.fields().size() > 1) {
      throw AdoptionErrors.adoptedPartitions(
          adopted.name(),
          adopted.partitions(),
          "truncate(W, " + spec.indexColumns().get(0) + ") alone");
    }
    return TableCatalogs.format(spec.withRowsPerBlock(width));
  }

  private void check() {
    StoredFormat format = format();
    adopted.requireNoOther(TableProperties::isOfTensor, properties());
    StoredTensor tensor =
        StoredTensor.of(adopted.name(), adopted.table(), format).requirePartitions();
    tensor.files(adopted.head());
    Dataset<Row> rows = new SnapshotRows(spark, adopted.table(), adopted.head()).rows();
    RowFormat row = format.rows();
    adopted.reject(
        new TensorProblems(rows, row.indexColumns(), row.outer(), isWhole(row, rows)).find());
  }

  private Column isWhole(RowFormat row, Dataset<Row> rows) {
    long bytes =
        spec.layout() == ValueLayout.BINARY ? row.slice().elements() * row.dtype().bytes() : 0;
    Column all = functions.lit(true);
    for (String name : row.values().names()) {
      DataType type = rows.schema().apply(name).dataType();
      all = all.and(SliceConditions.isWhole(SqlNames.column(name), type, row.slice(), bytes));
    }
    return all;
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>(spec.properties());
    properties.putAll(TableProperties.of(format()));
    return properties;
  }

  private void change(Transaction transaction) {
    UpdateProperties update = transaction.updateProperties();
    properties().forEach(update::set);
    update.commit();
  }
}
