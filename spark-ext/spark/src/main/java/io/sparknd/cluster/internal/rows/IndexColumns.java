/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.op.TupleOffset;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The index columns of a Dataset, which tasks read.
 *
 * @param ordinals their positions, outermost dimension first
 * @param types their types, all integer
 * @param names names for messages
 * @param tuples converts tuples to offsets
 */
public record IndexColumns(
    List<Integer> ordinals, List<DataType> types, RowNames names, TupleOffset tuples)
    implements Serializable {

  /**
   * Returns the index columns with these names.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or not an integer
   */
  public static IndexColumns of(Dataset<Row> rows, List<String> names, TupleOffset tuples) {
    List<Integer> ordinals =
        names.stream().map(name -> RowColumns.indexOrdinal(rows, name)).toList();
    Stream<DataType> types = ordinals.stream().map(i -> rows.schema().apply(i).dataType());
    return new IndexColumns(ordinals, types.toList(), RowNames.of(rows.schema(), ordinals), tuples);
  }

  /** Returns the same columns for rows that have no others. */
  public IndexColumns alone() {
    return new IndexColumns(
        IntStream.range(0, ordinals.size()).boxed().toList(), types, names, tuples);
  }

  /** Returns a reader of the rows of one partition. */
  public RowIndices in(int partition, @Nullable RowErrorSink rowErrors) {
    return new RowIndices(
        ordinals.stream().mapToInt(Integer::intValue).toArray(),
        types.toArray(DataType[]::new),
        names,
        partition,
        tuples,
        rowErrors);
  }
}
