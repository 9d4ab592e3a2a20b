/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.keyed.BlockPair;
import io.sparknd.table.internal.keyed.FeatureChanges;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.TableRefresh;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that differ between the states of a table at two offsets. The offsets alone say
 * what a micro-batch has, so that a query which runs it again gets the same rows.
 */
final class ChangesStream implements MicroBatchStream, SupportsTriggerAvailableNow {
  private final SparkSession spark;
  private final OpenedTable table;
  private final ChangesOptions options;
  private final StructType rows;
  private @Nullable SnapshotOffset last;

  /**
   * @param spark the session of the query
   * @param table the table, opened by that session
   * @param rows the columns that the query has
   */
  ChangesStream(SparkSession spark, OpenedTable table, ChangesOptions options, StructType rows) {
    this.spark = spark;
    this.table = table;
    this.options = options;
    this.rows = rows;
  }

  private SnapshotOffset head() {
    OptionalLong head = table.snapshot();
    Snapshot at = head.isEmpty() ? null : table.iceberg().snapshot(head.getAsLong());
    return new SnapshotOffset(head, new FeatureChanges(spark, table.keyed(at)).identities());
  }

  @Override
  public Offset initialOffset() {
    return new SnapshotOffset(options.since(table), Map.of());
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    last = head();
  }

  @Override
  public Offset latestOffset() {
    return last == null ? head() : last;
  }

  /**
   * Checks columns here, too: the offset that it returns is in the checkpoint before it is used.
   */
  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    SnapshotOffset now = head();
    ((SnapshotOffset) start).requireColumns(table.name(), now);
    return last == null ? now : last;
  }

  @Override
  public Offset deserializeOffset(String json) {
    return SnapshotOffset.parse(table.name(), json);
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    Table iceberg = table.iceberg();
    TableRefresh.run(table.name(), iceberg);
    Snapshot before = ((SnapshotOffset) start).of(iceberg, table.name());
    Snapshot after = ((SnapshotOffset) end).of(iceberg, table.name());
    FeatureChanges changes = new FeatureChanges(spark, table.keyed(after));
    if (!changes.schema().equals(rows)) {
      throw FeatureErrors.changesColumns(
          table.name(), changes.schema().catalogString(), rows.catalogString());
    }
    SnapshotOffset now = new SnapshotOffset(OptionalLong.empty(), changes.identities());
    for (Offset offset : List.of(start, end)) {
      ((SnapshotOffset) offset).requireColumns(table.name(), now);
    }
    return changes.plan(before, after).map(this::partitions).orElse(new InputPartition[0]);
  }

  private InputPartition[] partitions(FeatureChanges.Plan plan) {
    int count = Math.min(plan.blocks().size(), 4 * ClusterCores.of(spark));
    List<InputPartition> partitions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<BlockPair> own = new ArrayList<>();
      for (int block = i; block < plan.blocks().size(); block += count) {
        own.add(plan.blocks().get(block));
      }
      partitions.add(new ChangesPartition(plan.task(), own));
    }
    return partitions.toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new ChangesPartition.Factory();
  }

  @Override
  public void commit(Offset end) {
    // the checkpoint holds the position
  }

  @Override
  public void stop() {
    // nothing is open
  }
}
