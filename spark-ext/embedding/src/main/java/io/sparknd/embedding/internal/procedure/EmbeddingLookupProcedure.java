/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.procedure;

import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The procedure {@code embedding_lookup}: {@link EmbeddingTable#lookup} on a saved table. */
final class EmbeddingLookupProcedure extends SavedTableProcedure {

  EmbeddingLookupProcedure() {
    super(
        "embedding_lookup",
        "makes a temporary view of rows with the combined embeddings of a list of ids in each",
        "rows",
        TensorProcedureParameter.string("ids", "column of ids or of arrays of ids; default: ids"),
        TensorProcedureParameter.string("weights", "column of the ids' weights; default: none"),
        TensorProcedureParameter.string("combiner", "'mean' (default), 'sum', 'sqrtn'"),
        TensorProcedureParameter.string("bad_indices", "'error' (default), 'ignore', 'clip'"),
        TensorProcedureParameter.string(
            "negative", "'error' (default), 'wrap', 'oob', which 'ignore' implies"),
        TensorProcedureParameter.string("into", "name of the added column; default: embedding"),
        TensorProcedureParameter.number(
            "max_norm",
            "rows with a larger Euclidean norm are scaled to it before they are weighted; "
                + "default: no limit"));
  }

  @Override
  Dataset<Row> answer(SparkSession spark, EmbeddingTable table, ProcedureCall call) {
    Combiner combiner = call.string("combiner").map(Combiner::named).orElse(Combiner.MEAN);
    LookupColumns columns =
        new LookupColumns(
            call.string("ids").orElse("ids"),
            call.string("weights"),
            call.string("into").orElse("embedding"));
    double maxNorm = call.number("max_norm").orElse(Double.POSITIVE_INFINITY);
    return table.lookup(
        Lookup.of(combiner).withMaxNorm(maxNorm).withIndices(call.indices()),
        DatasetQueries.rows(spark, call.required("rows")),
        columns);
  }
}
