/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.ChangedBlocks;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.result.TablePublication;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.SparkNdException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Brings an online store to a state of a table, in steps. The store records each step when it
 * begins and when it ends, so that a publication that failed is completed by the next one.
 */
public final class TablePublisher {
  private static final String NAME = "[A-Za-z0-9_.-]+";

  private final SparkSession spark;
  private final StoredFeatures table;
  private final SinkStores stores;

  private TablePublisher(SparkSession spark, StoredFeatures table, SinkStores stores) {
    this.spark = spark;
    this.table = table;
    this.stores = stores;
  }

  /**
   * A state of a table.
   *
   * @param table the table, with the format of the state
   * @param head null if nothing was written
   */
  public record State(StoredFeatures table, @Nullable Snapshot head) {
    /** Returns the state of a table at a snapshot, if there is one. */
    public static State of(StoredFeatures table, OptionalLong snapshot) {
      return new State(table, table.snapshotOf(snapshot));
    }
  }

  /**
   * Publishes a state of a table.
   *
   * @param state returns the state at the time of the call. It is called after the store's position
   *     is known: a publication that waits for the store while another one publishes a later state
   *     would set it back
   * @param defaultName name of the publication if the sink has none
   * @throws io.sparknd.tensor.SparkNdException as {@link io.sparknd.table.FeatureTable#publish}
   */
  public static TablePublication run(
      SparkSession spark, Supplier<State> state, PublishSink sink, String defaultName) {
    Optional<SinkPosition> position =
        of(spark, state.get().table(), sink, defaultName).call(SinkStore::position);
    State now = state.get();
    return of(spark, now.table(), sink, defaultName).run(position, now.head());
  }

  private static TablePublisher of(
      SparkSession spark, StoredFeatures table, PublishSink sink, String defaultName) {
    String name = sink.name().orElse(defaultName);
    boolean hasDatabase = sink instanceof JdbcSink && name.indexOf('.') != name.lastIndexOf('.');
    if (!name.matches(NAME) || hasDatabase) {
      throw PublicationErrors.badName(name);
    }
    PublishedColumns columns = PublishedColumns.of(table, sink.values());
    return new TablePublisher(spark, table, new SinkStores(StoreAddress.of(sink), name, columns));
  }

  private TablePublication run(Optional<SinkPosition> before, @Nullable Snapshot head) {
    TableState target = TableState.of(head);
    Kind kind = Kind.UNCHANGED;
    PublishCounts sent = PublishCounts.NONE;
    Optional<SinkPosition> position = before;
    position.ifPresent(this::requireOurs);
    for (Optional<PublishStep> step = next(position, target);
        step.isPresent();
        step = next(position, target)) {
      StepResult result = run(position, step.get(), target);
      position = Optional.of(result.ended());
      sent = sent.plus(result.counts());
      kind = kind == Kind.FULL ? kind : result.kind();
    }
    OptionalLong snapshot = target.snapshot().map(OptionalLong::of).orElse(OptionalLong.empty());
    return new TablePublication(snapshot, kind, sent.upserted(), sent.deleted(), sent.bytes());
  }

  /**
   * Calls the store by a connection of its own: one that is idle while tasks send rows, for hours
   * perhaps, may be closed by the server or the network.
   */
  private <T> T call(Function<SinkStore, T> request) {
    try (SinkStore store = stores.open()) {
      return request.apply(store);
    }
  }

  private record StepResult(SinkPosition ended, PublishCounts counts, Kind kind) {}

  private void requireOurs(SinkPosition position) {
    if (!position.uuid().equals(table.table().uuid())) {
      throw PublicationErrors.otherTable(stores.name(), stores.address().shown(), position.table());
    }
  }

