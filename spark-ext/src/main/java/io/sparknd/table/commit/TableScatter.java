/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.cluster.ScatterMetrics;
import io.sparknd.cluster.fold.SentUpdates;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.InTurn;
import io.sparknd.table.IfChanged;
import io.sparknd.table.TableCommit;
import io.sparknd.table.TableCommit.Outcome;
import io.sparknd.table.block.BlockResult;
import io.sparknd.table.block.Part;
import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.StoredFormat;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.NdErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scatters into a table, in one commit. */
public final class TableScatter {
  private static final Logger LOG = LoggerFactory.getLogger(TableScatter.class);
  private static final int MOST_ATTEMPTS = 200;

  private final SparkSession spark;
  private final StoredTensor tensor;
  private final List<Update> updates;
  private final Optional<String> batchId;
  private final IfChanged ifChanged;
  private final String operation = UUID.randomUUID().toString();
  private final Map<Long, BlockResult> done = new TreeMap<>();

  /**
   * @param updates one or more, which apply one after the other
   * @param batchId makes a second commit of the same batch do nothing
   */
  public TableScatter(
      SparkSession spark,
      StoredTensor tensor,
      List<Update> updates,
      Optional<String> batchId,
      IfChanged ifChanged) {
    this.spark = spark;
    this.tensor = tensor;
    this.updates = updates;
    this.batchId = batchId;
    this.ifChanged = ifChanged;
  }

  /**
   * Runs the jobs and commits.
   *
   * @throws io.sparknd.tensor.SparkNdException if the updates do not go with the tensor, or a row
   *     is refused; the table is as it was then
   */
  public TableCommit run() {
    tensor.table().refresh();
    Optional<TableCommit> replayed = replayed();
    if (replayed.isPresent()) {
      return replayed.get();
    }
    List<SentUpdates> sent = updates.stream().map(this::sent).toList();
    sent.forEach(SentUpdates::runMapSide);
    BlockJob job = new BlockJob(spark, tensor, sent, parts(sent), operation, kernel());
    boolean isKept = false;
    try {
      TableCommit commit = commit(job, sent);
      isKept = commit.outcome() == Outcome.COMMITTED;
      return commit;
    } catch (CommitStateUnknownException e) {
      isKept = true; // it may yet hold
      throw NdErrors.commitUnknown(tensor.name(), e);
    } finally {
      discard(job.written(), isKept ? files() : Set.of());
    }
  }

