/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.loop.TrainingLoop;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.metrics.TrainingMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One run of a training. It consists of legs, which end where a version is needed: at validations,
 * at checkpoints, and at the end. A leg has the bits of a training that resumes there, so stops
 * change nothing. Versions at stops are closed once the next one is computed, unless they are the
 * best.
 *
 * @param <V> a table or a model
 * @param <B> one shard's part of a mini-batch
 */
final class TrainingRun<V, B> {
  private static final double NANOS = 1e9;

  /** Commas, quotes and all line ends of Unicode. */
  private static final Pattern NOT_IN_CSV = Pattern.compile("[,\"\\v]");

  private final TrainingPlan<V> plan;
  private final VersionOperations<V> operations;
  private final Batches<B> batches;
  private final ShardFunction<B> function;
  private final V begin;
  private final @Nullable CheckpointStore<V> store;
  private final long end;
  private final long start = System.nanoTime();
  private final List<TrainedStep> done = new ArrayList<>();
  private final List<ValidatedStep> validations = new ArrayList<>();
  private V current;
  private @Nullable ValidatedVersion<V> best;

  private TrainingRun(
      TrainingPlan<V> plan,
      VersionOperations<V> operations,
      V begin,
      Batches<B> batches,
      ShardFunction<B> function,
      @Nullable CheckpointStore<V> store) {
    this.plan = plan;
    this.operations = operations;
    this.batches = batches;
    this.function = function;
    this.begin = begin;
    this.store = store;
    this.end = operations.steps(begin) + plan.steps();
    this.current = begin;
  }

  /** Runs a training from the beginning. */
  static <V, B> TrainingResult<V> run(
      TrainingPlan<V> plan,
      VersionOperations<V> operations,
      V begin,
      Batches<B> batches,
      ShardFunction<B> function) {
    plan.check();
    TrainingCheckpoints checkpoints = plan.checkpoints();
    CheckpointStore<V> store =
        checkpoints == null
            ? null
            : CheckpointStore.begun(operations, operations.spark(begin), checkpoints);
    TrainingRun<V, B> run = new TrainingRun<>(plan, operations, begin, batches, function, store);
    return run.closingOnFailure(run::trained);
  }

  /** Runs a training from its last checkpoint. */
  static <V, B> TrainingResult<V> resume(
      TrainingPlan<V> plan,
      VersionOperations<V> operations,
      V begin,
      Batches<B> batches,
      ShardFunction<B> function) {
    plan.check();
    TrainingCheckpoints checkpoints = plan.checkpoints();
    if (checkpoints == null) {
      throw TrainingErrors.noCheckpoints();
    }
    CheckpointStore<V> store =
        CheckpointStore.resumed(operations, operations.spark(begin), checkpoints);
    TrainingRun<V, B> run = new TrainingRun<>(plan, operations, begin, batches, function, store);
    return run.closingOnFailure(
        () -> {
          run.restore();
          return run.trained();
        });
  }

  /** Goes on from the last checkpoint, if there is one. */
  private void restore() {
    CheckpointStore<V> checkpoints = Objects.requireNonNull(store);
    CheckpointManifest last = checkpoints.last().orElse(null);
    if (last == null) {
      return;
    }
    if (last.begin() != operations.steps(begin) || last.steps() > end) {
      throw TrainingErrors.otherTraining(
          Objects.requireNonNull(plan.checkpoints()).directory(),
          "a table of " + last.begin() + " steps and has " + last.steps(),
          "from " + operations.steps(begin) + " to " + end + " steps");
    }
    boolean keepsBest = plan.best() == TrainingPlan.Best.KEPT;
    if (keepsBest && last.best() == null && !last.validations().isEmpty()) {
      throw TrainingErrors.noBestVersion(Objects.requireNonNull(plan.checkpoints()).directory());
    }
    current = checkpoints.load(last.table(), last.steps(), begin);
    validations.addAll(last.validations());
    if (keepsBest && last.best() != null) {
      ValidatedStep validated = ValidatedStep.best(validations);
      V version =
          last.best().equals(last.table())
              ? current
              : checkpoints.load(last.best(), validated.step() + 1, begin);
      best = new ValidatedVersion<>(version, validated);
    }
  }

  /** Returns a result; after a failure, which nothing hides, closes the versions of the run. */
  private TrainingResult<V> closingOnFailure(Supplier<TrainingResult<V>> run) {
    TrainingResult<V> result;
    try (JobDescription shown = operations.described(begin, "training")) {
      result = run.get();
    } catch (Throwable e) {
      released(this::closeOwn, e);
      plan.listeners().forEach(listener -> released(listener::ended, e));
      throw e;
    }
    endListeners();
    return result;
  }

