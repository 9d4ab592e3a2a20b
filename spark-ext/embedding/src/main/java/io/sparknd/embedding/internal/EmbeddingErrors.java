/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

import static io.sparknd.tensor.ErrorCondition.BAD_GRADIENT;
import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.INVALID_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.INVALID_LOOKUP;
import static io.sparknd.tensor.ErrorCondition.INVALID_OPTIMIZER;
import static io.sparknd.tensor.ErrorCondition.INVALID_SAVED_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.PATH_EXISTS;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Creates the errors of embedding tables, optimizers, lookups, exports and gradients. */
public final class EmbeddingErrors {
  private EmbeddingErrors() {}

  public static SparkNdException outOfBounds(String name, double value, String bounds) {
    return attribute(
        INVALID_OPTIMIZER.sub("OUT_OF_BOUNDS"),
        "<name> is <value>; it must be <bounds>",
        name,
        value,
        bounds);
  }

  public static SparkNdException tooFewSteps(String name, long steps) {
    return attribute(
        INVALID_OPTIMIZER.sub("TOO_FEW_STEPS"),
        "<name> has <steps> steps; it needs at least 1",
        name,
        steps);
  }

  public static SparkNdException badBoundaries(List<Long> boundaries, List<Double> rates) {
    return attribute(
        INVALID_OPTIMIZER.sub("BAD_BOUNDARIES"),
        "<count> learning rates with boundaries <boundaries>; pass one rate more than "
            + "boundaries, and ascending boundaries from step 0 on",
        rates.size(),
        boundaries);
  }

  public static SparkNdException emptyRange(double low, double high) {
    return attribute(
        INVALID_OPTIMIZER.sub("EMPTY_RANGE"),
        "the range from low <low> to high <high> is empty; low must be below high, and "
            + "Initializer.constant is for one value",
        low,
        high);
  }

  public static SparkNdException noRateForFtrl(long step) {
    return attribute(
        INVALID_OPTIMIZER.sub("NO_RATE_FOR_FTRL"),
        "the learning rate of step <step> is 0 in float32, and FTRL divides by it: use "
            + "a schedule that stays above 0",
        step);
  }

  public static SparkNdException badSlotName(String name) {
    return attribute(
        INVALID_OPTIMIZER.sub("BAD_SLOT_NAME"),
        "a slot of an optimizer has the blank name '<name>'; name what it holds, such as 'momentum'",
        name);
  }

  public static SparkNdException badRule(String name, List<String> slots) {
    return attribute(
        INVALID_OPTIMIZER.sub("BAD_RULE"),
        "the optimizer rule '<name>' has slots <slots>; its name must not be blank, and the names"
            + " of its slots must be distinct, since saved tables have both",
        name,
        slots);
  }

  public static SparkNdException stateReplaced(String name, int slot) {
    return attribute(
        INVALID_OPTIMIZER.sub("STATE_REPLACED"),
        "the optimizer rule '<name>' replaced the array state[<slot>], which would be lost: write"
            + " to the elements of the array instead",
        name,
        slot);
  }

  public static SparkNdException slotsChanged(List<?> slots, List<?> other) {
    return attribute(
        INVALID_OPTIMIZER.sub("SLOTS_CHANGED"),
        "the table keeps optimizer state <slots>, but in a task the optimizer has <other>: slots()"
            + " of an OptimizerRule must always return the same, so it must not use static or"
            + " transient fields",
        slots,
        other);
  }

  public static SparkNdException ruleNotLoaded(String name) {
    return attribute(
        INVALID_OPTIMIZER.sub("RULE_NOT_LOADED"),
        "the table was trained by the optimizer rule '<name>' of an application, which saved tables"
            + " do not contain: load it with EmbeddingTable.load(spark, directory, optimizer) to"
            + " train it",
        name);
  }