  private TableCommit commit(BlockJob job, List<SentUpdates> sent) {
    Map<Long, BlockFiles> read = Map.of();
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      Long base = current();
      Map<Long, BlockFiles> files =
          attempt == 1 ? tensor.files(base) : tensor.files(base, tensor.spanning(done.keySet()));
      Set<Long> again = attempt == 1 ? null : changed(read, files);
      if (again == null || !again.isEmpty()) {
        job.run(files, again).forEach(result -> done.put(result.block(), result));
      }
      read = files;
      if (done.isEmpty() && batchId.isEmpty()) {
        return TableCommit.none(Outcome.EMPTY, base == null ? -1 : base);
      }
      try {
        new Delta(tensor, base, done.values(), summary(sent), batchId).commit();
        return result(sent, attempt);
      } catch (ValidationException | CommitFailedException e) {
        LOG.info("{}: commit {} lost a race: {}", tensor.name(), attempt, e.getMessage());
        Backoff.pause(attempt);
        tensor.table().refresh();
        Optional<TableCommit> replayed = replayed();
        if (replayed.isPresent()) {
          return replayed.get();
        }
      }
    }
    throw NdErrors.commitLost(tensor.name(), MOST_ATTEMPTS);
  }

  private Optional<TableCommit> replayed() {
    OptionalLong snapshot =
        batchId.map(id -> BatchIds.find(tensor.table(), id)).orElse(OptionalLong.empty());
    return snapshot.isPresent()
        ? Optional.of(TableCommit.none(Outcome.REPLAYED, snapshot.getAsLong()))
        : Optional.empty();
  }

  /** Blocks that are done, but on files that are no longer theirs. */
  private Set<Long> changed(Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    return done.keySet().stream()
        .filter(block -> !filesOf(block, before).isSameAs(filesOf(block, now)))
        .collect(Collectors.toSet());
  }

  private static BlockFiles filesOf(long block, Map<Long, BlockFiles> files) {
    return files.getOrDefault(block, BlockFiles.none(block));
  }

  private Long current() {
    Snapshot snapshot = tensor.table().currentSnapshot();
    return snapshot == null ? null : snapshot.snapshotId();
  }

  private SentUpdates sent(Update update) {
    SentUpdates.Target target =
        new SentUpdates.Target(
            spark, tensor.format().rows().dtype(), tensor.format().rows().shape(), kernel());
    int partitions = partitions();
    return SentUpdates.of(
        target,
        update.how(),
        update.rows(),
        update.columns(),
        slice -> pieces(tensor.format(), slice, partitions));
  }

  private static Pieces pieces(StoredFormat format, long slice, int partitions) {
    long row = format.rows().slice().elements();
    long piece = Math.min(slice, row);
    return new Pieces(
        new InTurn(partitions, format.perBlock()).inParts(row / piece),
        slice / piece,
        (int) piece * format.rows().dtype().units());
  }

  private List<Part> parts(List<SentUpdates> sent) {
    int units = tensor.format().rows().units();
    return java.util.stream.IntStream.range(0, sent.size())
        .mapToObj(
            i ->
                new Part(
                    updates.get(i).how(),
                    sent.get(i).pieces(),
                    units / sent.get(i).pieces().units()))
        .toList();
  }

  /** Tasks, of which each takes its blocks one after the other. */
  private int partitions() {
    long bytes = updates.stream().mapToLong(Sizes::estimate).sum();
    return Sizes.partitions(spark, bytes, tensor.format());
  }

  private String kernel() {
    return spark.conf().get("spark.sparknd.kernel", "auto");
  }

  private Map<String, String> summary(List<SentUpdates> sent) {
    Map<String, String> summary = new TreeMap<>();
    summary.put("sparknd.operation", operation);
    summary.put("sparknd.updates", Long.toString(count(sent)));
    summary.put("sparknd.blocks", Integer.toString(done.size()));
    summary.put(
        "sparknd.reduction",
        updates.stream()
            .map(update -> update.how().reduction().toString())
            .collect(Collectors.joining(",")));
    batchId.ifPresent(id -> summary.put(BatchIds.SUMMARY, id));
    return summary;
  }

  private static long count(List<SentUpdates> sent) {
    return sent.stream().mapToLong(each -> each.tallies().value().updates()).sum();
  }

  private TableCommit result(List<SentUpdates> sent, int attempts) {
    return new TableCommit(
        current(),
        Outcome.COMMITTED,
        count(sent),
        sent.stream().map(each -> each.tallies().value()).mapToLong(ScatterMetrics::dropped).sum(),
        done.values().stream().mapToLong(BlockResult::rows).sum(),
        done.size(),
        files().size(),
        done.values().stream().mapToLong(block -> block.replaced().size()).sum(),
        done.values().stream().mapToLong(BlockResult::bytes).sum(),
        attempts);
  }

  /** The files that the commit adds. */
  private Set<String> files() {
    Set<String> files = new HashSet<>();
    for (BlockResult block : done.values()) {
      block.added().forEach(file -> files.add(file.location()));
      block.vectors().forEach(file -> files.add(file.location()));
    }
    return files;
  }

  private void discard(List<String> written, Set<String> kept) {
    for (String location : written) {
      if (!kept.contains(location)) {
        try {
          tensor.table().io().deleteFile(location);
        } catch (RuntimeException e) {
          LOG.warn("{} could not be deleted; expire() will", location, e);
        }
      }
    }
  }
}
