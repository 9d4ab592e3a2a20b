/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.esotericsoftware.kryo.Kryo;
import io.sparknd.cluster.internal.spark.KryoClasses;
import java.math.BigInteger;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Registers the classes of embedding tables and of trainings with Kryo, which needs that only with
 * {@code spark.kryo.registrationRequired=true}. Name this class in {@code spark.kryo.registrator},
 * after {@link io.sparknd.cluster.TensorKryoRegistrator}.
 */
public final class EmbeddingKryoRegistrator implements KryoRegistrator {
  private static final List<String> CLASSES =
      List.of(
          "evaluation.RankCounts",
          "feed.FeatureChunk",
          "feed.FeedChunks$Counted",
          "feed.PackedIds",
          "loop.StepTimes",
          "nearest.NeighborBlock",
          "nearest.QueryBlock",
          "rows.EmbeddingPartition");

  @Override
  public void registerClasses(Kryo kryo) {
    KryoClasses.register(kryo, "io.sparknd.embedding.internal.", CLASSES);
    kryo.register(BigInteger.class);
    kryo.register(int[][].class);
  }
}
