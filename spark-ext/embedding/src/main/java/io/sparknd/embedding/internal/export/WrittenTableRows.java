/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.ListColumn;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple2;

/**
 * The written rows of a table, whose ids are not the numbers of rows. They are sorted in range
 * partitions, each of which is small enough for the driver.
 *
 * @param rows columns {@code id} and {@code embedding}
 * @param count number of rows
 */
public record WrittenTableRows(Dataset<Row> rows, long count, int dim) implements OrderedRows {
  /** Bytes of a range partition, approximately. */
  private static final long RANGE_BYTES = 16L << 20;

  /** Bytes of the rows that are sent to the driver as one object. */
  private static final int CHUNK_BYTES = 1 << 20;

  @Override
  public boolean isKeyed() {
    return true;
  }

  @Override
  public void forEach(Consumer consumer) throws IOException {
    try {
      Iterator<Tuple2<long[], float[]>> chunks = chunks();
      while (chunks.hasNext()) {
        Tuple2<long[], float[]> chunk = chunks.next();
        consumer.accept(new RowTile(chunk._1().length, chunk._1(), chunk._2()));
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Runs a job for each range partition, when its first chunk is asked for. */
  private Iterator<Tuple2<long[], float[]>> chunks() {
    int width = dim;
    Dataset<Row> sorted =
        rows.repartitionByRange(ranges(), functions.col("id")).sortWithinPartitions("id");
    return InternalRows.of(sorted)
        .mapPartitions(
            partition -> (Iterator<Tuple2<long[], float[]>>) new Chunks(partition, width))
        .toLocalIterator();
  }

  private int ranges() {
    long bytes = count * (Long.BYTES + (long) Float.BYTES * dim);
    return Math.toIntExact(1 + bytes / RANGE_BYTES);
  }

  /** Groups rows. */
  private static final class Chunks implements Iterator<Tuple2<long[], float[]>> {
    private final Iterator<InternalRow> rows;
    private final int dim;
    private final ListColumn.Numbers weights =
        new ListColumn.Numbers(1, DataTypes.createArrayType(DataTypes.FloatType));

    Chunks(Iterator<InternalRow> rows, int dim) {
      this.rows = rows;
      this.dim = dim;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public Tuple2<long[], float[]> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int most = Math.max(1, CHUNK_BYTES / Float.BYTES / dim);
      long[] ids = new long[most];
      float[] chunk = new float[most * dim];
      int count = 0;
      for (; count < most && rows.hasNext(); count++) {
        InternalRow row = rows.next();
        ids[count] = row.getLong(0);
        weights.read(row);
        for (int j = 0; j < dim; j++) {
          chunk[count * dim + j] = (float) weights.values()[j];
        }
      }
      return new Tuple2<>(Arrays.copyOf(ids, count), Arrays.copyOf(chunk, count * dim));
    }
  }
}
