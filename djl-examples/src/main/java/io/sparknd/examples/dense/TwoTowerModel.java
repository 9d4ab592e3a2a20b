/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import io.sparknd.djl.ModelArrays;
import io.sparknd.embedding.DenseSpec;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.ModelSpec;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.Map;

/**
 * Two towers, of users and of items: the score of a visit is the inner product of their outputs.
 * The loss is a softmax over the items of the mini-batch, less the logarithm of how often each is
 * in the data, since popular items are often among the wrong ones (Yi et al., 2019).
 */
public record TwoTowerModel(int users, int items, int dim) implements ScoredModel<ItemVisits> {
  @Override
  public ModelSpec spec() {
    return ModelSpec.empty()
        .withTable("users", table(users, 1))
        .withTable("items", table(items, 2))
        .withDense(
            DenseSpec.of(Optimizer.adam(0.005))
                .withLinear("user.0", dim, 32, 3)
                .withLinear("user.1", 32, dim, 4)
                .withLinear("item.0", dim, 32, 5)
                .withLinear("item.1", 32, dim, 6));
  }

  private EmbeddingSpec table(int rows, long seed) {
    return EmbeddingSpec.of(rows, dim, Optimizer.adagrad(0.1))
        .withInitializer(Initializer.normal(0, 0.3, seed));
  }

  @Override
  public Map<String, long[]> ids(ItemVisits batch) {
    return Map.of("users", batch.users(), "items", batch.items());
  }

  @Override
  public long examples(ItemVisits batch) {
    return batch.count();
  }

  private static NDArray tower(ModelArrays arrays, String name, NDArray rows) {
    return arrays.linear(name + ".1", Activation.relu(arrays.linear(name + ".0", rows)));
  }

  @Override
  public NDArray scores(ItemVisits batch, ModelArrays arrays) {
    NDArray user = tower(arrays, "user", arrays.embeddings("users"));
    return user.mul(tower(arrays, "item", arrays.embeddings("items"))).sum(new int[] {1});
  }

  @Override
  public NDArray loss(ItemVisits batch, ModelArrays arrays) {
    NDArray user = tower(arrays, "user", arrays.embeddings("users"));
    NDArray item = tower(arrays, "item", arrays.embeddings("items"));
    NDArray often = arrays.manager().create(batch.logFrequencies());
    NDArray logits = user.matMul(item.transpose()).sub(often); // [visits, items of the batch]
    NDArray own = arrays.manager().eye(batch.count());
    return logits.logSoftmax(1).mul(own).sum().neg();
  }
}
