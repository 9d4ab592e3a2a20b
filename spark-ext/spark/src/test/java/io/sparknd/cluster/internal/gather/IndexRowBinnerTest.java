/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tests to which partitions index rows are sent. */
class IndexRowBinnerTest {
  private static final int PARTITIONS = 7;
  private static final Shape SHAPE = Shape.of(1000, 4);

  private static final IndexPolicy POLICY =
      new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);

  private final Dataset<Row> schema =
      LocalSpark.session().sql("SELECT 1L AS id, 2L AS label, 'a' AS name LIMIT 0");
  private final Pieces pieces =
      BlockLayout.of(DType.FLOAT32, SHAPE, new Partitioning(PARTITIONS, 64), 1).pieces(4);
  private final IndexColumns indices =
      IndexColumns.of(
          schema,
          List.of("id"),
          new TupleOffset(Indexing.tuples().plan(SHAPE, Shape.of(0, 1)), POLICY));

  /** As it does after the loss of an executor if the rows come from a join. */
  @Test
  void rowsGoToTheSamePartitionsInAnyOrder() {
    List<UnsafeRow> rows = rows(i -> i % 3 == 0 ? i : -1 - i % 5);
    Map<Integer, List<String>> sent = sent(3, rows);
    for (int seed = 0; seed < 5; seed++) {
      List<UnsafeRow> shuffled = new ArrayList<>(rows);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(sent(3, shuffled)).isEqualTo(sent);
    }
  }

  /** Also equal rows, if they come from several sources. */
  @Test
  void rowsWithoutASliceGoToAllPartitions() {
    Map<Integer, List<String>> different = sent(0, rows(i -> -1 - i));
    assertThat(different).hasSize(PARTITIONS);
    different.values().forEach(rows -> assertThat(rows).hasSizeBetween(50, 250));
    List<UnsafeRow> same = Collections.nCopies(10, rows(i -> -1L).get(0));
    Map<Integer, List<String>> owners = new TreeMap<>();
    for (int source = 0; source < PARTITIONS; source++) {
      owners.putAll(sent(source, same));
    }
    assertThat(owners).hasSize(PARTITIONS);
  }

  private List<UnsafeRow> rows(LongUnaryOperator index) {
    UnsafeProjection projection = UnsafeProjection.create(schema.schema());
    List<UnsafeRow> rows = new ArrayList<>();
    for (long i = 0; i < 900; i++) {
      Object[] values = {index.applyAsLong(i), i / 2, UTF8String.fromString("name " + i / 2)};
      rows.add(projection.apply(new GenericInternalRow(values)).copy());
    }
    return rows;
  }

  /** Returns the rows of each owner, as text, sorted. */
  private Map<Integer, List<String>> sent(int source, List<UnsafeRow> rows) {
    IndexRowBinner binner =
        new IndexRowBinner(
            source,
            rows.stream().map(row -> (InternalRow) row).iterator(),
            indices.in(source, null),
            pieces);
    Map<Integer, List<String>> byOwner = new TreeMap<>();
    while (binner.hasNext()) {
      Tuple2<BatchKey, ShuffleBatch> batch = binner.next();
      byOwner
          .computeIfAbsent(batch._1().partition(), owner -> new ArrayList<>())
          .addAll(texts(batch._2()));
    }
    byOwner.values().forEach(Collections::sort);
    return byOwner;
  }

  private static List<String> texts(ShuffleBatch batch) {
    byte[] bytes = (byte[]) batch.payload();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < batch.count(); i++) {
      int end = i + 1 < batch.count() ? batch.rows()[i + 1] : batch.payloadUnits();
      texts.add(
          batch.locals()[i] + Arrays.toString(Arrays.copyOfRange(bytes, batch.rows()[i], end)));
    }
    return texts;
  }
}
