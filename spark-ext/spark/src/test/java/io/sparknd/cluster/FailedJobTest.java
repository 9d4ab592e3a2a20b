/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that jobs which fail in user code leave nothing behind. */
class FailedJobTest {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  private final SparkSession spark = LocalSpark.session();

  @TempDir Path folder;

  private Dataset<Row> failing() {
    return spark.sql(
        "SELECT id, if(id < 3, 1.0D, double(raise_error('spoilt'))) AS value FROM range(4)");
  }

  private Set<Integer> kept() {
    return Set.copyOf(
        scala.jdk.javaapi.CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs())
            .keySet()
            .stream()
            .map(id -> (Integer) id)
            .toList());
  }

  @Test
  void failedScatterLeavesNoCachedRdd() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Set<Integer> before = kept();
      assertThatThrownBy(() -> zeros.scatter(Scatter.add(), failing(), COLUMNS))
          .hasMessageContaining("spoilt");
      assertThat(kept()).isSubsetOf(before);
    }
  }

  @Test
  void failedReadOfATableLeavesNoCachedRdd() {
    Set<Integer> before = kept();
    assertThatThrownBy(
            () ->
                DistributedTensor.fromDataset(
                    failing(), COLUMNS, DType.FLOAT64, Shape.of(4), Partitioning.AUTO))
        .hasMessageContaining("spoilt");
    assertThat(kept()).isSubsetOf(before);
  }

  @Test
  void failedGatherReportsTheCause() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Dataset<Row> indices = failing().selectExpr("bigint(value) AS id");
      assertThatThrownBy(() -> zeros.gather(Gather.strict(), indices, List.of("id")).count())
          .hasMessageContaining("spoilt");
    }
  }

  @Test
  void failedGatherLeavesNoCachedRdd() {
    try (DistributedTensor zeros =
        DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(4), Partitioning.of(2))) {
      Set<Integer> before = kept();
      Dataset<Row> indices = failing().selectExpr("bigint(value) AS id");
      for (GatherStrategy strategy : GatherStrategy.values()) {
        DistributedTensor tensor = zeros.withStrategy(strategy);
        assertThatThrownBy(() -> tensor.gather(Gather.strict(), indices, List.of("id")).count())
            .hasMessageContaining("spoilt");
        assertThat(kept()).as("%s", strategy).isSubsetOf(before);
      }
    }
  }

  @Test
  void failedSaveLeavesNoDirectory() throws IOException {
    Path file = folder.resolve("tensor.npy");
    Npy.write(Tensor.of(Shape.of(4), 1.0, 2.0, 3.0, 4.0), file);
    Path target = folder.resolve("saved");
    try (DistributedTensor tensor =
        DistributedTensor.fromNpy(spark, file.toString(), Partitioning.of(2))) {
      Files.delete(file);
      assertThatThrownBy(() -> tensor.save(target.toString())).isInstanceOf(Exception.class);
    }
    assertThat(target).doesNotExist();
  }
}
