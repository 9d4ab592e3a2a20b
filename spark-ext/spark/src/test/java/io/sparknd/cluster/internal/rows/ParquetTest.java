/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the way from Parquet files to a tensor and back. All columns are nullable, as Spark reads
 * them.
 */
class ParquetTest {
  private static final Partitioning CUT = Partitioning.of(3).withBlockBytes(64);
  private static final Shape SHAPE = Shape.of(40, 4);

  @TempDir Path folder;

  @Test
  void aTableOfUpdatesGivesTheBitsOfTheLocalKernel() {
    Random random = new Random(1);
    Tensor data = Tensor.wrap(DType.FLOAT32, SHAPE, floats(random, 160));
    int[] ids = random.ints(500, 0, 40).toArray();
    Tensor updates = Tensor.wrap(DType.FLOAT32, Shape.of(500, 4), floats(random, 2000));
    Dataset<Row> table = parquet("updates", rows(ids, updates));

    Tensor expected =
        Kernels.auto()
            .scatter(
                data, ScatterCall.of(Scatter.add(), Tensor.of(Shape.of(500, 1), ids), updates));
    try (DistributedTensor tensor = DistributedTensor.of(LocalSpark.session(), data, CUT);
        DistributedTensor next =
            tensor.scatter(
                Scatter.add(), table, TensorColumns.of("update", "id").orderedBy("i0"))) {
      TensorAssert.assertSameBits(next.collect(), expected);
      Dataset<Row> gathered = next.gather(Gather.strict(), table, List.of("id"));
      assertThat(gathered.columns()).containsExactly("i0", "id", "update", "value");
      assertThat(gathered.count()).isEqualTo(500);
    }
  }

  @Test
  void writtenTensorIsReadBack() {
    Tensor data = Tensor.wrap(DType.FLOAT32, SHAPE, floats(new Random(2), 160));
    Dataset<Row> table =
        parquet("tensor", DistributedTensor.of(LocalSpark.session(), data, CUT).toDataset(1));
    try (DistributedTensor back =
        DistributedTensor.fromDataset(
            table, TensorColumns.of("value", "i0"), DType.FLOAT32, SHAPE, CUT)) {
      TensorAssert.assertSameBits(back.collect(), data);
    }
  }

  @Test
  void narrowerNumbersWiden() {
    Dataset<Row> table =
        parquet(
            "narrow",
            LocalSpark.session()
                .sql("SELECT smallint(id) AS i, array(int(id), -1) AS v FROM range(3)"));
    try (DistributedTensor tensor =
        DistributedTensor.fromDataset(
            table, TensorColumns.of("v", "i"), DType.FLOAT64, Shape.of(3, 2), CUT)) {
      assertThat(tensor.collect()).isEqualTo(Tensor.of(Shape.of(3, 2), 0d, -1, 1, -1, 2, -1));
    }
  }

  private Dataset<Row> parquet(String name, Dataset<Row> rows) {
    String path = folder.resolve(name).toString();
    rows.write().parquet(path);
    return LocalSpark.session().read().parquet(path);
  }

  /** Returns rows {@code i0, id, update}, where {@code i0} is the order of the updates. */
  private static Dataset<Row> rows(int[] ids, Tensor updates) {
    Dataset<Row> values =
        DistributedTensor.of(LocalSpark.session(), updates, CUT)
            .toDataset(1)
            .withColumnRenamed("value", "update");
    return DistributedTensor.of(LocalSpark.session(), Tensor.of(Shape.of(500), ids), CUT)
        .toDataset(1)
        .withColumnRenamed("value", "id")
        .join(values, "i0");
  }

  private static float[] floats(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return values;
  }
}