  public static SparkNdException otherSlots(String directory, List<?> saved, List<?> given) {
    return attribute(
        INVALID_OPTIMIZER.sub("OTHER_SLOTS"),
        "the table in <directory> was saved with optimizer state <saved>; the optimizer to load it"
            + " with has <given>: pass one with the same slots in the same order",
        directory,
        saved,
        given);
  }

  public static SparkNdException maxNormNotPositive(double maxNorm) {
    return attribute(
        INVALID_LOOKUP.sub("MAX_NORM_NOT_POSITIVE"),
        "max_norm is <maxNorm>; it must be above 0, or infinity for no limit",
        maxNorm);
  }

  public static SparkNdException lookupDType(DType dtype) {
    return dtype(
        INVALID_LOOKUP.sub("TENSOR_DTYPE"),
        "the tensor is <dtype>; lookups combine rows of float16, bfloat16, float32 or "
            + "float64: gather rows of other dtypes",
        dtype);
  }

  public static SparkNdException lookupIndicesShape(Shape indices, Shape ids) {
    return shape(
        INVALID_LOOKUP.sub("INDICES_SHAPE"),
        "indices has shape <indices> and ids <ids>; ids needs shape [n], and indices [n, 2], the row and the"
            + " column of each",
        indices,
        ids);
  }

  public static SparkNdException lookupWeightsShape(Shape weights, Shape ids) {
    return shape(
        INVALID_LOOKUP.sub("WEIGHTS_SHAPE"),
        "weights has shape <weights>; ids <ids> need one weight each",
        weights,
        ids);
  }

  public static SparkNdException lookupWeightsDType(DType weights) {
    return dtype(
        INVALID_LOOKUP.sub("WEIGHTS_DTYPE"),
        "weights is <weights>; weights are float16, bfloat16, float32 or float64: cast them",
        weights);
  }

