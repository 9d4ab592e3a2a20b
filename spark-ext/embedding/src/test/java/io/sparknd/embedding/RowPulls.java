/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;

/** Applies {@link Pulls} to the rows of a query. The first two columns of a row are ids. */
record RowPulls(Pulls pulls) implements StepFunction<List<Row>> {
  private static long[] pairs(List<Row> rows) {
    return rows.stream().flatMapToLong(r -> LongStream.of(r.getLong(0), r.getLong(1))).toArray();
  }

  @Override
  public long[] ids(List<Row> rows) {
    return pairs(rows);
  }

  @Override
  public Loss step(List<Row> rows, EmbeddingRows got) {
    return pulls.step(pairs(rows), got);
  }
}
