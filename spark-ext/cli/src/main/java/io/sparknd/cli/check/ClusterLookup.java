/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.embedding.EmbeddingLookup;
import io.sparknd.embedding.internal.lookup.LookupCall;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.op.IndexValues;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Runs a sparse lookup on a Dataset that has a row per matrix row, with the ids in an array. */
record ClusterLookup(SparkSession spark, DistributedTensor params, LookupCall call) {
  private static final StructType SCHEMA =
      new StructType()
          .add("ids", DataTypes.createArrayType(DataTypes.LongType))
          .add("weights", DataTypes.createArrayType(DataTypes.DoubleType));

  /**
   * Returns the result, computed from rows in {@code partitions} partitions.
   *
   * @throws io.sparknd.tensor.SparkNdException from {@link LookupCall#check}, naming positions in
   *     the matrix
   */
  Tensor run(int partitions) {
    call.check(params.dtype(), params.shape());
    Dataset<Row> lists =
        spark.createDataFrame(
            JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows(), partitions),
            SCHEMA);
    LookupColumns ids = LookupColumns.of("ids");
    LookupColumns columns = call.weights().map(given -> ids.weightedBy("weights")).orElse(ids);
    return tensor(EmbeddingLookup.of(params, call.how(), lists, columns));
  }

  private List<Row> rows() {
    long[] ids = IndexValues.toLongs(call.ids());
    long[] idRows = call.idRows();
    List<Row> rows = new ArrayList<>();
    int from = 0;
    for (long row = 0; row < call.rowCount(); row++) {
      int to = from;
      while (to < ids.length && idRows[to] == row) {
        to++;
      }
      double[] weights = IntStream.range(from, to).mapToDouble(call::weight).toArray();
      rows.add(RowFactory.create(Arrays.copyOfRange(ids, from, to), weights));
      from = to;
    }
    return rows;
  }

  /** Collects the rows of the result, which are in the order of the matrix rows. */
  private Tensor tensor(Dataset<Row> combined) {
    Shape slice = params.shape().from(1);
    Tensor result = Tensor.zeros(params.dtype(), call.resultShape(params.shape()));
    SliceReader reader = new SliceReader(params.dtype(), slice, slice.rank());
    List<InternalRow> rows = InternalRows.of(combined).map(InternalRow::copy).collect();
    for (int i = 0; i < rows.size(); i++) {
      int unit = i * (int) slice.elements();
      String problem = reader.read(rows.get(i), SCHEMA.length(), result.array(), unit);
      if (problem != null) {
        throw new AssertionError("row " + i + " of the result " + problem);
      }
    }
    return result;
  }
}