  public static SparkNdException lookupRowOutOfBounds(int position, long row, OptionalLong rows) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("LOOKUP_ROW_OUT_OF_BOUNDS"),
        "indices[<position>] names row <row>; rows go from 0<last>",
        position,
        row,
        rows.isPresent() ? " to " + (rows.getAsLong() - 1) : "");
  }

  public static SparkNdException lookupRowsNotAscending(int position, long row, long before) {
    return index(
        INVALID_LOOKUP.sub("ROWS_NOT_ASCENDING"),
        "indices[<position>] is row <row> after row <before>; ids must be in the order "
            + "of their rows: sort them",
        position,
        row,
        before);
  }

  public static SparkNdException lookupIdsColumn(String column, String type) {
    return dtype(
        INVALID_LOOKUP.sub("IDS_COLUMN"),
        "ids column '<column>' is <type>; ids are tinyint, smallint, int or bigint, or arrays of these",
        column,
        type);
  }

  public static SparkNdException lookupWeightsColumn(
      String column, String type, String ids, String idsType) {
    return dtype(
        INVALID_LOOKUP.sub("WEIGHTS_COLUMN"),
        "weights column '<column>' is <type>; ids column '<ids>' is <idsType>, and weights must be float or double,"
            + " arrays where ids are: cast it",
        column,
        type,
        ids,
        idsType);
  }

  public static SparkNdException lookupColumnTaken(String column) {
    return attribute(
        COLUMN_EXISTS.sub("LOOKUP_COLUMN_TAKEN"),
        "the rows already have a column '<column>', which the lookup adds: name another with"
            + " LookupColumns.into, in SQL with into =>",
        column);
  }

  /** {@code problem} is a predicate such as "is null". */
  public static SparkNdException lookupList(
      int partition, long row, String column, String problem) {
    return index(
        INVALID_LOOKUP.sub("LIST"),
        "column '<column>' of row <row> of partition <partition> <problem>: filter such"
            + " rows out, or correct them",
        column,
        row,
        partition,
        problem);
  }

  public static SparkNdException queryIdColumn(String column, String type) {
    return dtype(
        INVALID_LOOKUP.sub("QUERY_ID_COLUMN"),
        "column '<column>' of the queries is <type>; it must be tinyint, smallint, int or bigint",
        column,
        type);
  }

  public static SparkNdException queryVectorColumn(String column, String type) {
    return dtype(
        INVALID_LOOKUP.sub("QUERY_VECTOR_COLUMN"),
        "column '<column>' of the queries is <type>; it must be an array of float or double",
        column,
        type);
  }

  /** {@code problem} is a predicate such as "is null". */
  public static SparkNdException badQuery(int partition, long row, String column, String problem) {
    return index(
        INVALID_LOOKUP.sub("QUERY"),
        "column '<column>' of query <row> of partition <partition> <problem>: filter such"
            + " queries out, or correct them",
        column,
        row,
        partition,
        problem);
  }

  public static SparkNdException badRow(long id, float value) {
    return attribute(
        INVALID_EMBEDDING.sub("ROW_NOT_FINITE"),
        "row <id> has a weight of <value>, so its distances have no order: choose an initializer"
            + " in the range of the dtype",
        id,
        value);
  }

  public static SparkNdException rowTooLong(long id, double norm) {
    return attribute(
        INVALID_EMBEDDING.sub("ROW_TOO_LONG"),
        "row <id> has a Euclidean norm of <norm>, whose square overflows float32 in an HNSW index:"
            + " use EmbeddingTable.nearest, or correct the row",
        id,
        norm);
  }

  public static SparkNdException laterTable(long steps, long sinceSteps) {
    return attribute(
        INVALID_EMBEDDING.sub("LATER_TABLE"),
        "changes of a version after <steps> steps since one after <sinceSteps> steps: pass the"
            + " earlier version as the argument",
        steps,
        sinceSteps);
  }

  public static SparkNdException otherTable(String table, String other) {
    return attribute(
        INVALID_EMBEDDING.sub("OTHER_TABLE"),
        "changes of <table> since <other>: both must have the same rows, dim, dtype and partitions;"
            + " repartition one of them if only the partitions differ",
        table,
        other);
  }

  public static SparkNdException badExportSize(String name, long bytes, long least, long most) {
    return attribute(
        INVALID_EMBEDDING.sub("EXPORT_SIZE"),
        "<name> is <bytes>; it must be in [<least>, <most>]",
        name,
        bytes,
        least,
        most);
  }

  public static SparkNdException badIndexSize(String name, long value, long least, long most) {
    return attribute(
        INVALID_EMBEDDING.sub("INDEX_SIZE"),
        "<name> is <value>; for an HNSW index it must be in [<least>, <most>]",
        name,
        value,
        least,
        most);
  }

  public static SparkNdException noLucene(Throwable cause) {
    return failedState(
        cause,
        INVALID_EMBEDDING.sub("NO_LUCENE"),
        "HNSW indexes need Lucene, which is not on the class path: add"
            + " org.apache.lucene:lucene-core, version 9.12 or a later 9");
  }

  public static SparkNdException notAnIndex(String directory, Exception cause) {
    return failedFile(
        cause,
        INVALID_EMBEDDING.sub("NOT_AN_INDEX"),
        "<directory> is not an index that EmbeddingTable.export wrote with ExportFormat.hnsw:"
            + " <reason>",
        directory,
        reason(cause));
  }

  /** {@code problem} is a predicate such as "has 3 elements". */
  public static SparkNdException badQueryVector(String problem) {
    return attribute(INVALID_LOOKUP.sub("QUERY_VECTOR"), "the query <problem>", problem);
  }

  public static SparkNdException exportTargetExists(String path) {
    return file(
        PATH_EXISTS.sub("EXPORT_TARGET"),
        "<path> exists, and an export overwrites nothing: name a new directory",
        path);
  }

  public static SparkNdException weightOverflows(long id, float value, String precision) {
    return attribute(
        INVALID_EMBEDDING.sub("WEIGHT_OVERFLOWS"),
        "row <id> has a weight of <value>, which is not finite as <precision>: export it with a"
            + " precision of a larger range, such as WeightPrecision.BFLOAT16, or correct the row",
        id,
        value,
        precision);
  }

  public static SparkNdException badEmbedding(long rows, int dim, int partitions) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_EMBEDDING"),
        "an embedding table of <rows> rows of <dim> weights in <partitions> partitions: rows and weights must be"
            + " at least 1, and partitions at least 0; EmbeddingSpec.keyed makes a table that grows",
        rows,
        dim,
        partitions);
  }

  public static SparkNdException partitionOfTooManyRows(long rows, int partitions, long most) {
    return attribute(
        TOO_LARGE.sub("PARTITION_OF_TOO_MANY_ROWS"),
        "an embedding table of <rows> rows in <partitions> partitions: a partition "
            + "holds at most <most> rows; use at least <leastPartitions> partitions",
        rows,
        partitions,
        most,
        rows / most + 1);
  }

  public static SparkNdException keysHaveNoBounds(String bad, String negative) {
    return attribute(
        INVALID_LOOKUP.sub("KEYS_HAVE_NO_BOUNDS"),
        "the lookup has bad_indices '<bad>' and negative '<negative>', but every 64-bit integer is a"
            + " key of this embedding table, and none is out of bounds: leave both at 'error', and"
            + " filter the ids that are to be left out, such as -1, and their weights",
        bad,
        negative);
  }

  public static SparkNdException noTensorOfKeys() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_TENSOR_OF_KEYS"),
        "the ids of this embedding table are keys, but a tensor numbers its rows: use "
            + "toDataset(), which includes the keys");
  }

  public static SparkNdException notOneIdColumn(List<String> columns) {
    return attribute(
        INVALID_EMBEDDING.sub("NOT_ONE_ID_COLUMN"),
        "gradients of embeddings have ids in columns <columns>; they need one column of ids",
        columns);
  }

  public static SparkNdException embeddingDType(DType dtype) {
    return dtype(
        INVALID_EMBEDDING.sub("EMBEDDING_DTYPE"),
        "weights of <dtype> cannot be trained; float32, float16 and bfloat16 can",
        dtype);
  }

  public static SparkNdException initialWeights(DType dtype, float magnitude) {
    return dtype(
        INVALID_EMBEDDING.sub("INITIAL_WEIGHTS"),
        "the initializer has values of magnitude <magnitude>, which are infinite in <dtype>: use an"
            + " initializer of smaller values, or a dtype of a larger range",
        magnitude,
        dtype);
  }

  public static SparkNdException stateDType(DType dtype) {
    return dtype(
        INVALID_EMBEDDING.sub("STATE_DTYPE"),
        "optimizer state of <dtype> is not supported; float32 and bfloat16 are",
        dtype);
  }

  public static SparkNdException noNarrowState(DType dtype, List<String> slots) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_NARROW_STATE"),
        "optimizer state of <dtype> would save nothing: of the slots <slots> of the optimizer, none"
            + " has a value per element that may be rounded; omit withStateDType",
        dtype,
        slots);
  }

  public static SparkNdException badEviction(String name, Object value, String bounds) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_EVICTION"),
        "<name> is <value>; it must be <bounds>",
        name,
        value,
        bounds);
  }

  public static SparkNdException badAdmission(String name, Object value, String bounds) {
    return attribute(
        INVALID_EMBEDDING.sub("BAD_ADMISSION"),
        "<name> is <value>; it must be <bounds>",
        name,
        value,
        bounds);
  }

  public static SparkNdException admissionOfNumbers(long rows) {
    return attribute(
        INVALID_EMBEDDING.sub("ADMISSION_OF_NUMBERS"),
        "admission applies to keys, and the ids of this embedding table are numbers below <rows>: use"
            + " EmbeddingSpec.keyed, or omit withAdmission",
        rows);
  }

  public static SparkNdException noRowUsage(String call) {
    return attribute(
        INVALID_EMBEDDING.sub("NO_ROW_USAGE"),
        "<call> needs the steps that updated each row, which this table does not keep: create the"
            + " table with EmbeddingSpec.withRowUsage()",
        call);
  }

  public static SparkNdException notASavedEmbedding(String directory, IOException cause) {
    return failedFile(
        cause,
        INVALID_SAVED_EMBEDDING.sub("NOT_A_SAVED_EMBEDDING"),
        "<directory> is not a saved embedding table: embedding.json cannot be read: <reason>",
        directory,
        reason(cause));
  }

  /** {@code descent} is a clause such as "it descends from no saved table". */
  public static SparkNdException notADescendant(String directory, long steps, String descent) {
    return attribute(
        INVALID_SAVED_EMBEDDING.sub("NOT_A_DESCENDANT"),
        "the table at step <steps> does not descend from the last checkpoint in <directory>:"
            + " <descent>; load the table from there and train that on, or save this one to another"
            + " directory",
        steps,
        directory,
        descent);
  }

  public static SparkNdException deltaOfAnotherSave(String directory, String file, String base) {
    return file(
        INVALID_SAVED_EMBEDDING.sub("DELTA_OF_ANOTHER_SAVE"),
        "<file> in <directory> is a delta of the saved table <base>, which is not the one in this"
            + " directory: move it to its own",
        file,
        directory,
        base);
  }

  public static SparkNdException deltaOutOfOrder(
      String directory, String file, int number, int expected) {
    return file(
        INVALID_SAVED_EMBEDDING.sub("DELTA_OUT_OF_ORDER"),
        "<file> in <directory> is delta <number>, and does not follow the <before> deltas before it:"
            + " one is missing, or two have the same number; restore the missing one, or remove"
            + " those that do not belong to the table",
        file,
        directory,
        number,
        expected - 1);
  }

  public static SparkNdException concurrentDelta(String directory, String file) {
    return file(
        INVALID_SAVED_EMBEDDING.sub("CONCURRENT_DELTA"),
        "another save wrote <file> to <directory> at the same time, so this delta was withdrawn: let"
            + " one training at a time save deltas to a directory",
        file,
        directory);
  }

  public static SparkNdException noSuchRow(long id, int position, long step, long rows) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("NO_SUCH_ROW"),
        "id <id>, at position <position> of the mini-batch of step <step>, is not in "
            + "[0, <rows>), the rows of the table",
        id,
        position,
        step,
        rows);
  }

  public static SparkNdException badGradient(long step, int shard, long id) {
    return attribute(
        BAD_GRADIENT.sub("GRADIENT"),
        "the gradient of id <id> in step <step>, shard <shard>, is NaN or infinite: lower the learning rate or"
            + " clip gradients, or allow it with EmbeddingSpec.withBadGradients(BadGradients.skip())"
            + " or BadGradients.clip(limit)",
        id,
        step,
        shard);
  }

  public static SparkNdException badGradientSum(long step, long id) {
    return attribute(
        BAD_GRADIENT.sub("SUM"),
        "the sum of the gradients of id <id> in step <step> is NaN or infinite: lower the learning rate or"
            + " clip gradients, or allow it with EmbeddingSpec.withBadGradients(BadGradients.skip())"
            + " or BadGradients.clip(limit)",
        id,
        step);
  }

  public static SparkNdException badWeights(long step, long id, DType dtype) {
    return attribute(
        BAD_GRADIENT.sub("WEIGHTS"),
        "step <step> makes weights of id <id> NaN or infinite in <dtype>: lower the learning rate, clip"
            + " gradients with Optimizer.withClip, or use a dtype of a larger range",
        step,
        id,
        dtype);
  }

  public static SparkNdException badState(long step, long id, String slot) {
    return attribute(
        BAD_GRADIENT.sub("STATE"),
        "step <step> makes the optimizer's state '<slot>' of id <id> NaN or infinite, with which the"
            + " row would no longer learn: lower the learning rate, or clip gradients with"
            + " Optimizer.withClip",
        step,
        slot,
        id);
  }
}
