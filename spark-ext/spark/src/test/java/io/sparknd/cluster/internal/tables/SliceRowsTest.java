/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests tensors as rows of slices. */
class SliceRowsTest {
  @Test
  void slicesLargerThanABlockAreWholeAndLeaveNoCachedRdd() {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    Set<Integer> before = Set.copyOf(context.getPersistentRDDs().keySet());
    Tensor local = Tensor.wrap(DType.INT32, Shape.of(4, 8), IntStream.range(0, 32).toArray());
    try (DistributedTensor tensor =
        DistributedTensor.of(LocalSpark.session(), local, new Partitioning(3, 16))) {
      List<Row> rows = tensor.toDataset(1).sort("i0").collectAsList();
      for (int i = 0; i < 4; i++) {
        assertThat(rows.get(i).<Integer>getList(1))
            .isEqualTo(IntStream.range(8 * i, 8 * i + 8).boxed().toList());
      }
      assertThat(before).containsAll(context.getPersistentRDDs().keySet());
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 40", "0, 1", "39, 40", "7, 23", "12, 12", "0, 0", "38, 9000", "50, 60"})
  void rangesGiveTheirSlicesAndNoOthers(long first, long end) {
    Tensor local = Tensor.wrap(DType.INT32, Shape.of(8, 5, 2), IntStream.range(0, 80).toArray());
    for (Partitioning partitioning : List.of(new Partitioning(3, 32), new Partitioning(7, 8))) {
      TensorBlocks blocks = TensorSource.local(LocalSpark.session(), local, partitioning);
      JavaRDD<InternalRow> rows = SliceRows.rows(blocks, 2, new SliceRange(first, end));
      List<Long> slices = rows.map(row -> row.getLong(0) * 5 + row.getLong(1)).collect();
      List<Integer> values = rows.map(row -> row.getArray(2).getInt(1)).collect();
      long[] expected = LongStream.range(Math.min(first, 40), Math.min(end, 40)).toArray();
      assertThat(slices).containsExactlyInAnyOrder(boxed(expected));
      assertThat(values).isEqualTo(slices.stream().map(slice -> (int) (2 * slice + 1)).toList());
    }
  }

  @Test
  void rangesOfEmptySlicesAreSelected() {
    Tensor local = Tensor.wrap(DType.INT32, Shape.of(4, 0), new int[0]);
    TensorBlocks blocks = TensorSource.local(LocalSpark.session(), local, new Partitioning(2, 16));
    assertThat(SliceRows.rows(blocks, 1, new SliceRange(1, 3)).map(row -> row.getLong(0)).collect())
        .containsExactly(1L, 2L);
  }

  @Test
  void partitionsWithoutSlicesOfTheRangeAreNotComputed() {
    Tensor local = Tensor.wrap(DType.INT32, Shape.of(40), IntStream.range(0, 40).toArray());
    TensorBlocks blocks = TensorSource.local(LocalSpark.session(), local, new Partitioning(10, 16));
    assertThat(SliceRows.rows(blocks, 1, new SliceRange(5, 6)).getNumPartitions()).isEqualTo(1);
    assertThat(SliceRows.rows(blocks, 1, SliceRange.NONE).getNumPartitions()).isZero();
  }

  private static Long[] boxed(long[] values) {
    return LongStream.of(values).boxed().toArray(Long[]::new);
  }
}
