/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.JointTasks;
import io.sparknd.cluster.internal.spark.JointTasks.Inputs;
import io.sparknd.cluster.internal.spark.TaskTeam;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.TaskContext;
import scala.Tuple2;

/**
 * A task of a {@link LocalRun}: together with the others it takes steps until the time of the run
 * is over, and returns the partitions with its number. Shards and owners of rows do what they do in
 * the stages of a {@link ShuffleLoop}, and get the same messages in the same order.
 *
 * @param step first step of the run
 * @param previous whether the version that the run begins with remains readable
 */
record LocalTask<B>(
    long run,
    List<TrainedTable> tables,
    MessageKeys keys,
    ShardFunction<B> function,
    long step,
    StepRanges jobs,
    PreviousVersion previous)
    implements JointTasks.Task<EmbeddingPartition, Batches.Shard<B>, EmbeddingPartition> {

  @Override
  public Iterator<EmbeddingPartition> call(
      int partition, Inputs<EmbeddingPartition> version, Inputs<Batches.Shard<B>> shards) {
    LocalRun shared = LocalRun.of(run);
    shared.team().run(TaskContext.get(), member -> new Work(shared, member, version, shards).run());
    return shared.partition(partition).iterator();
  }

  /** The work of one member of the team. */
  private final class Work {
    private final LocalRun shared;
    private final TaskTeam.Member member;
    private final Inputs<EmbeddingPartition> version;
    private final Inputs<Batches.Shard<B>> shards;
    private final Map<Integer, LocalShard<B>> ownShards = new HashMap<>();
    private final RowResponses responses =
        new RowResponses(tables, keys, RowResponses.storage(tables));

    Work(
        LocalRun shared,
        TaskTeam.Member member,
        Inputs<EmbeddingPartition> version,
        Inputs<Batches.Shard<B>> shards) {
      this.shared = shared;
      this.member = member;
      this.version = version;
      this.shards = shards;
    }

    void run() {
      member.own(
          shards.count(),
          i -> ownShards.put(i, new LocalShard<>(tables, function, shards.elements(i).get(0))));
      member.any(version.count(), i -> shared.setPartition(i, begin(i)));
      StepRange now = new StepRange(step, 0);
      StepRange next = jobs.at(step);
      PreviousVersion before = previous;
      boolean goesOn = true;
      while (goesOn) {
        compute(now, next);
        // read here: the first member decides again when all have ended the next phase
        StepRange following = Objects.requireNonNull(shared.following());
        goesOn = next.count() > 0 && shared.isFitting();
        apply(now, before, goesOn);
        before = PreviousVersion.TAKEN; // only this run has what it made
        now = next;
        next = following;
      }
    }

    private List<EmbeddingPartition> begin(int partition) {
      return previous == PreviousVersion.TAKEN
          ? version.taken(partition)
          : version.elements(partition);
    }

    /** Computes the gradients of {@code now}, and requests the rows of {@code next}. */
    private void compute(StepRange now, StepRange next) {
      if (member.isFirst()) {
        shared.decideAfter(next, jobs);
      }
      ShardTask<B> task = new ShardTask<>(tables, keys, function, now, next, shared.losses());
      member.own(
          shards.count(),
          shard -> {
            LocalShard<B> own = Objects.requireNonNull(ownShards.get(shard));
            List<Tuple2<BatchKey, ShuffleBatch>> messages =
                task.messages(shard, own.now(), () -> own.ahead(next), shared.toShards().to(shard));
            shared.requested(shard, requestedBytes(messages));
            shared.toOwners().send(shard, messages);
          });
    }

    private long requestedBytes(List<Tuple2<BatchKey, ShuffleBatch>> messages) {
      long bytes = 0;
      for (Tuple2<BatchKey, ShuffleBatch> message : messages) {
        BatchKey key = message._1();
        if (keys.isRequest(key)) {
          int dim = tables.get(keys.table(key)).layout().dim();
          bytes += (long) message._2().count() * dim * Float.BYTES;
        }
      }
      return bytes;
    }

    /** Applies the gradients of {@code now}, and responds to requests if the run goes on. */
    private void apply(StepRange now, PreviousVersion before, boolean responds) {
      OwnerTask task = new OwnerTask(tables, keys, now.first(), before);
      member.any(
          version.count(),
          partition -> {
            List<EmbeddingPartition> after =
                all(
                    task.call(
                        shared.partition(partition).iterator(), shared.toOwners().to(partition)));
            shared.setPartition(partition, after);
            shared
                .toShards()
                .send(partition, responds ? all(responses.call(after.iterator())) : List.of());
          });
      if (member.isFirst() && now.count() > 0) {
        shared.completed(now);
      }
    }

    private <T> List<T> all(Iterator<T> elements) {
      List<T> all = new ArrayList<>();
      elements.forEachRemaining(all::add);
      return all;
    }
  }
}