  /**
   * Returns the next step to a state; empty if the store has it. A step that did not end is run
   * again first: the store may have some of its rows, which are not among the changes from the
   * state before it to a third one.
   */
  private Optional<PublishStep> next(Optional<SinkPosition> position, TableState target) {
    Optional<PublishStep> all = Optional.of(PublishStep.full(target));
    if (position.isEmpty() || !position.get().columns().equals(stores.columns().text())) {
      return all;
    }
    Optional<PublishStep> pending = position.get().pending();
    if (pending.isPresent()) {
      boolean isKnown =
          pending.get().from().filter(from -> !from.isExpired(table.table())).isPresent()
              && !pending.get().to().isExpired(table.table());
      return isKnown ? pending : all;
    }
    TableState published = position.get().published().orElseThrow();
    if (published.equals(target)) {
      return Optional.empty();
    }
    return published.isExpired(table.table())
        ? all
        : Optional.of(new PublishStep(Optional.of(published), target));
  }

  /**
   * Runs a step. If it is of another target and fails at a row, that row may have been corrected
   * since, so all rows of the target are sent instead.
   */
  private StepResult run(Optional<SinkPosition> before, PublishStep step, TableState target) {
    ChangedBlocks changed = changed(step);
    SinkPosition begun = begin(before, step);
    try {
      return end(begun, send(changed, begun.epoch()));
    } catch (SparkNdException e) {
      if (step.to().equals(target) || !PublicationErrors.isOfRow(e)) {
        throw e;
      }
    }
    PublishStep full = PublishStep.full(target);
    changed = changed(full);
    SinkPosition again = begin(Optional.of(begun), full);
    return end(again, send(changed, again.epoch()));
  }

  private SinkPosition begin(Optional<SinkPosition> before, PublishStep step) {
    SinkPosition begun =
        new SinkPosition(
            table.name(),
            table.table().uuid(),
            before.map(SinkPosition::epoch).orElseGet(TablePublisher::firstEpoch) + 1,
            before.flatMap(SinkPosition::published),
            Optional.of(step),
            before
                .map(position -> stores.columns().textAfter(position.columns()))
                .orElse(stores.columns().text()));
    requireFirst(call(store -> store.begin(before, begun)));
    return begun;
  }

  private StepResult end(SinkPosition begun, PublishCounts counts) {
    boolean isFull = begun.pending().orElseThrow().from().isEmpty();
    PublishCounts sent = counts;
    if (isFull) {
      long older = call(store -> store.deleteOlder(begun.epoch()));
      requireFirst(older >= 0);
      sent = sent.plus(new PublishCounts(0, older, 0));
    }
    SinkPosition ended = begun.ended(stores.columns().text());
    requireFirst(call(store -> store.end(ended)));
    return new StepResult(ended, sent, isFull ? Kind.FULL : Kind.CHANGES);
  }

  private void requireFirst(boolean isFirst) {
    if (!isFirst) {
      throw PublicationErrors.overtaken(stores.name(), stores.address().shown());
    }
  }

  /**
   * Returns a number that an earlier publication under the name, whose position is lost, had not.
   */
  private static long firstEpoch() {
    return System.currentTimeMillis() << 10 | ThreadLocalRandom.current().nextInt(1 << 10);
  }

  private ChangedBlocks changed(PublishStep step) {
    Table iceberg = table.table();
    String name = table.name();
    @Nullable Snapshot from = step.from().map(state -> state.in(iceberg, name)).orElse(null);
    return ChangedBlocks.between(table, from, step.to().in(iceberg, name));
  }

  private PublishCounts send(ChangedBlocks changed, long epoch) {
    if (changed.pairs().isEmpty()) {
      return PublishCounts.NONE;
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<StoredFeatures> toTasks = context.broadcast(changed.table().forTasks(spark));
    try {
      PublishTask task = new PublishTask(toTasks, changed.unchangedUntil(), stores, epoch);
      return changed
          .distribute(context)
          .mapPartitions(task::run)
          .fold(PublishCounts.NONE, PublishCounts::plus);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(toTasks);
    }
  }
}
