/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.ClosureBytes;
import io.sparknd.cluster.internal.spark.JointTasks;
import io.sparknd.cluster.internal.spark.JointTasks.Inputs;
import io.sparknd.cluster.internal.spark.TaskTeam;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.OwnerTask;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.ShardSteps;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import scala.Tuple2;

/**
 * A task of a {@link LocalRun}: together with the others it takes steps until the time of the run
 * is over, and returns the partitions with its number. Shards and owners of rows do what they do in
 * the stages of a {@link ShuffleLoop}, and get the same messages in the same order.
 *
 * @param ownTables {@code tables}, to read for each partition: it has optimizers of its own, as in
 *     other tasks
 * @param function the {@link ShardFunction}, to read for each shard
 * @param step first step of the run
 * @param previous whether the version that the run begins with remains readable
 */
record LocalTask<B>(
    long run,
    List<TrainedTable> tables,
    MessageKeys keys,
    byte[] ownTables,
    byte[] function,
    long step,
    StepRanges jobs,
    PreviousVersion previous)
    implements JointTasks.Task<EmbeddingPartition, BatchShard<B>, EmbeddingPartition> {

  @Override
  public List<List<Partition>> parents() {
    return LocalRun.of(run).parents();
  }

  @Override
  public Iterator<EmbeddingPartition> call(
      int partition, Inputs<EmbeddingPartition> version, Inputs<BatchShard<B>> shards) {
    LocalRun shared = LocalRun.of(run);
    shared.team().run(TaskContext.get(), member -> new Work(shared, member, version, shards).run());
    return shared.partition(partition).iterator();
  }

  /** The work of one member of the team. */
  private final class Work {
    private final LocalRun shared;
    private final TaskTeam.Member member;
    private final Inputs<EmbeddingPartition> version;
    private final Inputs<BatchShard<B>> shards;
    private final long gradientBytes = OwnerTask.gradientBytes(tables.size());

    Work(
        LocalRun shared,
        TaskTeam.Member member,
        Inputs<EmbeddingPartition> version,
        Inputs<BatchShard<B>> shards) {
      this.shared = shared;
      this.member = member;
      this.version = version;
      this.shards = shards;
    }

    void run() {
      member.own(shards.count(), i -> shared.setShard(i, shard(i)));
      member.any(version.count(), i -> shared.begin(i, begin(i), ownTables()));
      StepRange now = new StepRange(step, 0);
      StepRange next = jobs.at(step);
      boolean goesOn = true;
      while (goesOn) {
        compute(now, next);
        // read here: the first member decides again when all have ended the next phase
        StepRange following = Objects.requireNonNull(shared.following());
        goesOn = next.count() > 0 && shared.isFitting();
        apply(now, goesOn);
        now = next;
        next = following;
      }
    }

    private LocalShard<B> shard(int number) {
      ShardFunction<B> own = ClosureBytes.read(function, ShardFunction.class);
      ShardSteps<B> steps = new ShardSteps<>(tables, own, number);
      return new LocalShard<>(
          tables, keys, steps, shards.elements(number).get(0), shared.buffers(number));
    }

    private List<TrainedTable> ownTables() {
      return ClosureBytes.read(ownTables, List.class);
    }

    private List<EmbeddingPartition> begin(int partition) {
      return previous == PreviousVersion.TAKEN
          ? version.taken(partition)
          : version.elements(partition).stream().map(EmbeddingPartition::shared).toList();
    }

    /** Computes the gradients of {@code now}, and requests the rows of {@code next}. */
    private void compute(StepRange now, StepRange next) {
      if (member.isFirst()) {
        shared.decideAfter(next, jobs);
      }
      member.own(
          shards.count(),
          i -> {
            LocalShard<?> shard = shared.shard(i);
            shared.toOwners().send(i, shard.messages(now, next, shared.losses()));
          });
    }

    /** Applies the gradients of {@code now}, and responds to requests if the run goes on. */
    private void apply(StepRange now, boolean responds) {
      member.any(
          version.count(),
          partition -> {
            List<Tuple2<BatchKey, ShuffleBatch>> messages = shared.toOwners().to(partition);
            if (now.count() > 0) {
              apply(now, partition, messages);
            }
            if (responds) {
              respond(shared.partition(partition), messages);
            }
          });
      if (member.isFirst() && now.count() > 0) {
        shared.completed(now);
      }
    }

    private void apply(
        StepRange now, int partition, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
      // only this run has the partitions that it made
      OwnerTask task =
          new OwnerTask(shared.tables(partition), keys, now.first(), PreviousVersion.TAKEN);
      Iterator<EmbeddingPartition> before = shared.partition(partition).iterator();
      shared.setPartition(partition, task.applied(before, messages.iterator(), gradientBytes));
    }

    /** Writes the rows that shards requested of one partition of each table. */
    private void respond(
        List<EmbeddingPartition> partitions, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
      List<RowReader> readers = new ArrayList<>();
      for (int i = 0; i < tables.size(); i++) {
        readers.add(tables.get(i).reader(partitions.get(i)));
      }
      for (Tuple2<BatchKey, ShuffleBatch> message : messages) {
        BatchKey key = message._1();
        if (keys.isRequest(key)) {
          int table = keys.table(key);
          float[] rows = shared.shard(keys.requester(key)).rows(table);
          readers.get(table).copy(OwnerTask.request(keys, message), rows);
        }
      }
    }
  }
}
