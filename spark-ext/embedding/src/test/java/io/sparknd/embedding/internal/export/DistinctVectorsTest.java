/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests groups of equal vectors. */
class DistinctVectorsTest {
  @TempDir private Path directory;

  /** So many vectors that some have the same hash. */
  @Test
  void rowsAreGroupedByTheirVectorsInTheOrderOfTheFirstRows() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    Map<List<Float>, List<Long>> expected = new LinkedHashMap<>();
    Map<List<Float>, List<Long>> actual = new LinkedHashMap<>();
    Path file = directory.resolve("vectors");
    try (DistinctVectors vectors = DistinctVectors.create(file, 2)) {
      for (long id = -100_000; id < 100_000; id++) {
        float[] vector = {random.nextInt(1 << 10), random.nextInt(1 << 8)};
        expected.computeIfAbsent(List.of(vector[0], vector[1]), key -> new ArrayList<>()).add(id);
        vectors.add(id, vector);
      }
      vectors.forEach(
          (vector, ids) ->
              actual.put(List.of(vector[0], vector[1]), LongStream.of(ids).boxed().toList()));
    }
    assertThat(List.copyOf(actual.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
    assertThat(file).doesNotExist();
  }

  @Test
  void zerosOfBothSignsAreEqual() throws IOException {
    List<long[]> groups = new ArrayList<>();
    try (DistinctVectors vectors = DistinctVectors.create(directory.resolve("zeros"), 2)) {
      vectors.add(3, new float[] {-0f, 1});
      vectors.add(5, new float[] {0, 1});
      vectors.add(8, new float[] {0, -1});
      vectors.forEach((vector, ids) -> groups.add(ids));
    }
    assertThat(groups).containsExactly(new long[] {3, 5}, new long[] {8});
  }
}
