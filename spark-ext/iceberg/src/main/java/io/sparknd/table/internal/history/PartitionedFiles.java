/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.PartitionMap;

/**
 * Data files by partition spec and partition, to find those that deletes may apply to. Iceberg
 * keeps a delete as long as some data file of the table is older, in whatever partition.
 */
final class PartitionedFiles {
  private final Map<Integer, PartitionSpec> specs;
  private final Collection<DataFile> all;
  private final PartitionMap<List<DataFile>> byPartition;

  PartitionedFiles(Map<Integer, PartitionSpec> specs, Collection<DataFile> all) {
    this.specs = specs;
    this.all = all;
    this.byPartition = PartitionMap.create(specs);
    for (DataFile file : all) {
      byPartition.computeIfAbsent(file.specId(), file.partition(), ArrayList::new).add(file);
    }
  }

  /** Returns whether a data file has the spec and the partition of a delete. */
  boolean hasPartitionOf(DeleteFile delete) {
    return byPartition.containsKey(delete.specId(), delete.partition());
  }

  private List<DataFile> inPartitionOf(DeleteFile delete) {
    List<DataFile> found = byPartition.get(delete.specId(), delete.partition());
    return found == null ? List.of() : found;
  }

  /**
   * Returns the data files whose rows equality deletes may apply to: older ones of the same
   * partition, or of all partitions if the spec of the deletes has none.
   */
  Stream<DataFile> matchedBy(DeleteFile equalityDeletes) {
    boolean isOfAll = Objects.requireNonNull(specs.get(equalityDeletes.specId())).isUnpartitioned();
    Collection<DataFile> files = isOfAll ? all : inPartitionOf(equalityDeletes);
    return files.stream()
        .filter(file -> file.dataSequenceNumber() < equalityDeletes.dataSequenceNumber());
  }
}
