/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that gradients are summed by row in the order of arrival, whatever their order. */
class GradientMergeTest {
  private static final int DIM = 3;
  private static final RowDirectory NUMBERED =
      new DenseIdDirectory(new CyclicBlockPartitioner(1, 4), 1000);
  private static final RowDirectory KEYS = new HashedKeyDirectory(1);

  /** Up to 8 shards are merged; of more, and of unsorted rows, the sums are in a table. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 9, 20})
  void sumsAreThoseOfALoopInTheOrderOfArrival(int shards) {
    for (RowDirectory directory : List.of(NUMBERED, KEYS)) {
      GradientMerge merge = new GradientMerge(DIM, directory, Long.MAX_VALUE);
      for (int seed = 0; seed < 40; seed++) {
        List<ShuffleBatch> batches = batches(new SplittableRandom(seed), shards, seed % 4 == 3);
        assertSums(merge, batches, directory == KEYS);
        merge.clear();
      }
    }
  }

  /** Gradients of more bytes go to the table, and those that were kept before them. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_000, 4_000, 8_000})
  void gradientsOfManyBytesHaveTheSameSums(long maxBytes) {
    GradientMerge merge = new GradientMerge(DIM, NUMBERED, maxBytes);
    for (int seed = 0; seed < 40; seed++) {
      assertSums(merge, batches(new SplittableRandom(seed), 4, false), false);
      merge.clear();
    }
  }

  @Test
  void aSumOfZerosKeepsItsSign() {
    for (RowDirectory directory : List.of(NUMBERED, KEYS)) {
      GradientMerge merge = new GradientMerge(DIM, directory, Long.MAX_VALUE);
      ShuffleBatch zeros = batch(new long[] {3, 5}, -0f);
      assertSums(merge, List.of(zeros, batch(new long[] {5, 6}, -0f)), directory == KEYS);
    }
  }

  @Test
  void batchesWithoutRowsAreNothing() {
    GradientMerge merge = new GradientMerge(DIM, NUMBERED, Long.MAX_VALUE);
    GradientWindow window = new GradientWindow();
    merge.add(batch(new long[0], 1));
    merge.next(window);
    assertThat(window.count()).isZero();
  }

  /** Several batches a shard, whose rows ascend from batch to batch. */
  private static List<ShuffleBatch> batches(SplittableRandom random, int shards, boolean isMixed) {
    List<ShuffleBatch> batches = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      long[] rows = random.longs(random.nextInt(1, 120), 0, 150).distinct().toArray();
      if (!isMixed || shard != shards / 2) {
        Arrays.sort(rows);
      }
      int cut = random.nextInt(rows.length + 1);
      batches.add(batch(Arrays.copyOfRange(rows, 0, cut), random));
      batches.add(batch(Arrays.copyOfRange(rows, cut, rows.length), random));
    }
    return batches;
  }

  private static ShuffleBatch batch(long[] rows, SplittableRandom random) {
    float[] gradients = new float[rows.length * DIM];
    for (int i = 0; i < gradients.length; i++) {
      gradients[i] = (float) random.nextDouble(-1, 1);
    }
    return new ShuffleBatch(Storage.FLOAT, rows.length, rows, null, gradients, gradients.length);
  }

  private static ShuffleBatch batch(long[] rows, float value) {
    float[] gradients = new float[rows.length * DIM];
    Arrays.fill(gradients, value);
    return new ShuffleBatch(Storage.FLOAT, rows.length, rows, null, gradients, gradients.length);
  }

  private static void assertSums(
      GradientMerge merge, List<ShuffleBatch> batches, boolean areInOrderOfArrival) {
    Map<Long, float[]> expected = new LinkedHashMap<>();
    List<float[]> payloads = batches.stream().map(b -> ((float[]) b.payload()).clone()).toList();
    for (ShuffleBatch batch : batches) {
      addTo(expected, batch);
      merge.add(batch);
    }
    Map<Long, float[]> sums = new LinkedHashMap<>();
    GradientWindow window = new GradientWindow();
    for (merge.next(window); window.count() > 0; merge.next(window)) {
      for (int i = 0; i < window.count(); i++) {
        int at = window.offset(i);
        assertThat(sums.put(window.address(i), Arrays.copyOfRange(window.array(i), at, at + DIM)))
            .isNull();
      }
    }
    assertThat(sums.keySet()).isEqualTo(expected.keySet());
    if (areInOrderOfArrival) {
      assertThat(sums.keySet()).containsExactlyElementsOf(expected.keySet());
    }
    expected.forEach((row, sum) -> assertThat(bits(sums.get(row))).isEqualTo(bits(sum)));
    for (int i = 0; i < batches.size(); i++) {
      assertThat((float[]) batches.get(i).payload()).as("batch").isEqualTo(payloads.get(i));
    }
  }

  private static void addTo(Map<Long, float[]> sums, ShuffleBatch batch) {
    float[] gradients = (float[]) batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      float[] row = Arrays.copyOfRange(gradients, i * DIM, (i + 1) * DIM);
      float[] sum = sums.putIfAbsent(batch.locals()[i], row);
      for (int d = 0; sum != null && d < DIM; d++) {
        sum[d] += row[d];
      }
    }
  }

  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(values[i]);
    }
    return bits;
  }
}
