/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.embedding.internal.lookup.LookupCall;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Lists of ids to look up, as a sparse matrix or as rows.
 *
 * @param weights null if the lists are not weighted
 */
public record Lists(List<long[]> ids, List<double[]> weights) {
  private static final StructType WIDE =
      new StructType()
          .add("place", DataTypes.LongType)
          .add("ids", DataTypes.createArrayType(DataTypes.LongType))
          .add("text", DataTypes.StringType)
          .add("w", DataTypes.createArrayType(DataTypes.DoubleType));

  public LookupCall call(Lookup how) {
    List<Long> indices = new ArrayList<>();
    for (int row = 0; row < ids.size(); row++) {
      for (long column = 0; column < ids.get(row).length; column++) {
        indices.addAll(List.of((long) row, column));
      }
    }
    long[] all = ids.stream().flatMapToLong(LongStream::of).toArray();
    return new LookupCall(
        how,
        Tensor.of(Shape.of(all.length, 2), indices.stream().mapToLong(Long::longValue).toArray()),
        Tensor.of(Shape.of(all.length), all),
        Optional.ofNullable(weights)
            .map(
                lists ->
                    Tensor.of(
                        Shape.of(all.length),
                        lists.stream().flatMapToDouble(Arrays::stream).toArray())),
        OptionalLong.of(ids.size()));
  }

  /**
   * Returns rows {@code place bigint, ids array<bigint>, text string, w array<double>}, in
   * ascending order of place.
   */
  public Dataset<Row> rows(int partitions) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      double[] w = weights == null ? null : weights.get(i);
      rows.add(RowFactory.create((long) i, ids.get(i), "x".repeat(i % 9), w));
    }
    SparkSession spark = LocalSpark.session();
    return spark.createDataFrame(
        JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions),
        WIDE);
  }

  public LookupColumns columns() {
    return weights == null ? LookupColumns.of("ids") : LookupColumns.of("ids").weightedBy("w");
  }

  /** Returns the last column as a tensor like {@code like}. The places must ascend from 0. */
  public static Tensor tensor(Dataset<Row> combined, Tensor like) {
    Tensor result = Tensor.zeros(like.dtype(), like.shape());
    Shape slice = like.shape().from(1);
    SliceReader reader = new SliceReader(like.dtype(), slice, slice.rank());
    int last = combined.columns().length - 1;
    List<InternalRow> rows = InternalRows.of(combined).map(InternalRow::copy).collect();
    if (rows.size() != like.shape().dim(0)) {
      throw new AssertionError(rows.size() + " rows for " + like.shape());
    }
    for (int i = 0; i < rows.size(); i++) {
      String problem = reader.read(rows.get(i), last, result.array(), i * (int) slice.elements());
      if (problem != null || rows.get(i).getLong(0) != i) {
        throw new AssertionError("row " + i + " " + problem + ", place " + rows.get(i).getLong(0));
      }
    }
    return result;
  }
}
