/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one partition of a saved table.
 *
 * @param base file of the full save
 * @param deltas files of the deltas, in order
 */
record PartitionFiles(String base, List<Delta> deltas) implements Serializable {
  PartitionFiles {
    deltas = List.copyOf(deltas);
  }

  /**
   * A file of a delta.
   *
   * @param since steps of the table at the previous checkpoint
   */
  record Delta(String file, long since) implements Serializable {}

  /** Returns the files of each partition. */
  static List<PartitionFiles> of(SavedEmbedding.Manifest base, List<SavedDelta> deltas) {
    List<PartitionFiles> files = new ArrayList<>();
    for (int i = 0; i < base.files().size(); i++) {
      int partition = i;
      files.add(
          new PartitionFiles(
              base.files().get(i),
              deltas.stream().map(delta -> file(delta.content(), partition)).toList()));
    }
    return files;
  }

  private static Delta file(SavedDelta.Content delta, int partition) {
    return new Delta(delta.table().files().get(partition), delta.since());
  }
}
