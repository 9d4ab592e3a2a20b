/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import static org.apache.spark.sql.functions.ceil;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.least;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sequence;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Deals rows to chunks by a hash of their content, and orders each chunk by it. The chunks
 * therefore depend on the rows and the seed alone, not on partitions, files, or the order in which
 * rows arrive. Equal rows are counted first, and the copies are numbered, so that they are dealt
 * like others; they cannot be told apart.
 */
final class FeedPlacement {
  /** Copies of a row that are numbered in one array. */
  private static final int COPIES = 1 << 16;

  private static final String COUNT = "count";
  private static final String GROUP = "group";
  private static final String COPY = "copy";
  private static final String HASH = "hash";

  private FeedPlacement() {}

  /** Returns an RDD with one chunk per partition. */
  static JavaRDD<FeatureChunk> chunks(
      Dataset<Row> encoded, FeatureShape shape, int chunks, long seed) {
    Column[] content = Arrays.stream(encoded.columns()).map(c -> col(c)).toArray(Column[]::new);
    Dataset<Row> dealt =
        copies(encoded, content)
            .withColumn(HASH, xxhash64(hashed(content, seed)))
            .repartition(chunks, col(HASH))
            .sortWithinPartitions(order(content))
            .select(content);
    return InternalRows.of(dealt)
        .mapPartitions(rows -> List.of(ChunkBuilder.chunk(shape, rows)).iterator());
  }

  /** Returns the rows with the numbers of their copies. */
  private static Dataset<Row> copies(Dataset<Row> encoded, Column... content) {
    Column groups = ceil(col(COUNT).divide(COPIES)).minus(1);
    Column first = col(GROUP).multiply(COPIES);
    Column last = least(col(COUNT), first.plus(COPIES)).minus(1);
    return encoded
        .groupBy(content)
        .agg(count(lit(1)).as(COUNT))
        .withColumn(GROUP, explode(sequence(lit(0L), groups)))
        .withColumn(COPY, explode(sequence(first, last)));
  }

  private static Column[] hashed(Column[] content, long seed) {
    List<Column> all = new ArrayList<>(List.of(lit(seed), col(COPY)));
    all.addAll(List.of(content));
    return all.toArray(Column[]::new);
  }

  private static Column[] order(Column... content) {
    List<Column> all = new ArrayList<>(List.of(col(HASH)));
    all.addAll(List.of(content));
    return all.toArray(Column[]::new);
  }
}
