/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.step.StepRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a training.
 *
 * @param <V> a table or a model
 * @param steps mini-batches of the training
 * @param everySteps steps between validations
 * @param validation null for none
 * @param stopping null to train to the last step
 * @param best whether the best version is kept
 * @param checkpoints null for none
 */
record TrainingPlan<V>(
    int steps,
    int stepsPerJob,
    int jobsPerCut,
    List<TrainingListener> listeners,
    int everySteps,
    @Nullable Function<V, List<MetricValue>> validation,
    @Nullable EarlyStopping stopping,
    Best best,
    @Nullable TrainingCheckpoints checkpoints) {
  /** What happens to the best version. */
  enum Best {
    CLOSED,
    KEPT
  }

  static <V> TrainingPlan<V> of(int jobsPerCut) {
    return new TrainingPlan<>(
        1, 1, jobsPerCut, List.of(new TrainingLog()), 1, null, null, Best.CLOSED, null);
  }

  TrainingPlan<V> withSteps(int count) {
    return new TrainingPlan<>(
        count,
        stepsPerJob,
        jobsPerCut,
        listeners,
        everySteps,
        validation,
        stopping,
        best,
        checkpoints);
  }

  TrainingPlan<V> withStepsPerJob(int count) {
    return new TrainingPlan<>(
        steps, count, jobsPerCut, listeners, everySteps, validation, stopping, best, checkpoints);
  }

  TrainingPlan<V> withJobsPerCut(int jobs) {
    return new TrainingPlan<>(
        steps, stepsPerJob, jobs, listeners, everySteps, validation, stopping, best, checkpoints);
  }

  TrainingPlan<V> with(TrainingListener listener) {
    List<TrainingListener> all = new ArrayList<>(listeners);
    all.add(listener);
    return new TrainingPlan<>(
        steps,
        stepsPerJob,
        jobsPerCut,
        List.copyOf(all),
        everySteps,
        validation,
        stopping,
        best,
        checkpoints);
  }

  TrainingPlan<V> with(int stepsBetween, Function<V, List<MetricValue>> other) {
    return new TrainingPlan<>(
        steps,
        stepsPerJob,
        jobsPerCut,
        listeners,
        stepsBetween,
        other,
        stopping,
        best,
        checkpoints);
  }

  TrainingPlan<V> with(EarlyStopping other) {
    return new TrainingPlan<>(
        steps,
        stepsPerJob,
        jobsPerCut,
        listeners,
        everySteps,
        validation,
        other,
        best,
        checkpoints);
  }

  TrainingPlan<V> with(Best other) {
    return new TrainingPlan<>(
        steps,
        stepsPerJob,
        jobsPerCut,
        listeners,
        everySteps,
        validation,
        stopping,
        other,
        checkpoints);
  }

  TrainingPlan<V> with(TrainingCheckpoints other) {
    return new TrainingPlan<>(
        steps, stepsPerJob, jobsPerCut, listeners, everySteps, validation, stopping, best, other);
  }

  /** Throws if settings contradict each other. */
  void check() {
    if (validation == null && stopping != null) {
      throw TrainingErrors.noValidation("stopEarly");
    }
    if (validation == null && best == Best.KEPT) {
      throw TrainingErrors.noValidation("keepBest");
    }
    if (validation != null && everySteps % stepsPerJob != 0) {
      throw TrainingErrors.notAtJobEnd("validations", everySteps, stepsPerJob);
    }
    if (checkpoints != null && checkpoints.everySteps() % stepsPerJob != 0) {
      throw TrainingErrors.notAtJobEnd("checkpoints", checkpoints.everySteps(), stepsPerJob);
    }
  }

  /**
   * Returns the step at which the next version is needed.
   *
   * @param step steps of the table
   * @param end steps at the end of the training
   */
  long nextStop(long step, long end) {
    long stop = end;
    if (validation != null) {
      stop = Math.min(stop, nextMultiple(step, everySteps));
    }
    if (checkpoints != null) {
      stop = Math.min(stop, nextMultiple(step, checkpoints.everySteps()));
    }
    return stop;
  }

  private static long nextMultiple(long step, int of) {
    return (step / of + 1) * of;
  }

  boolean validatesAt(long step, long end) {
    return validation != null && (step % everySteps == 0 || step == end);
  }

  boolean savesAt(long step) {
    return checkpoints != null && step % checkpoints.everySteps() == 0;
  }

  /** Returns the jobs before a stop. */
  StepRanges jobs(long stop) {
    return new StepRanges(stepsPerJob, stop);
  }
}
