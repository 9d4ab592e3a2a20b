/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.procedure;

import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The procedure {@code nearest}: {@link EmbeddingTable#nearest} on a saved table. */
final class NearestProcedure extends SavedTableProcedure {
  private static final long K = 10;

  NearestProcedure() {
    super(
        "nearest",
        "makes a temporary view of the nearest rows of a saved embedding table to each query",
        "queries",
        TensorProcedureParameter.integer("k", "number of rows for each query; default: 10"),
        TensorProcedureParameter.string("metric", "'cosine' (default), 'dot', 'euclidean'"));
  }

  @Override
  Dataset<Row> answer(SparkSession spark, EmbeddingTable table, ProcedureCall call) {
    long k = Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, call.integer("k").orElse(K)));
    VectorMetric metric =
        call.string("metric").map(VectorMetric::named).orElse(VectorMetric.COSINE);
    return table.nearest(DatasetQueries.rows(spark, call.required("queries")), (int) k, metric);
  }
}
