/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests step functions that return null. */
class NullResultsTest {
  private static final Batches<long[]> BATCHES =
      Batches.generated(2, (step, shard) -> new long[] {step, shard});
  private static final EmbeddingSpec SPEC = EmbeddingSpec.of(10, 2, Optimizer.adagrad(0.1));

  private final SparkSession spark = LocalSpark.session();

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(message);
  }

  @Test
  void ofATable() {
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    assertRefused(
        () -> table.train(BATCHES, new OfTable(null, Loss.NONE)).steps(1).run(),
        "returned null for the ids of a mini-batch: return an empty array");
    assertRefused(
        () -> table.train(BATCHES, new OfTable(new long[] {3}, null)).steps(1).run(),
        "returned null for the loss of step 0, shard ");
  }

  @Test
  void ofAModel() {
    ModelSpec spec = ModelSpec.empty().withTable("users", SPEC);
    EmbeddingModel model = EmbeddingModel.create(spark, spec);
    Map<String, long[]> nothing = new HashMap<>();
    nothing.put("users", null);
    assertRefused(
        () -> model.train(BATCHES, new OfModel(nothing, Loss.NONE)).steps(1).run(),
        "returned null for the ids of table 'users'");
    assertRefused(
        () -> model.train(BATCHES, new OfModel(null, Loss.NONE)).steps(1).run(),
        "returned null for the ids of a mini-batch");
    assertRefused(
        () -> model.train(BATCHES, new OfModel(Map.of(), null)).steps(1).run(),
        "returned null for the loss of step 0, shard ");
  }

  private record OfTable(long[] ids, Loss loss) implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return ids;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      return loss;
    }
  }

  private record OfModel(Map<String, long[]> ids, Loss loss) implements ModelStep<long[]> {
    @Override
    public Map<String, long[]> ids(long[] batch) {
      return ids;
    }

    @Override
    public Loss step(long[] batch, ModelRows rows) {
      return loss;
    }
  }
}
