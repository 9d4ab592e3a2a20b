/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests calls on closed versions of tensors and embedding tables. */
class ClosedVersionTest {
  private static final Tensor ROWS = Tensor.of(Shape.of(4, 1), 1f, 2f, 3f, 4f);
  private static final Tensor INDEX = Tensor.of(Shape.of(1, 1), 2L);
  private static final ScatterCall CALL =
      ScatterCall.of(Scatter.update(), INDEX, Tensor.of(Shape.of(1, 1), 9f));

  @TempDir private Path folder;

  private static DistributedTensor made() {
    return DistributedTensor.of(LocalSpark.session(), ROWS, Partitioning.of(3));
  }

  private static void assertClosed(Map<String, ThrowingCallable> calls, String version) {
    calls.forEach(
        (name, call) ->
            assertThatThrownBy(call)
                .as(name)
                .isInstanceOfSatisfying(
                    SparkNdException.class,
                    e -> assertThat(e.condition()).isEqualTo("SPARKND_VERSION_CLOSED"))
                .hasMessage(version + " is closed: close a version after its last use"));
  }

  @Test
  void everyCallOnAClosedTensorFails() {
    SparkSession spark = LocalSpark.session();
    Dataset<Row> ids = spark.sql("SELECT 1L AS id, array(5f) AS value");
    DistributedTensor tensor = made();
    tensor.close();
    Map<String, ThrowingCallable> calls = new TreeMap<>();
    calls.put("scatter", () -> tensor.scatter(CALL));
    calls.put(
        "scatter rows", () -> tensor.scatter(Scatter.add(), ids, TensorColumns.of("value", "id")));
    calls.put("gather", () -> tensor.gather(GatherCall.of(Gather.strict(), INDEX)));
    calls.put("gather rows", () -> tensor.gather(Gather.strict(), ids.select("id"), List.of("id")));
    calls.put("collect", tensor::collect);
    calls.put("to a Dataset", () -> tensor.toDataset(1));
    calls.put("to Arrow", () -> tensor.toArrow(new ByteArrayOutputStream()));
    calls.put("to .npy", () -> tensor.toNpy(folder.resolve("tensor.npy")));
    calls.put("save", () -> tensor.save(folder.resolve("saved").toString()));
    calls.put("repartition", () -> tensor.repartition(Partitioning.of(2)));
    calls.put("checkpoint", tensor::checkpoint);
    calls.put(
        "another strategy", () -> tensor.withStrategy(GatherStrategy.SHUFFLE_SLICES).collect());

    assertClosed(calls, "float32[4, 1] in 3 partitions");

    assertThat(folder).isEmptyDirectory();
    assertThat(tensor.shape()).isEqualTo(Shape.of(4, 1));
    tensor.close();
  }

  @Test
  void resultsOfAClosedVersionStayUsable() {
    DistributedTensor tensor = made();
    Dataset<Row> rows = tensor.toDataset(1);
    DistributedTensor next = tensor.scatter(CALL);
    tensor.close();
    assertThat(rows.count()).isEqualTo(4);
    assertSame(next.collect(), Tensor.of(Shape.of(4, 1), 1f, 2f, 9f, 4f));
    next.close();
  }

  @Test
  void resultsThatNeedAClosedVersionFailWithASparkNdError() {
    DistributedTensor tensor = made().checkpoint();
    DistributedTensor gathered = tensor.gather(GatherCall.of(Gather.strict(), INDEX));
    tensor.close();
    assertThatThrownBy(gathered::collect)
        .isInstanceOfSatisfying(
            SparkNdException.class, e -> assertThat(e.condition()).endsWith(".MISSING_BLOCKS"))
        .hasMessageContaining("close()");
  }

  @Test
  void everyCallOnAClosedEmbeddingTableFails() {
    SparkSession spark = LocalSpark.session();
    EmbeddingTable table =
        EmbeddingTable.create(spark, EmbeddingSpec.of(4, 1, Optimizer.sgd(1)).withPartitions(2));
    Dataset<Row> gradients = spark.sql("SELECT 1L AS id, array(5f) AS value");
    Dataset<Row> lists = spark.sql("SELECT array(1L) AS ids");
    table.close();
    Map<String, ThrowingCallable> calls = new TreeMap<>();
    calls.put("apply", () -> table.apply(gradients, TensorColumns.of("value", "id")));
    calls.put("lookup", () -> table.lookup(Lookup.sum(), lists, LookupColumns.of("ids")));
    calls.put("weights", table::weights);
    calls.put("to a Dataset", table::toDataset);
    calls.put("writtenRows", table::writtenRows);
    calls.put("save", () -> table.save(folder.resolve("saved").toString()));
    calls.put("repartition", () -> table.repartition(3));

    assertClosed(calls, table.toString());

    assertThat(folder).isEmptyDirectory();
  }
}
