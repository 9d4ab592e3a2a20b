/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.nearest.VectorMetric;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Tests what a search shuffles, and its arithmetic. */
class NearestBlocksTest {
  private static final SparkConf CONF = new SparkConf();

  private static <T> T copy(Serializer serializer, T object) {
    @SuppressWarnings("unchecked")
    ClassTag<T> tag = (ClassTag<T>) ClassTag$.MODULE$.apply(object.getClass());
    var instance = serializer.newInstance();
    return instance.deserialize(instance.serialize(object, tag), tag);
  }

  @Test
  void blocksAreTheSameAfterEverySerializer() {
    for (Serializer serializer : List.of(new JavaSerializer(CONF), new KryoSerializer(CONF))) {
      QueryBlock queries =
          copy(serializer, new QueryBlock(3, 5, new long[] {7, -1}, new float[] {1, 2, -0f, 4}));
      assertThat(queries.key()).isEqualTo(3L << 32 | 5);
      assertThat(queries.ids()).containsExactly(7, -1);
      assertThat(queries.vectors()).containsExactly(1, 2, -0f, 4);
      NeighborHeap[] heaps = {new NeighborHeap(2), new NeighborHeap(2)};
      heaps[1].offer(9, 0.5);
      NeighborBlock neighbors = copy(serializer, NeighborBlock.of(new long[] {7, -1}, heaps));
      assertThat(neighbors.queries()).containsExactly(7, -1);
      assertThat(neighbors.end(0)).isZero();
      assertThat(neighbors.end(1)).isEqualTo(1);
      assertThat(neighbors.id(0)).isEqualTo(9);
      assertThat(neighbors.score(0)).isEqualTo(0.5);
    }
  }

  @Test
  void smallerIdsWinTiesInAnyOrderOfOffers() {
    List<long[]> orders = List.of(new long[] {1, 2, 3, 4}, new long[] {4, 3, 2, 1});
    for (long[] ids : orders) {
      NeighborHeap heap = new NeighborHeap(2);
      for (long id : ids) {
        heap.offer(id, 1);
      }
      long[] kept = new long[2];
      heap.drainTo(kept, new double[2], 0);
      assertThat(kept).containsExactly(1, 2);
    }
  }

  /** Tiles that are full and partly filled, and dims with every remainder of the unrolled loop. */
  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void scoresOfATileHaveTheBitsOfThePairs(VectorMetric metric) {
    SplittableRandom random = new SplittableRandom(1);
    for (int dim : new int[] {1, 2, 3, 4, 5, 63, 64, 300}) {
      PairScores scores = new PairScores(metric, dim);
      for (int count : new int[] {1, 2, 31, scores.capacity()}) {
        float[] rows = floats(random, count * dim);
        float[] query = floats(random, dim);
        scores.load(rows, count);
        double[] found = scores.of(query, 0);
        for (int row = 0; row < count; row++) {
          double score = metric.score(query, row(rows, row, dim));
          double expected = metric == VectorMetric.EUCLIDEAN ? -score : score;
          assertThat(found[row]).isEqualTo(expected);
        }
      }
    }
  }

  private static float[] floats(SplittableRandom random, int count) {
    float[] floats = new float[count];
    IntStream.range(0, count).forEach(i -> floats[i] = (float) random.nextDouble(-1e30, 1e30));
    return floats;
  }

  private static float[] row(float[] rows, int row, int dim) {
    return Arrays.copyOfRange(rows, row * dim, (row + 1) * dim);
  }
}
