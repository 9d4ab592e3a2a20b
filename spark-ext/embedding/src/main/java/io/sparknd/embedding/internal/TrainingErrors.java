/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

import static io.sparknd.tensor.ErrorCondition.EMPTY_MINI_BATCHES;
import static io.sparknd.tensor.ErrorCondition.INPUT_CHANGED;
import static io.sparknd.tensor.ErrorCondition.INVALID_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.PATH_EXISTS;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.reason;

import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.List;

/** Creates the errors of trainings, their validations and their checkpoints. */
public final class TrainingErrors {
  private TrainingErrors() {}

  public static SparkNdException badTraining(String name, int count) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_TRAINING"),
        "<name> is <count>; it must be at least 1",
        name,
        count);
  }

  public static SparkNdException noShards(int shards) {
    return attribute(
        EMPTY_MINI_BATCHES.sub("NO_SHARDS"),
        "a mini-batch has <shards> shards; it needs at least 1",
        shards);
  }

  public static SparkNdException emptyShard() {
    return attribute(
        EMPTY_MINI_BATCHES.sub("EMPTY_SHARD"),
        "the mini-batches have an empty partition, or none; each is a shard, and needs at least "
            + "one mini-batch: repartition, or coalesce to fewer");
  }

  /** {@code wanted} is a noun such as "numbers". */
  public static SparkNdException predictionType(String column, String type, String wanted) {
    return attribute(
        INVALID_EMBEDDING.sub("PREDICTION_TYPE"),
        "column '<column>' of the predictions is <type>; it must have <wanted>",
        column,
        type,
        wanted);
  }

  /** {@code bounds} is a clause such as "labels must be 0 or 1". */
  public static SparkNdException badPrediction(String label, String score, String bounds) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_PREDICTION"),
        "a prediction has label <label> and score <score>: <bounds>",
        label,
        score,
        bounds);
  }

  public static SparkNdException nullQuery() {
    return attribute(
        INVALID_EMBEDDING.sub("NULL_QUERY"),
        "a prediction has no query: column 'query' must not be null");
  }

  public static SparkNdException undefinedAuc(long positives, long negatives) {
    return attribute(
        INVALID_EMBEDDING.sub("UNDEFINED_AUC"),
        "the AUC of <positives> predictions with label 1 and <negatives> with label 0 is undefined:"
            + " pass rows of both labels",
        positives,
        negatives);
  }

  /** {@code problem} is a clause such as "there are none". */
  public static SparkNdException noPredictions(String problem) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_PREDICTIONS"),
        "a metric of these predictions is undefined: <problem>",
        problem);
  }

  public static SparkNdException noMetrics() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_METRICS"), "a validation has no metric; it needs at least 1");
  }

  public static SparkNdException noValidation(String setting) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_VALIDATION"),
        "<setting> needs a metric to follow: call validate, too",
        setting);
  }

  public static SparkNdException badMinDelta(double minDelta) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_MIN_DELTA"),
        "minDelta is <minDelta>; it must be at least 0",
        minDelta);
  }

  /** {@code name} is a noun phrase such as "validations". */
  public static SparkNdException notAtJobEnd(String name, int everySteps, int stepsPerJob) {
    return attribute(
        INVALID_EMBEDDING.sub("NOT_AT_JOB_END"),
        "<name> every <everySteps> steps with stepsPerJob(<stepsPerJob>): a version exists only"
            + " between jobs, so pass a multiple of <stepsPerJob>",
        name,
        everySteps,
        stepsPerJob,
        stepsPerJob);
  }

  public static SparkNdException noCheckpoints() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_CHECKPOINTS"),
        "resume needs a directory of checkpoints: call saveCheckpoints, too");
  }

  public static SparkNdException checkpointsExist(String directory, long steps) {
    return file(
        PATH_EXISTS.sub("CHECKPOINTS"),
        "<directory> has a checkpoint at <steps> steps: call resume to go on from it, or use another"
            + " directory",
        directory,
        steps);
  }

  public static SparkNdException notACheckpoint(String file, IOException cause) {
    return failedFile(
        cause,
        INVALID_EMBEDDING.sub("NOT_A_CHECKPOINT"),
        "<file> is not a checkpoint that this version of SparkND reads: <reason>",
        file,
        reason(cause));
  }

  public static SparkNdException otherTraining(String directory, String saved, String given) {
    return attribute(
        INVALID_EMBEDDING.sub("OTHER_TRAINING"),
        "the checkpoints in <directory> are of a training that began with <saved>; resume trains"
            + " <given>: train the same table, or use another directory",
        directory,
        saved,
        given);
  }

  public static SparkNdException otherStreamTable(String directory, String saved, String given) {
    return attribute(
        INVALID_EMBEDDING.sub("OTHER_STREAM_TABLE"),
        "the table that was trained in <directory> is <saved>, and the one to train is <given>: pass"
            + " a table of the same specification, or use another directory",
        directory,
        saved,
        given);
  }

  public static SparkNdException otherStreamWriter(String directory, long found, long own) {
    return attribute(
        INVALID_EMBEDDING.sub("OTHER_STREAM_WRITER"),
        "<directory> has a table of <found> steps that another training saved, while this one had"
            + " <own> steps: let one training at a time use a directory; to go on from its last"
            + " table, create this training again",
        directory,
        found,
        own);
  }

  public static SparkNdException olderMicroBatch(long batch, long saved, String directory) {
    return attribute(
        INVALID_EMBEDDING.sub("OLDER_MICRO_BATCH"),
        "the query sends micro-batch <batch>, but the table in <directory> was trained with its"
            + " micro-batch <saved>: the query's checkpoint location is older than the table. Rows of"
            + " micro-batches that Spark plans anew would be left out. Restore a table that is as old,"
            + " or use a new checkpoint location that starts after the rows that were trained",
        batch,
        directory,
        saved);
  }

  public static SparkNdException mixedTrainings(String directory) {
    return attribute(
        INVALID_EMBEDDING.sub("MIXED_TRAININGS"),
        "<directory> has checkpoints of more than one training: use a directory for each, and move"
            + " those of the others away",
        directory);
  }

  public static SparkNdException noBestVersion(String directory) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_BEST_VERSION"),
        "the checkpoints in <directory> have validations and no best version: resume without"
            + " keepBest, or start again in another directory",
        directory);
  }

  public static SparkNdException metricNames(List<String> names, List<String> before) {
    return attribute(
        INVALID_EMBEDDING.sub("METRIC_NAMES"),
        "a validation has metrics <names>, and the one before <before>: names must be distinct,"
            + " the same in each validation, and must not contain commas, quotes or line ends",
        names,
        before);
  }

  /** {@code of} is a phrase such as "of table 'users'". */
  public static SparkNdException noIds(String of) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_IDS"),
        "a step function returned null for the ids <of>: return an empty array if a mini-batch needs"
            + " no row",
        of);
  }

  public static SparkNdException noLoss(long step, int shard) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_LOSS"),
        "a step function returned null for the loss of step <step>, shard <shard>: return"
            + " Loss.NONE if there is none",
        step,
        shard);
  }

  /** {@code problem} is a clause such as "it names id 3, which was not requested". */
  public static SparkNdException otherIds(long step, int shard, String problem) {
    return attribute(
        INPUT_CHANGED.sub("OTHER_IDS"),
        "the mini-batch of step <step>, shard <shard>, changed between the task that "
            + "requested its rows and the task that trains on them: <problem>; a mini-batch "
            + "must be the same however often a task makes it, so order its rows by a key, or"
            + " let its generator depend on step and shard alone",
        step,
        shard,
        problem);
  }
}
