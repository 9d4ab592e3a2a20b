/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.metrics.SparkNdMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of a training. It consists of legs, which end where a version is needed: at validations,
 * at checkpoints, and at the end. A leg has the bits of a training that resumes there, so stops
 * change nothing. Versions at stops are closed once the next one is computed, unless they are the
 * best.
 */
final class TrainingRun<B> {
  private static final double NANOS = 1e9;

  private final TrainingPlan plan;
  private final Batches<B> batches;
  private final StepFunction<B> function;
  private final EmbeddingTable begin;
  private final @Nullable CheckpointStore store;
  private final long end;
  private final long start = System.nanoTime();
  private final List<TrainedStep> done = new ArrayList<>();
  private final List<ValidatedStep> validations = new ArrayList<>();
  private EmbeddingTable current;
  private @Nullable BestVersion best;

  TrainingRun(
      TrainingPlan plan,
      EmbeddingTable table,
      Batches<B> batches,
      StepFunction<B> function,
      @Nullable CheckpointStore store) {
    this.plan = plan;
    this.batches = batches;
    this.function = function;
    this.begin = table;
    this.store = store;
    this.end = table.steps() + plan.steps();
    this.current = table;
  }

  /** Goes on from the last checkpoint, if there is one. */
  void restore() {
    CheckpointStore checkpoints = Objects.requireNonNull(store);
    CheckpointManifest last = checkpoints.last().orElse(null);
    if (last == null) {
      return;
    }
    if (last.begin() != begin.steps() || last.steps() > end) {
      throw EmbeddingErrors.otherTraining(
          Objects.requireNonNull(plan.checkpoints()).directory(),
          "a table of " + last.begin() + " steps and has " + last.steps(),
          "from " + begin.steps() + " to " + end + " steps");
    }
    boolean keepsBest = plan.best() == TrainingPlan.Best.KEPT;
    if (keepsBest && last.best() == null && !last.validations().isEmpty()) {
      throw EmbeddingErrors.noBestVersion(Objects.requireNonNull(plan.checkpoints()).directory());
    }
    current = checkpoints.load(last.table(), last.steps(), begin);
    validations.addAll(last.validations());
    if (keepsBest && last.best() != null) {
      ValidatedStep validated = ValidatedStep.best(validations);
      EmbeddingTable table =
          last.best().equals(last.table())
              ? current
              : checkpoints.load(last.best(), validated.step() + 1, begin);
      best = new BestVersion(table, validated);
    }
  }

  Trained run() {
    boolean completed = false;
    try {
      while (current.steps() < end && !isStopped()) {
        trainTo(plan.nextStop(current.steps(), end));
        atStop();
      }
      completed = true;
      return new Trained(current, done, validations, Optional.ofNullable(best), seconds());
    } finally {
      if (!completed) {
        closeOwn();
      }
      plan.listeners().forEach(TrainingListener::ended);
    }
  }

  private boolean isStopped() {
    return plan.stopping() != null && plan.stopping().isReached(validations);
  }

  private void trainTo(long stop) {
    TrainingLoop<B> loop = new TrainingLoop<>(current, batches, function, plan.jobsPerCut());
    boolean completed = false;
    try {
      StepRange job = plan.job(current.steps(), stop);
      loop.begin(job);
      while (job.count() > 0) {
        StepRange next = plan.job(job.first() + job.count(), stop);
        completed(job, loop.run(job, next));
        job = next;
      }
      replace(current.next(loop.end(), stop, loop.versions()));
      completed = true;
    } finally {
      if (!completed) {
        loop.abandon();
      }
    }
  }

  private void completed(StepRange job, List<Loss> losses) {
    double seconds = seconds();
    for (int i = 0; i < losses.size(); i++) {
      TrainedStep step = new TrainedStep(job.step(i), losses.get(i), seconds);
      done.add(step);
      SparkNdMetric.TRAINING_STEPS.add(1);
      SparkNdMetric.TRAINING_EXAMPLES.add(step.loss().examples());
      plan.listeners().forEach(listener -> listener.stepped(step, end));
    }
  }

  private void replace(EmbeddingTable next) {
    EmbeddingTable previous = current;
    current = next;
    closeUnused(previous);
  }

  /** Closes a version that neither the caller nor the training needs. */
  private void closeUnused(EmbeddingTable table) {
    if (table != begin && table != current && (best == null || table != best.table())) {
      table.close();
    }
  }

  private void closeOwn() {
    EmbeddingTable last = current;
    EmbeddingTable kept = best == null ? current : best.table();
    current = begin;
    best = null;
    closeUnused(last);
    closeUnused(kept);
  }

  private void atStop() {
    if (plan.validatesAt(current.steps(), end)) {
      validate(Objects.requireNonNull(plan.validation()));
    }
    if (store != null && plan.savesAt(current.steps())) {
      store.save(begin.steps(), current, best, validations);
      SparkNdMetric.TRAINING_CHECKPOINTS.add(1);
    }
  }

  private void validate(TrainingValidation validation) {
    List<MetricValue> values = validation.evaluate(current);
    checkNames(values);
    ValidatedStep validated = new ValidatedStep(current.steps() - 1, values, seconds());
    validations.add(validated);
    SparkNdMetric.TRAINING_VALIDATIONS.add(1);
    if (plan.best() == TrainingPlan.Best.KEPT
        && ValidatedStep.best(validations).equals(validated)) {
      BestVersion before = best;
      best = new BestVersion(current, validated);
      if (before != null) {
        closeUnused(before.table());
      }
    }
    plan.listeners().forEach(listener -> listener.validated(validated));
  }

  private void checkNames(List<MetricValue> values) {
    if (values.isEmpty()) {
      throw EmbeddingErrors.noMetrics();
    }
    List<String> names = names(values);
    List<String> before =
        validations.isEmpty() ? names : names(validations.get(validations.size() - 1).metrics());
    boolean areWords =
        names.stream().noneMatch(name -> name.isEmpty() || name.matches(".*[,\"\\r\\n].*"));
    if (!areWords || names.stream().distinct().count() < names.size() || !names.equals(before)) {
      throw EmbeddingErrors.metricNames(names, before);
    }
  }

  private static List<String> names(List<MetricValue> values) {
    return values.stream().map(MetricValue::name).toList();
  }

  private double seconds() {
    return (System.nanoTime() - start) / NANOS;
  }
}
