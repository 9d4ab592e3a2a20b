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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** Rows with a column for each feature, and rows as scatter and gather know them. */
final class FeatureRows {
  /** Names that no user's column has. */
  private static final String FEATURE = "__sparknd_feature";

  private static final String VALUE = "__sparknd_value";

  /** What a gather adds. */
  private static final String SLICE = "value";

  private FeatureRows() {}

  /**
   * The features of a table, in order.
   *
   * @throws io.sparknd.tensor.SparkNdException if its layout has none
   */
  static List<String> names(StoredTensor tensor) {
    if (tensor.format().rows().values() instanceof ValueColumns.FeatureColumns features) {
      return features.names();
    }
    throw NdErrors.noFeatures(
        tensor.name(),
        tensor.format().rows().values() instanceof ValueColumns.ArrayColumn ? "array" : "binary");
  }

  /** An update (index, feature) to value for each feature that is not null. */
  static Update updates(StoredTensor tensor, Scatter how, Dataset<Row> rows, FeatureColumns which) {
    List<String> known = names(tensor);
    List<String> index = tensor.format().rows().indexColumns();
    Stream.concat(index.stream(), which.features().stream())
        .forEach(column -> require(column, rows));
    Column[] kept =
        Stream.concat(index.stream(), which.orderBy().stream())
            .distinct()
            .map(FeatureRows::column)
            .toArray(Column[]::new);
    Column[] values =
        which.features().stream()
            .map(feature -> column(feature).as(Integer.toString(place(feature, known))))
            .toArray(Column[]::new);
    Dataset<Row> updates =
        rows.unpivot(kept, values, FEATURE, VALUE)
            .where(column(VALUE).isNotNull())
            .withColumn(FEATURE, column(FEATURE).cast(DataTypes.IntegerType));
    String[] indices = Stream.concat(index.stream(), Stream.of(FEATURE)).toArray(String[]::new);
    TensorColumns columns = new TensorColumns(List.of(indices), VALUE, which.orderBy());
    return new Update(how, updates, columns);
  }

  private static int place(String feature, List<String> known) {
    int place = known.indexOf(feature);
    if (place < 0) {
      throw NdErrors.noSuchFeature(feature, known);
    }
    return place;
  }

  private static void require(String column, Dataset<Row> rows) {
    if (!List.of(rows.columns()).contains(column)) {
      throw NdErrors.noSuchColumn(column, String.join(", ", rows.columns()));
    }
  }

  /** A column for each feature, in place of the slice. */
  static Dataset<Row> split(Dataset<Row> gathered, List<String> features) {
    List<String> rows =
        Arrays.stream(gathered.columns()).filter(column -> !column.equals(SLICE)).toList();
    features.stream()
        .filter(rows::contains)
        .forEach(
            feature -> {
              throw NdErrors.columnTaken(feature);
            });
    Stream<Column> elements =
        IntStream.range(0, features.size())
            .mapToObj(i -> column(SLICE).getItem(i).as(features.get(i)));
    return gathered.select(
        Stream.concat(rows.stream().map(FeatureRows::column), elements).toArray(Column[]::new));
  }

  private static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }
}
