/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.read;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.rows.RowColumns;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.commit.StagedScatter;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.options.FeatureColumns;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * Converts rows with one column per feature to and from the rows of scatter and gather.
 *
 * @param table the table's name, for messages
 * @param index the table's index columns
 * @param features the table's features, in order
 */
public record FeatureRows(String table, List<String> index, List<String> features) {
  /** Internal column names, reserved by a prefix. */
  private static final String FEATURE = "__sparknd_feature";

  private static final String VALUE = "__sparknd_value";

  /**
   * Returns the features of a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table's layout has no features
   */
  public static FeatureRows of(StoredTensor tensor) {
    ValueColumns values = tensor.format().rows().values();
    if (values instanceof ValueColumns.FeatureColumns columns) {
      return new FeatureRows(tensor.name(), tensor.format().rows().indexColumns(), columns.names());
    }
    throw TableErrors.noFeatures(
        tensor.name(), values instanceof ValueColumns.ArrayColumn ? "array" : "binary");
  }

  /** Returns one update of (index, feature) for each feature value that is not null. */
  public StagedScatter updates(Scatter how, Dataset<Row> rows, FeatureColumns which) {
    ColumnNameMatcher names = ColumnNameMatcher.in(rows);
    Column[] values =
        which.features().stream()
            .map(feature -> SqlNames.column(feature).as(Integer.toString(position(names, feature))))
            .toArray(Column[]::new);
    Stream.of(index, which.features(), which.orderBy())
        .flatMap(List::stream)
        .forEach(column -> names.ordinal(rows.columns(), column));
    Column[] kept =
        Stream.concat(index.stream(), which.orderBy().stream())
            .distinct()
            .map(SqlNames::column)
            .toArray(Column[]::new);
    Dataset<Row> updates =
        rows.unpivot(kept, values, FEATURE, VALUE)
            .where(SqlNames.column(VALUE).isNotNull())
            .withColumn(FEATURE, SqlNames.column(FEATURE).cast(DataTypes.IntegerType));
    List<String> indices = Stream.concat(index.stream(), Stream.of(FEATURE)).toList();
    return new StagedScatter(how, updates, new TensorColumns(indices, VALUE, which.orderBy()));
  }

  /**
   * Returns the position of the feature with exactly this name, or else of one that the session's
   * case rules match.
   */
  private int position(ColumnNameMatcher names, String feature) {
    return IntStream.of(
            features.indexOf(feature),
            IntStream.range(0, features.size())
                .filter(i -> names.areSame(features.get(i), feature))
                .findFirst()
                .orElse(-1))
        .filter(position -> position >= 0)
        .findFirst()
        .orElseThrow(() -> TableErrors.noSuchFeature(feature, features));
  }

  /**
   * Checks the number of index columns.
   *
   * @throws io.sparknd.tensor.SparkNdException unless it is the table's
   */
  public void requireIndices(List<String> columns) {
    if (columns.size() != index.size()) {
      throw TableErrors.indexColumnsOfRow(table, index, columns);
    }
  }

  /**
   * Checks that the result's feature columns do not collide with columns of {@code rows}.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code rows} has a column of a feature's name
   */
  public void requireFree(Dataset<Row> rows, String... wanted) {
    List<String> columns = List.of(rows.columns());
    ColumnNameMatcher names = ColumnNameMatcher.in(rows);
    for (String feature : orAll(wanted)) {
      if (names.contains(columns, feature)) {
        throw ClusterErrors.columnTaken(feature);
      }
    }
  }

  /** Gathers slices to rows, in an added column {@code value}. */
  public interface SliceGather {
    public Dataset<Row> of(Dataset<Row> indices, List<String> indexColumns);
  }

  /**
   * Returns the rows with a column for each requested feature. The rows' own columns may have any
   * other names, including {@code value}: the gather sees them renamed by position.
   */
  public Dataset<Row> gathered(
      Dataset<Row> indices, List<String> indexColumns, SliceGather gather, String... wanted) {
    String[] names = indices.columns();
    String[] numbers =
        IntStream.range(0, names.length).mapToObj(i -> "c" + i).toArray(String[]::new);
    List<String> tuple =
        indexColumns.stream().map(name -> numbers[RowColumns.indexOrdinal(indices, name)]).toList();
    Stream<Column> rows =
        IntStream.range(0, names.length).mapToObj(i -> SqlNames.column(numbers[i]).as(names[i]));
    ColumnNameMatcher session = ColumnNameMatcher.in(indices);
    Stream<Column> elements =
        orAll(wanted).stream()
            .map(
                feature ->
                    SqlNames.column(RowColumns.VALUE)
                        .getItem(position(session, feature))
                        .as(feature));
    return gather
        .of(indices.toDF(numbers), tuple)
        .select(Stream.concat(rows, elements).toArray(Column[]::new));
  }

  private List<String> orAll(String... wanted) {
    return wanted.length == 0 ? features : List.of(wanted);
  }
}
