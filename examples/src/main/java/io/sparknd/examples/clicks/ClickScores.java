/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.apache.spark.sql.functions.array_append;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;

import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.examples.support.Logistic;
import java.util.Iterator;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * Click probabilities of a trained factorisation machine, computed in the cluster. No task holds
 * more of the table than the rows of some of its examples.
 *
 * @param machine the model
 * @param fields features per example
 */
public record ClickScores(FactorizationMachine machine, int fields) {
  private static final StructType TYPE =
      StructType.fromDDL("label INT NOT NULL, score DOUBLE NOT NULL");

  /**
   * Returns {@code label} and {@code score}, the probability of a click. A feature that was never
   * trained has the row that training it would begin with, close to 0.
   *
   * @param clicks {@code label} and {@code features}
   */
  public Dataset<Row> of(EmbeddingTable table, Dataset<Row> clicks) {
    Dataset<Row> keys =
        clicks.select(
            col("label"),
            explode(array_append(col("features"), lit(machine.bias()))).as("feature"));
    int rows = fields + 1;
    int dim = table.dim();
    // a lookup keeps the order of rows, so those of an example follow each other
    return table
        .lookup(Lookup.sum(), keys, LookupColumns.of("feature"))
        .select("label", "embedding")
        .mapPartitions(
            (MapPartitionsFunction<Row, Row>) all -> new Scores(all, rows, dim),
            Encoders.row(TYPE));
  }

  /** Makes a score of the rows of each example. */
  private static final class Scores implements Iterator<Row> {
    private final Iterator<Row> rows;
    private final float[] values;
    private final int dim;
    private final FmExample example;

    Scores(Iterator<Row> rows, int perExample, int dim) {
      this.rows = rows;
      this.dim = dim;
      this.values = new float[perExample * dim];
      this.example = new FmExample(values, dim, perExample - 1);
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public Row next() {
      int label = 0;
      for (int at = 0; at < values.length && rows.hasNext(); ) {
        Row row = rows.next();
        label = row.getInt(0);
        for (float value : row.<Float>getList(1)) {
          values[at++] = value;
        }
      }
      example.read(field -> field, values.length - dim);
      return RowFactory.create(label, Logistic.probability(example.score()));
    }
  }
}
