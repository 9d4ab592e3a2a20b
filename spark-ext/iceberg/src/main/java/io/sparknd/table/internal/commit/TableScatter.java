/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.shuffle.ShuffledUpdates;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.ScatterStage;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.commit.CommitLoop.IfEmpty;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.StoredFormat;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Applies scatters to a table in one commit. */
public final class TableScatter {
  private final SparkSession spark;
  private final StoredTensor tensor;
  private final CommitTarget target;
  private final List<StagedScatter> updates;
  private final CommitId id;
  private final IfChanged ifChanged;

  /**
   * Prepares a commit.
   *
   * @param updates one or more scatters, applied in order
   * @param batchId if set, a second commit of the same batch does nothing
   */
  public TableScatter(
      SparkSession spark,
      StoredTensor tensor,
      CommitTarget target,
      List<StagedScatter> updates,
      Optional<String> batchId,
      IfChanged ifChanged) {
    this.spark = spark;
    this.tensor = tensor;
    this.target = target;
    this.updates = updates;
    this.id = new CommitId(UUID.randomUUID().toString(), batchId);
    this.ifChanged = ifChanged;
  }

  /**
   * Runs the jobs and commits.
   *
   * @throws io.sparknd.tensor.SparkNdException if the updates do not match the tensor, or a row is
   *     rejected; in these cases the table does not change
   */
  public TableCommit run() {
    return new CommitLog("scatter", tensor, target, id).run(spark, this::commit);
  }

  private TableCommit commit() {
    tensor.refresh();
    OptionalLong earlier = id.replayed(tensor, target);
    if (earlier.isPresent()) {
      return replayed(earlier.getAsLong());
    }
    ShrunkAxis.requireWithin(tensor, target);
    BlockFilePlan planning = BlockFilePlan.begin(tensor, target);
    int partitions = partitions();
    List<ShuffledUpdates> sent = updates.stream().map(update -> sent(update, partitions)).toList();
    sent.forEach(ShuffledUpdates::runMapSide);
    TableScatterJob job =
        new TableScatterJob(spark, tensor, sent, stages(sent), id.operation(), kernel(), ifChanged);
    SnapshotCommit commit = (base, blocks) -> update(base, blocks, sent);
    CommitLoop loop = new CommitLoop(tensor, target, id, planning, job, commit);
    return switch (loop.run(id.batch().isEmpty() ? IfEmpty.SKIP : IfEmpty.COMMIT)) {
      case COMMITTED -> committed(loop.result(count(sent), dropped(sent)));
      case REPLAYED -> replayed(id.replayed(tensor, target).getAsLong());
      case NOTHING_TO_DO -> nothingLeft(sent);
      case OUTDATED -> reopened().commit();
    };
  }

  /** Returns the same scatter into the table as it is now, if it still has the tensor's columns. */
  private TableScatter reopened() {
    StoredTensor now = TableCatalogs.toWrite(spark, tensor.name());
    return new TableScatter(spark, now, target, updates, id.batch(), ifChanged);
  }

  static TableCommit committed(TableCommit did) {
    SparkNdMetric.TABLE_COMMITS.add(1);
    SparkNdMetric.TABLE_UPDATES.add(did.updates());
    SparkNdMetric.TABLE_DROPPED.add(did.dropped());
    SparkNdMetric.TABLE_ROWS.add(did.rows());
    SparkNdMetric.TABLE_BYTES.add(did.bytesWritten());
    return did;
  }

  static TableCommit replayed(long snapshot) {
    SparkNdMetric.TABLE_REPLAYS.add(1);
    return TableCommit.none(Outcome.REPLAYED, snapshot);
  }

  /** Returns the result if there are no updates or none is in bounds. */
  static TableCommit nothingLeft(@Nullable Long head, long updates, long dropped) {
    SparkNdMetric.TABLE_DROPPED.add(dropped);
    return TableCommit.none(Outcome.EMPTY, head == null ? -1 : head).of(updates, dropped);
  }

  private TableCommit nothingLeft(List<ShuffledUpdates> sent) {
    Long head = target.headId(tensor.table());
    return nothingLeft(head, count(sent), dropped(sent));
  }

  private SnapshotUpdate<?> update(
      @Nullable Long base, Collection<BlockResult> blocks, List<ShuffledUpdates> sent) {
    Map<String, String> summary = summary(base, blocks.size());
    summary.putAll(SnapshotProperties.counts(count(sent), dropped(sent)));
    return new BlockDelta(tensor, target, base, blocks, summary, id.batch()).update();
  }

  private ShuffledUpdates sent(StagedScatter update, int partitions) {
    ShuffledUpdates.Target target =
        new ShuffledUpdates.Target(
            spark, tensor.format().rows().dtype(), tensor.format().rows().shape(), kernel());
    // a commit after a conflict must write the same updates
    return ShuffledUpdates.of(
        target.readAgain(),
        update.how(),
        update.rows(),
        update.columns(),
        slice -> pieces(slice, partitions));
  }

  private Pieces pieces(long slice, int partitions) {
    StoredFormat format = tensor.format();
    long row = format.rows().slice().elements();
    long piece = Math.min(slice, row);
    long rows = TaskCounts.consecutiveBlocks(tensor, partitions) * format.perBlock();
    return new Pieces(
        new CyclicBlockPartitioner(partitions, rows).inParts(row / piece),
        slice / piece,
        (int) piece * format.rows().dtype().units());
  }

  private List<ScatterStage> stages(List<ShuffledUpdates> sent) {
    int units = tensor.format().rows().units();
    return IntStream.range(0, sent.size())
        .mapToObj(
            i ->
                new ScatterStage(
                    updates.get(i).how(),
                    sent.get(i).pieces(),
                    units / sent.get(i).pieces().units()))
        .toList();
  }

  /** Returns the number of tasks; each processes its blocks sequentially. */
  private int partitions() {
    long bytes = updates.stream().mapToLong(TaskCounts::estimate).sum();
    return TaskCounts.partitions(spark, bytes, tensor.format());
  }

  private String kernel() {
    return SparkNdSetting.KERNEL.in(spark);
  }

  private Map<String, String> summary(@Nullable Long base, int blocks) {
    Map<String, String> summary = new TreeMap<>(BatchIds.summary(tensor.table(), base));
    summary.put(SnapshotProperties.OPERATION, id.operation());
    summary.put(SnapshotProperties.BLOCKS, Integer.toString(blocks));
    summary.put(
        SnapshotProperties.REDUCTION,
        updates.stream()
            .map(update -> update.how().reduction().toString())
            .collect(Collectors.joining(",")));
    id.batch().ifPresent(batch -> summary.put(SnapshotProperties.BATCH_ID, batch));
    return summary;
  }

  private static long dropped(List<ShuffledUpdates> sent) {
    return sent.stream()
        .map(each -> each.accumulator().value())
        .mapToLong(ScatterMetrics::dropped)
        .sum();
  }

  private static long count(List<ShuffledUpdates> sent) {
    return sent.stream().mapToLong(each -> each.accumulator().value().updates()).sum();
  }
}
