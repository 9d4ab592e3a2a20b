/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDBlockId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** Tests that a checkpoint truncates the lineage and keeps the tensor. */
class CheckpointTest {
  private static final Tensor ROWS = Tensor.of(Shape.of(4, 1), 1f, 2f, 3f, 4f);
  private static final ScatterCall CALL =
      ScatterCall.of(Scatter.add(), Tensor.of(Shape.of(1, 1), 2L), Tensor.of(Shape.of(1, 1), 9f));

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;

  /** Other tests of this JVM may have set a checkpoint directory. */
  @BeforeEach
  void withoutDirectory() {
    spark.sparkContext().checkpointDir_$eq(Option.empty());
  }

  private DistributedTensor rows() {
    return DistributedTensor.of(spark, ROWS, Partitioning.of(3));
  }

  private static void assertTruncated(DistributedTensor tensor) {
    RDD<?> rdd = TensorInside.blocks(tensor).rdd().rdd();
    assertThat(rdd.isCheckpointed()).isTrue();
    assertThat(rdd.dependencies().head().rdd().dependencies().isEmpty()).isTrue();
  }

  @Test
  void scatteredVersionHasNoLineageAfterACheckpoint() {
    try (DistributedTensor next = rows().scatter(CALL)) {
      assertThat(next.checkpoint()).isSameAs(next);
      assertTruncated(next);
      TensorAssert.assertSame(next.collect(), Kernels.auto().scatter(ROWS, CALL));
    }
  }

  @Test
  void scatteredVersionIsWrittenToTheCheckpointDirectory() {
    spark.sparkContext().setCheckpointDir(folder.toString());
    try (DistributedTensor next = rows().scatter(CALL).checkpoint()) {
      assertTruncated(next);
      assertThat(TensorInside.blocks(next).rdd().getCheckpointFile().isPresent()).isTrue();
      TensorAssert.assertSame(next.collect(), Kernels.auto().scatter(ROWS, CALL));
    } finally {
      spark.sparkContext().checkpointDir_$eq(Option.empty());
    }
  }

  @Test
  void secondCheckpointKeepsTheTensor() {
    try (DistributedTensor tensor = rows().checkpoint().checkpoint()) {
      TensorAssert.assertSame(tensor.collect(), ROWS);
    }
  }

  @Test
  void checkpointAfterAnAutomaticOneKeepsTheTensor() {
    Tensor expected = ROWS;
    DistributedTensor tensor = rows();
    for (int version = 0; version < VersionLineage.CHECKPOINT_INTERVAL; version++) {
      expected = Kernels.auto().scatter(expected, CALL);
      tensor = tensor.scatter(CALL);
    }
    assertTruncated(tensor);
    TensorAssert.assertSame(tensor.checkpoint().collect(), expected);
    tensor.close();
  }

  private static boolean isCached(RDD<?> rdd) {
    return IntStream.range(0, rdd.getNumPartitions())
        .mapToObj(partition -> new RDDBlockId(rdd.id(), partition))
        .anyMatch(block -> SparkEnv.get().blockManager().getStatus(block).isDefined());
  }

  @Test
  @Timeout(30)
  void checkpointThatNeedsAClosedVersionFailsWithASparkNdError() throws Exception {
    DistributedTensor tensor = rows().checkpoint();
    DistributedTensor gathered =
        tensor.gather(GatherCall.of(Gather.strict(), Tensor.of(Shape.of(1, 1), 2L)));
    RDD<?> closed = TensorInside.blocks(tensor).rdd().rdd();
    tensor.close();
    while (isCached(closed)) {
      Thread.sleep(1); // Spark drops blocks in another thread
    }
    assertThatThrownBy(gathered::checkpoint)
        .isInstanceOfSatisfying(
            SparkNdException.class, e -> assertThat(e.condition()).endsWith(".MISSING_BLOCKS"));
  }
}
