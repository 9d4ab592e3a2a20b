/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.exchange.ReceivedMessages;
import io.sparknd.cluster.internal.exchange.TaskExchange;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.BarrierTasks;
import io.sparknd.cluster.internal.spark.BarrierTasks.Own;
import io.sparknd.cluster.internal.spark.ClosureBytes;
import io.sparknd.cluster.internal.spark.StoredPartitions;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.internal.step.LossAccumulator;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.PayloadBuffers;
import io.sparknd.embedding.internal.step.RowResponses;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.ShardSteps;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * A task of a job of a {@link BarrierLoop}: it has some of the shards and some of the partitions,
 * takes all steps of the job with them, exchanges rows and gradients with the other tasks, and
 * stores its partitions of the last version. Shards and owners of rows do what they do in the
 * stages of a {@link ShuffleLoop}, and get the same messages in the same order.
 *
 * @param ownTables {@code tables}, to read for each partition: it has optimizers of its own, as in
 *     other tasks
 * @param function the {@link ShardFunction}, to read for each shard
 * @param first first step of the job
 * @param jobs the steps that shards take with the same rows, up to the last one of the training
 * @param time for how long to take steps
 * @param result id of the RDD of the last version
 */
record BarrierTask<B>(
    List<TrainedTable> tables,
    MessageKeys keys,
    byte[] ownTables,
    byte[] function,
    long first,
    StepRanges jobs,
    BarrierJobTime time,
    LossAccumulator losses,
    int result,
    StorageLevel level)
    implements BarrierTasks.Task<EmbeddingPartition, BatchShard<B>, StepTimes> {

  @Override
  public StepTimes call(Own<EmbeddingPartition> version, Own<BatchShard<B>> shards) {
    try (TaskExchange exchange = TaskExchange.joined()) {
      return new Work(exchange, version, shards).run();
    }
  }

  /** The work of one task. */
  private final class Work {
    private final TaskExchange exchange;
    private final Map<Integer, OwnedPartition> partitions = new TreeMap<>();
    private final Map<Integer, LocalShard<B>> shards = new TreeMap<>();
    private final Storage storage = RowResponses.storage(tables);
    private final BarrierLimits limits;
    private final RowBudget budget;
    private final PayloadBuffers responses = new PayloadBuffers();
    private final StepTimes times = new StepTimes();
    private final BarrierJobClock clock = new BarrierJobClock(jobs, time, times);

    Work(TaskExchange exchange, Own<EmbeddingPartition> version, Own<BatchShard<B>> shards) {
      this.exchange = exchange;
      this.limits = BarrierLimits.of(exchange.membersHere());
      this.budget = new RowBudget(limits.rowBytes());
      for (int number : version.numbers()) {
        List<TrainedTable> own = ClosureBytes.read(ownTables, List.class);
        partitions.put(number, new OwnedPartition(own, keys, version.elements(number)));
      }
      for (int number : shards.numbers()) {
        this.shards.put(number, shard(number, shards.elements(number).get(0)));
      }
    }

    private LocalShard<B> shard(int number, BatchShard<B> batches) {
      ShardFunction<B> own = ClosureBytes.read(function, ShardFunction.class);
      ShardSteps<B> steps = new ShardSteps<>(tables, own, number);
      return new LocalShard<>(
          tables, keys, steps, batches, new ShardBuffers(tables.size(), budget));
    }

    StepTimes run() {
      StepRange now = new StepRange(first, 0);
      StepRange next = jobs.at(first);
      while (now.count() + next.count() > 0) {
        compute(now, next);
        int note = apply(now, next);
        now = next;
        next = clock.after(now, note);
      }
      exchange.awaitDelivery();
      partitions.forEach(this::store);
      return times.ended();
    }

    private void store(int number, OwnedPartition partition) {
      TaskContext.get().killTaskIfInterrupted(); // else nobody releases it
      StoredPartitions.store(result, level, number, partition.version());
    }

    private long bytes() {
      return partitions.values().stream().mapToLong(OwnedPartition::bytes).sum();
    }

    private void requireMemory(long bytes) {
      if (bytes > limits.partitionBytes() || budget.isExceeded()) {
        throw new IllegalStateException("the rows take too much memory for a barrier job");
      }
    }

    /** Sends the gradients of {@code now}, and the requests for the rows of {@code next}. */
    private void compute(StepRange now, StepRange next) {
      List<Tuple2<BatchKey, ShuffleBatch>> messages = new ArrayList<>();
      shards.values().forEach(shard -> messages.addAll(shard.messages(now, next, losses)));
      long bytes = bytes();
      requireMemory(bytes);
      send(messages.stream().map(this::sent), Storage.FLOAT, clock.note(next, bytes));
    }

    /**
     * Returns a message; to other tasks, a request without the places where its shard reads rows.
     */
    private Tuple2<BatchKey, ShuffleBatch> sent(Tuple2<BatchKey, ShuffleBatch> message) {
      BatchKey key = message._1();
      if (!keys.isRequest(key) || partitions.containsKey(key.partition())) {
        return message;
      }
      ShuffleBatch request = message._2();
      return new Tuple2<>(
          key,
          new ShuffleBatch(
              request.storage(), request.count(), request.locals(), null, request.payload(), 0));
    }

    /**
     * Applies the gradients of {@code now}, and sends and receives the rows of {@code next}.
     * Returns the note with which these were requested.
     */
    private int apply(StepRange now, StepRange next) {
      ReceivedMessages all = exchange.received();
      Map<Integer, List<Tuple2<BatchKey, ShuffleBatch>>> received =
          all.messages().stream().collect(Collectors.groupingBy(each -> each._1().partition()));
      if (now.count() > 0) {
        partitions.forEach(
            (number, partition) ->
                partition.apply(now.first(), received.getOrDefault(number, List.of())));
        times.add();
      }
      if (next.count() > 0) {
        respond(received);
      }
      return all.note();
    }

    /** Sends the requested rows, and receives those that its own shards requested. */
    private void respond(Map<Integer, List<Tuple2<BatchKey, ShuffleBatch>>> requests) {
      responses.reuse(); // who requests more rows has copied those before
      send(
          partitions.entrySet().stream()
              .flatMap(
                  each ->
                      each.getValue()
                          .responses(
                              requests.getOrDefault(each.getKey(), List.of()),
                              shards,
                              storage,
                              responses)),
          storage,
          BarrierJobClock.GOES_ON);
      // while those are on their way
      partitions.forEach(
          (number, partition) ->
              partition.respond(requests.getOrDefault(number, List.of()), shards));
      for (Tuple2<BatchKey, ShuffleBatch> response : exchange.received().messages()) {
        Objects.requireNonNull(shards.get(response._1().partition()))
            .receive(response._1(), response._2());
      }
    }

    private void send(Stream<Tuple2<BatchKey, ShuffleBatch>> messages, Storage of, int note) {
      List<List<Tuple2<BatchKey, ShuffleBatch>>> byMember =
          Stream.generate(
                  () ->
                      (List<Tuple2<BatchKey, ShuffleBatch>>)
                          new ArrayList<Tuple2<BatchKey, ShuffleBatch>>())
              .limit(exchange.members())
              .toList();
      messages.forEach(
          message -> byMember.get(message._1().partition() % exchange.members()).add(message));
      exchange.send(byMember, of, note);
    }
  }
}
