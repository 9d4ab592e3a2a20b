/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests results of versions that are computed again after they were closed, by tasks with other
 * numbers than the partitions.
 */
class RecomputedVersionTest {
  private static final int ROWS = 1000;
  private static final int COLUMNS = 64;
  private static final long WRITTEN = 48;

  private final SparkSession spark = LocalSpark.session();

  /** A tensor of zeros, of which a row in a late partition is ones. */
  private DistributedTensor written(int partitions) {
    Tensor index = Tensor.of(Shape.of(1, 1), WRITTEN);
    Tensor ones = Tensor.fill(DType.FLOAT32, Shape.of(1, COLUMNS), 1);
    return DistributedTensor.zeros(
            spark, DType.FLOAT32, Shape.of(ROWS, COLUMNS), Partitioning.of(partitions))
        .scatter(ScatterCall.of(Scatter.update(), index, ones));
  }

  private static double sum(Row row) {
    return row.<Float>getList(1).stream().mapToDouble(Float::doubleValue).sum();
  }

  @ParameterizedTest
  @EnumSource(GatherStrategy.class)
  void gathersOfAFewRowsReadTheUpdatesOfTheirPartition(GatherStrategy strategy) {
    Dataset<Row> gathered;
    try (DistributedTensor tensor = written(4)) {
      gathered =
          tensor
              .withStrategy(strategy)
              .gather(Gather.strict(), spark.sql("SELECT 48L AS i"), List.of("i"));
    }
    assertThat(sum(gathered.collectAsList().get(0))).isEqualTo(COLUMNS);
  }

  @Test
  void coalescedAndUnitedSlicesAreThoseOfTheVersion() {
    Dataset<Row> slices;
    try (DistributedTensor tensor = written(4)) {
      slices = tensor.toDataset(1);
    }
    for (Dataset<Row> read :
        List.of(slices.coalesce(1), slices.limit(0).union(slices), slices.coalesce(3))) {
      List<Row> found = read.filter("exists(value, x -> x > 0)").collectAsList();
      assertThat(found).hasSize(1);
      assertThat(found.get(0).getLong(0)).isEqualTo(WRITTEN);
    }
  }

  @Test
  void gathersIntoATensorReadTheUpdatesOfManyPartitions() {
    DistributedTensor gathered;
    try (DistributedTensor tensor = written(64)) {
      Tensor index = Tensor.of(Shape.of(1, 1), WRITTEN);
      gathered = tensor.gather(GatherCall.of(Gather.strict(), index));
    }
    assertSame(gathered.collect(), Tensor.fill(DType.FLOAT32, Shape.of(1, COLUMNS), 1));
    gathered.close();
  }

  @Test
  void scattersCountThroughGathersAndRepartitions() {
    Tensor zero = Tensor.of(Shape.of(1, 1), 0L);
    ScatterCall add = ScatterCall.of(Scatter.add(), zero, Tensor.of(Shape.of(1), 1));
    Tensor all = Tensor.wrap(DType.INT64, Shape.of(8, 1), LongStream.range(0, 8).toArray());
    GatherCall same = GatherCall.of(Gather.strict(), all);
    DistributedTensor tensor =
        DistributedTensor.zeros(spark, DType.INT32, Shape.of(8), Partitioning.of(2));
    int scatters = VersionLineage.CHECKPOINT_INTERVAL + 1;
    for (int i = 0; i < scatters; i++) {
      try (DistributedTensor before = tensor;
          DistributedTensor moved =
              i % 2 == 0 ? before.gather(same) : before.repartition(Partitioning.of(3))) {
        tensor = moved.scatter(add);
      }
    }
    int rdds = tensor.blocks().rdd().toDebugString().split("\n").length;
    assertSame(tensor.collect(), Tensor.of(Shape.of(8), scatters, 0, 0, 0, 0, 0, 0, 0));
    assertThat(rdds).as("RDDs in the lineage").isLessThan(30);
    tensor.close();
  }
}