  private static void released(Runnable release, Throwable failure) {
    try {
      release.run();
    } catch (Exception e) { // Spark throws undeclared checked ones
      failure.addSuppressed(e);
    }
  }

  /** Ends every listener. If one fails, closes the versions of the run: nobody gets its result. */
  private void endListeners() {
    List<Exception> failures = new ArrayList<>();
    for (TrainingListener listener : plan.listeners()) {
      try {
        listener.ended();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      Exception first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      released(this::closeOwn, first);
      throw SneakyThrow.thrown(first);
    }
  }

  private TrainingResult<V> trained() {
    while (operations.steps(current) < end && !isStopped()) {
      trainTo(plan.nextStop(operations.steps(current), end));
      atStop();
    }
    TrainingHistory history = new TrainingHistory(done, validations, seconds());
    return new TrainingResult<>(current, history, Optional.ofNullable(best));
  }

  private boolean isStopped() {
    return plan.stopping() != null && plan.stopping().isReached(validations);
  }

  private void trainTo(long stop) {
    try (TrainingLoop loop =
        TrainingLoop.of(operations, current, batches::shards, function, plan.jobsPerCut())) {
      loop.train(operations.steps(current), plan.jobs(stop), this::completed);
      V next = operations.next(current, loop.end(), stop, loop.versions());
      if (loop.isCutOff()) {
        operations.detach(current);
      }
      replace(next);
    }
  }

  private void completed(StepRange job, List<LossSum> losses, long nanoTime) {
    double seconds = (nanoTime - start) / NANOS;
    for (int i = 0; i < losses.size(); i++) {
      TrainedStep step = new TrainedStep(job.step(i), Loss.of(losses.get(i)), seconds);
      done.add(step);
      SparkNdMetric.TRAINING_STEPS.add(1);
      SparkNdMetric.TRAINING_EXAMPLES.add(step.loss().examples());
      plan.listeners().forEach(listener -> listener.stepped(step, end));
    }
  }

  private void replace(V next) {
    V previous = current;
    current = next;
    closeUnused(previous);
  }

  /** Closes a version that neither the caller nor the training needs. */
  private void closeUnused(V version) {
    if (version != begin && version != current && (best == null || version != best.version())) {
      operations.close(version);
    }
  }

  private void closeOwn() {
    V last = current;
    V kept = best == null ? current : best.version();
    current = begin;
    best = null;
    closeUnused(last);
    closeUnused(kept);
  }

  private void atStop() {
    if (plan.validatesAt(operations.steps(current), end)) {
      validate(Objects.requireNonNull(plan.validation()));
    }
    if (store != null && plan.savesAt(operations.steps(current))) {
      store.save(operations.steps(begin), current, best, validations);
      SparkNdMetric.TRAINING_CHECKPOINTS.add(1);
    }
  }

  private void validate(Function<V, List<MetricValue>> validation) {
    List<MetricValue> values = validation.apply(current);
    checkNames(values);
    ValidatedStep validated = new ValidatedStep(operations.steps(current) - 1, values, seconds());
    validations.add(validated);
    SparkNdMetric.TRAINING_VALIDATIONS.add(1);
    values.forEach(metric -> TrainingMetrics.validated(metric.name(), metric.value()));
    if (plan.best() == TrainingPlan.Best.KEPT
        && ValidatedStep.best(validations).equals(validated)) {
      ValidatedVersion<V> before = best;
      best = new ValidatedVersion<>(current, validated);
      if (before != null) {
        closeUnused(before.version());
      }
    }
    plan.listeners().forEach(listener -> listener.validated(validated));
  }

  private void checkNames(List<MetricValue> values) {
    if (values.isEmpty()) {
      throw TrainingErrors.noMetrics();
    }
    List<String> names = names(values);
    List<String> before =
        validations.isEmpty() ? names : names(validations.get(validations.size() - 1).metrics());
    boolean areFields =
        names.stream().noneMatch(name -> name.isEmpty() || NOT_IN_CSV.matcher(name).find());
    if (!areFields || names.stream().distinct().count() < names.size() || !names.equals(before)) {
      throw TrainingErrors.metricNames(names, before);
    }
  }

  private static List<String> names(List<MetricValue> values) {
    return values.stream().map(MetricValue::name).toList();
  }

  private double seconds() {
    return (System.nanoTime() - start) / NANOS;
  }
}
