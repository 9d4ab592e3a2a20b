/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.kernel.Zipf;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Mini-batches of examples with one value in each of 26 fields, as many as in the Criteo data sets.
 * Every call makes the same ones.
 *
 * @param examples examples of a mini-batch
 * @param batches distinct mini-batches, which a training repeats
 */
record FmData(Ids ids, int examples, int batches) implements Serializable {
  static final int FIELDS = 26;
  static final int VALUES = 38_461;
  static final int ROWS = FIELDS * VALUES;

  private static final double EXPONENT = 1.1;

  /** The distribution of the values of a field. */
  enum Ids {
    UNIFORM,
    ZIPF
  }

  /** Returns every mini-batch as a whole. */
  List<FmBatch> all() {
    int[][] columns = new int[FIELDS][];
    for (int field = 0; field < FIELDS; field++) {
      columns[field] = values(field);
    }
    List<FmBatch> all = new ArrayList<>();
    for (int batch = 0; batch < batches; batch++) {
      all.add(new FmBatch(features(columns, batch), labels(batch)));
    }
    return all;
  }

  /** Returns the part of each mini-batch that shard {@code shard} of {@code shards} has. */
  List<FmBatch> part(int shard, int shards) {
    int from = (int) ((long) examples * shard / shards);
    int to = (int) ((long) examples * (shard + 1) / shards);
    return all().stream()
        .map(
            batch ->
                new FmBatch(
                    Arrays.copyOfRange(batch.features(), from * FIELDS, to * FIELDS),
                    Arrays.copyOfRange(batch.labels(), from, to)))
        .toList();
  }

  private int[] values(int field) {
    int count = examples * batches;
    return ids == Ids.ZIPF
        ? new Zipf(VALUES, EXPONENT, field).draw(count)
        : new SplittableRandom(field).ints(count, 0, VALUES).toArray();
  }

  private int[] features(int[][] columns, int batch) {
    int[] features = new int[examples * FIELDS];
    for (int i = 0; i < features.length; i++) {
      int field = i % FIELDS;
      features[i] = field * VALUES + columns[field][batch * examples + i / FIELDS];
    }
    return features;
  }

  private float[] labels(int batch) {
    SplittableRandom random = new SplittableRandom(FIELDS + batch);
    float[] labels = new float[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = random.nextInt(2);
    }
    return labels;
  }
}
