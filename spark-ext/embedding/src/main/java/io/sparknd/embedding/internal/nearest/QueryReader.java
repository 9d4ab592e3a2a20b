/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.cluster.internal.columnar.ListColumn;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Reads the queries of one partition in blocks. Rejected rows are omitted. */
final class QueryReader implements Iterator<QueryBlock> {
  private final Iterator<InternalRow> rows;
  private final int partition;
  private final int dim;
  private final int blockQueries;
  private final RowErrors rowErrors;
  private final ListColumn.Integers ids;
  private final ListColumn.Numbers vectors;
  private long row;
  private int blocks;

  QueryReader(
      Iterator<InternalRow> rows,
      QueryColumns columns,
      int partition,
      int dim,
      int blockQueries,
      RowErrors rowErrors) {
    this.rows = rows;
    this.partition = partition;
    this.dim = dim;
    this.blockQueries = blockQueries;
    this.rowErrors = rowErrors;
    this.ids = columns.ids();
    this.vectors = columns.vectors();
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public QueryBlock next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long[] blockIds = new long[blockQueries];
    float[] block = new float[blockQueries * dim];
    int count = 0;
    while (count < blockQueries && rows.hasNext()) {
      if (read(rows.next(), block, count * dim)) {
        blockIds[count++] = ids.values()[0];
      }
    }
    return new QueryBlock(
        partition, blocks++, Arrays.copyOf(blockIds, count), Arrays.copyOf(block, count * dim));
  }

  private boolean read(InternalRow next, float[] block, int at) {
    String problem = ids.read(next);
    if (problem != null) {
      reject(QueryColumns.ID, problem);
    } else {
      problem = vectors.read(next);
      problem = problem == null ? problem(block, at) : problem;
      if (problem != null) {
        reject(QueryColumns.EMBEDDING, problem);
      }
    }
    row++;
    return problem == null;
  }

  /** Copies the vector, rounded to float32; returns the problem with it, if any. */
  private @Nullable String problem(float[] block, int at) {
    if (vectors.count() != dim) {
      return "has " + vectors.count() + " elements, and rows of the table have " + dim;
    }
    for (int j = 0; j < dim; j++) {
      block[at + j] = (float) vectors.values()[j];
      if (!Float.isFinite(block[at + j])) {
        return "is "
            + vectors.values()[j]
            + " at position "
            + j
            + ", which is not finite in float32";
      }
    }
    return null;
  }

  private void reject(String column, String problem) {
    rowErrors.reject(partition, row, EmbeddingErrors.badQuery(partition, row, column, problem));
  }
}
