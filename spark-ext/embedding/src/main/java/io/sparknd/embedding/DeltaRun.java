/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.ArrayList;
import java.util.List;

/**
 * The files of consecutive deltas of a table in the same number of partitions. There may be
 * millions, so each task gets those of its own partition.
 *
 * @param partitions the number
 * @param deltas may be none, for the full save in this number
 */
record DeltaRun(int partitions, List<Delta> deltas) {
  DeltaRun {
    deltas = List.copyOf(deltas);
  }

  /**
   * The files of a delta.
   *
   * @param since steps of the table at the previous checkpoint
   * @param files a file for each partition
   */
  record Delta(long since, List<String> files) {
    Delta {
      files = List.copyOf(files);
    }
  }

  /** Returns the runs in order. The first begins with the full save, in its partitions. */
  static List<DeltaRun> of(SavedEmbedding.Manifest base, List<SavedDelta> deltas) {
    List<DeltaRun> runs = new ArrayList<>();
    runs.add(new DeltaRun(base.files().size(), List.of()));
    for (SavedDelta saved : deltas) {
      SavedDelta.Content delta = saved.content();
      int last = runs.size() - 1;
      Delta next = new Delta(delta.since(), delta.table().files());
      if (runs.get(last).partitions() == delta.partitions()) {
        runs.set(last, runs.get(last).and(next));
      } else {
        runs.add(new DeltaRun(delta.partitions(), List.of(next)));
      }
    }
    return runs;
  }

  /** Returns the steps of the table before each delta. */
  long[] since() {
    return deltas.stream().mapToLong(Delta::since).toArray();
  }

  /** Returns the files of a partition, one of each delta. */
  List<String> files(int partition) {
    // no immutable list: it is an element of an RDD, and Kryo cannot read one
    List<String> files = new ArrayList<>();
    deltas.forEach(delta -> files.add(delta.files().get(partition)));
    return files;
  }

  /** Returns the files of a partition, after that of a full save. */
  List<String> files(String saved, int partition) {
    List<String> files = files(partition);
    files.add(0, saved);
    return files;
  }

  private DeltaRun and(Delta next) {
    List<Delta> all = new ArrayList<>(deltas);
    all.add(next);
    return new DeltaRun(partitions, all);
  }
}
