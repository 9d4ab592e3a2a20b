/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.columnar.ListColumn;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.op.TupleOffset;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of ids and weights in the rows of a Dataset, as tasks read them.
 *
 * @param weights null if the lookup is unweighted
 * @param tuples converts ids to row numbers; null if ids are keys
 */
record ListColumns(Named ids, @Nullable Named weights, @Nullable TupleOffset tuples)
    implements Serializable {

  /** A column and its position. */
  record Named(String name, int ordinal, DataType type) implements Serializable {
    private static Named of(Dataset<Row> rows, String name) {
      int ordinal = ColumnNameMatcher.in(rows).ordinal(rows.columns(), name);
      return new Named(name, ordinal, rows.schema().apply(ordinal).dataType());
    }
  }

  /**
   * Resolves and checks the columns of a lookup.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or has the wrong type, or the
   *     result column exists already
   */
  static ListColumns of(Dataset<Row> rows, LookupColumns columns, Optional<TupleOffset> tuples) {
    Named ids = Named.of(rows, columns.ids());
    if (!ListColumn.areIntegers(ids.type())) {
      throw EmbeddingErrors.lookupIdsColumn(ids.name(), ids.type().simpleString());
    }
    Named weights = columns.weights().map(name -> weights(ids, Named.of(rows, name))).orElse(null);
    if (ColumnNameMatcher.in(rows).contains(List.of(rows.columns()), columns.result())) {
      throw EmbeddingErrors.lookupColumnTaken(columns.result());
    }
    return new ListColumns(ids, weights, tuples.orElse(null));
  }

  private static Named weights(Named ids, Named weights) {
    boolean alike = ListColumn.isPlain(ids.type()) == ListColumn.isPlain(weights.type());
    if (!alike || !ListColumn.areNumbers(weights.type())) {
      throw EmbeddingErrors.lookupWeightsColumn(
          weights.name(), weights.type().simpleString(), ids.name(), ids.type().simpleString());
    }
    return weights;
  }

  /**
   * Returns a reader for the lists of one partition.
   *
   * @param rowErrors receives the first invalid row; null if all rows were checked before
   */
  ListReader in(int partition, @Nullable RowErrors rowErrors) {
    return new ListReader(
        new ListReader.Column<>(ids.name(), new ListColumn.Integers(ids.ordinal(), ids.type())),
        Optional.ofNullable(weights)
            .map(
                column ->
                    new ListReader.Column<>(
                        column.name(), new ListColumn.Numbers(column.ordinal(), column.type()))),
        Optional.ofNullable(tuples),
        partition,
        rowErrors);
  }
}
