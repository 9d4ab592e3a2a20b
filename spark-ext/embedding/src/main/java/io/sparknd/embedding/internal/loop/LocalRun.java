/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.spark.JointTasks;
import io.sparknd.cluster.internal.spark.TaskTeam;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.LossAccumulator;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.Partition;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of one job of a {@link LocalLoop} have in common. Each field is written in phases
 * in which nobody else reads it; {@link TaskTeam} separates these.
 */
public final class LocalRun {
  /** The runs of this JVM. */
  private static final Map<Long, LocalRun> RUNS = new ConcurrentHashMap<>();

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final TaskTeam team;
  private final LocalLimits limits;
  private final List<List<Partition>> parents;
  private final LocalBuffers buffers;
  private final List<List<EmbeddingPartition>> partitions;
  private final List<List<TrainedTable>> tables;
  private final LocalShard<?>[] shards;
  private final PhaseMessages toOwners;
  private final LossAccumulator losses = LossAccumulator.inMemory();
  private final List<Completed> completed = new ArrayList<>();
  private @Nullable StepRange following;
  private boolean isFitting = true;

  /** When the first step began; 0 before. */
  private long begun;

  /** A job that all partitions have applied. */
  private record Completed(StepRange steps, long nanoTime) {}

  private LocalRun(
      TaskTeam team, LocalLimits limits, LocalBuffers buffers, List<List<Partition>> parents) {
    int partitions = parents.get(0).size();
    int shards = parents.get(1).size();
    this.parents = parents;
    this.buffers = buffers;
    this.team = team;
    this.limits = limits;
    this.toOwners = new PhaseMessages(shards);
    this.partitions = new ArrayList<>(Collections.nCopies(partitions, List.of()));
    this.tables = new ArrayList<>(Collections.nCopies(partitions, List.of()));
    this.shards = new LocalShard<?>[shards];
  }

  /**
   * Returns a new run, until {@link #end} is called.
   *
   * @param buffers those of the runs before
   * @param parents see {@link JointTasks.Task#parents}
   */
  static LocalRun begun(
      TaskTeam team, LocalLimits limits, LocalBuffers buffers, List<List<Partition>> parents) {
    LocalRun run = new LocalRun(team, limits, buffers, parents);
    RUNS.put(run.number, run);
    return run;
  }

  /** Returns a run that has not ended. */
  static LocalRun of(long number) {
    LocalRun run = RUNS.get(number);
    if (run == null) {
      throw new IllegalStateException(
          "a version whose training has ended cannot be computed again");
    }
    return run;
  }

  /** Returns the number of runs that have not ended. */
  public static int runs() {
    return RUNS.size();
  }

  /** Ends the run, and the tasks that still work at it. */
  void end(Exception cause) {
    RUNS.remove(number);
    team.stop(cause);
  }

  long number() {
    return number;
  }

  TaskTeam team() {
    return team;
  }

  /** Returns the buffers of a shard. */
  ShardBuffers buffers(int shard) {
    return buffers.byShard().get(shard);
  }

  /** Returns the partitions of the version that the run begins with, and of the shards. */
  List<List<Partition>> parents() {
    return parents;
  }

  /** Returns the messages of shards to the owners of rows. */
  PhaseMessages toOwners() {
    return toOwners;
  }

  LossAccumulator losses() {
    return losses;
  }

  /** Sets the partitions with a number that the run begins with, and who updates their rows. */
  void begin(int index, List<EmbeddingPartition> before, List<TrainedTable> own) {
    partitions.set(index, before);
    tables.set(index, own);
  }

  List<TrainedTable> tables(int index) {
    return tables.get(index);
  }

  List<EmbeddingPartition> partition(int index) {
    return partitions.get(index);
  }

  void setPartition(int index, List<EmbeddingPartition> partition) {
    partitions.set(index, partition);
  }

  LocalShard<?> shard(int number) {
    return shards[number];
  }

  void setShard(int number, LocalShard<?> shard) {
    shards[number] = shard;
  }

  /** Decides what comes after {@code next}: nothing if the time is over. */
  void decideAfter(StepRange next, StepRanges jobs) {
    long now = System.nanoTime();
    begun = begun == 0 ? now : begun; // tasks may have waited for other jobs
    boolean isOver = now - begun > limits.nanos();
    following = isOver ? new StepRange(next.end(), 0) : jobs.at(next.end());
    long bytes =
        partitions.stream()
            .flatMap(List::stream)
            .mapToLong(EmbeddingPartition::estimatedSize)
            .sum();
    isFitting = bytes <= limits.partitionBytes();
  }

  /** Returns what was decided. */
  @Nullable StepRange following() {
    return following;
  }

  /** Returns whether the rows of the tables, and those that shards requested, fit into memory. */
  boolean isFitting() {
    return isFitting && !buffers.budget().isExceeded();
  }

  void completed(StepRange steps) {
    completed.add(new Completed(steps, System.nanoTime()));
  }

  /** Returns the number of completed steps. */
  long steps() {
    return completed.stream().mapToLong(job -> job.steps().count()).sum();
  }

  /** Reports the completed jobs. */
  void report(TrainingLoop.Progress progress) {
    Map<Long, LossSum> byStep = losses.value();
    completed.forEach(job -> progress.completed(job.steps(), byStep, job.nanoTime()));
  }
}
