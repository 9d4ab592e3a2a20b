/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.commit.Update;
import io.sparknd.table.file.ValueColumns;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.NdErrors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Rows with a column for each feature, to and from rows as scatter and gather know them.
 *
 * @param table its name, for messages
 * @param index its index columns
 * @param features its features, in order
 */
record FeatureRows(String table, List<String> index, List<String> features) {
  /** Names that no user's column has. */
  private static final String FEATURE = "__sparknd_feature";

  private static final String VALUE = "__sparknd_value";

  /** What a gather adds. */
  private static final String SLICE = "value";

  /**
   * @throws io.sparknd.tensor.SparkNdException if the table's layout has no features
   */
  static FeatureRows of(StoredTensor tensor) {
    ValueColumns values = tensor.format().rows().values();
    if (values instanceof ValueColumns.FeatureColumns columns) {
      return new FeatureRows(tensor.name(), tensor.format().rows().indexColumns(), columns.names());
    }
    throw NdErrors.noFeatures(
        tensor.name(), values instanceof ValueColumns.ArrayColumn ? "array" : "binary");
  }

  /** An update of (index, feature) for each feature that is not null. */
  Update updates(Scatter how, Dataset<Row> rows, FeatureColumns which) {
    Column[] values =
        which.features().stream()
            .map(feature -> column(feature).as(Integer.toString(place(feature))))
            .toArray(Column[]::new);
    Stream.of(index, which.features(), which.orderBy())
        .flatMap(List::stream)
        .forEach(column -> requireColumn(column, rows));
    Column[] kept =
        Stream.concat(index.stream(), which.orderBy().stream())
            .distinct()
            .map(FeatureRows::column)
            .toArray(Column[]::new);
    Dataset<Row> updates =
        rows.unpivot(kept, values, FEATURE, VALUE)
            .where(column(VALUE).isNotNull())
            .withColumn(FEATURE, column(FEATURE).cast(DataTypes.IntegerType));
    List<String> indices = Stream.concat(index.stream(), Stream.of(FEATURE)).toList();
    return new Update(how, updates, new TensorColumns(indices, VALUE, which.orderBy()));
  }

  private int place(String feature) {
    int place = features.indexOf(feature);
    if (place < 0) {
      throw NdErrors.noSuchFeature(feature, features);
    }
    return place;
  }

  private static void requireColumn(String column, Dataset<Row> rows) {
    if (!List.of(rows.columns()).contains(column)) {
      throw NdErrors.noSuchColumn(column, String.join(", ", rows.columns()));
    }
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException unless there are as many as the table has
   */
  void requireIndices(List<String> columns) {
    if (columns.size() != index.size()) {
      throw NdErrors.indexColumnsOfRow(table, index, columns);
    }
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if {@code rows} has a column of a feature's name
   */
  void requireFree(Dataset<Row> rows, String... wanted) {
    List<String> columns = List.of(rows.columns());
    for (String feature : orAll(wanted)) {
      if (columns.contains(feature)) {
        throw NdErrors.columnTaken(feature);
      }
    }
  }

  /** Columns of features in place of the slice. */
  Dataset<Row> split(Dataset<Row> gathered, String... wanted) {
    Stream<Column> rows =
        Arrays.stream(gathered.columns())
            .filter(name -> !name.equals(SLICE))
            .map(FeatureRows::column);
    Stream<Column> elements =
        orAll(wanted).stream().map(feature -> column(SLICE).getItem(place(feature)).as(feature));
    return gathered.select(Stream.concat(rows, elements).toArray(Column[]::new));
  }

  private List<String> orAll(String... wanted) {
    return wanted.length == 0 ? features : List.of(wanted);
  }

  private static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }
}
