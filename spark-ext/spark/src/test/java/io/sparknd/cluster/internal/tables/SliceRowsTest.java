/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

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
}
