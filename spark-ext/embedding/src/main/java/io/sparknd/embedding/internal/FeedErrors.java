/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

import static io.sparknd.tensor.ErrorCondition.EMPTY_MINI_BATCHES;
import static io.sparknd.tensor.ErrorCondition.INPUT_CHANGED;
import static io.sparknd.tensor.ErrorCondition.INVALID_EMBEDDING;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorFactory.attribute;

import io.sparknd.tensor.SparkNdException;

/** Creates the errors of mini-batches that are made of Datasets. */
public final class FeedErrors {
  private FeedErrors() {}

  public static SparkNdException emptyFeed() {
    return attribute(
        EMPTY_MINI_BATCHES.sub("NO_ROWS"), "the Dataset of the mini-batches has no rows");
  }

  public static SparkNdException closedFeed() {
    return attribute(
        INVALID_EMBEDDING.sub("CLOSED_FEED"),
        "the training feed is closed: close it after the last training with its mini-batches");
  }

  public static SparkNdException largeChunk(long numbers, long most) {
    return attribute(
        TOO_LARGE.sub("FEED_CHUNK_TOO_LARGE"),
        "a chunk of a training feed has <numbers> values of one kind, and an array holds <most>: use"
            + " more shards, since each has at most 256 chunks",
        numbers,
        most);
  }

  public static SparkNdException largeBatch(int rows, long numbers, long most) {
    return attribute(
        TOO_LARGE.sub("FEED_BATCH_TOO_LARGE"),
        "a mini-batch of <rows> rows has <numbers> values of one kind in a shard, and an array holds"
            + " <most>: use smaller mini-batches, or more shards",
        rows,
        numbers,
        most);
  }

  public static SparkNdException keySpace(String kind, String missing) {
    return attribute(
        INVALID_EMBEDDING.sub("KEY_SPACE"),
        "a key space of kind <kind> cannot have <missing> for missing values: OWN_KEY needs hashed"
            + " ids, and an id of its own needs CHOSEN_ID",
        kind,
        missing);
  }

  public static SparkNdException noFeatures() {
    return attribute(
        INVALID_EMBEDDING.sub("NO_FEATURES"),
        "the training columns have no feature; add dense, categorical or multiValued columns");
  }

  public static SparkNdException duplicateFeature(String column) {
    return attribute(
        INVALID_EMBEDDING.sub("DUPLICATE_FEATURE"),
        "column '<column>' occurs twice in the training columns; copy it under another name in a"
            + " query to use it twice",
        column);
  }

  /** {@code wanted} is a noun such as "integers or strings". */
  public static SparkNdException featureType(String column, String type, String wanted) {
    return attribute(
        INVALID_EMBEDDING.sub("FEATURE_TYPE"),
        "column '<column>' is <type>; this feature must have <wanted>",
        column,
        type,
        wanted);
  }

  public static SparkNdException missingFeature(String column) {
    return attribute(
        INVALID_EMBEDDING.sub("MISSING_FEATURE"),
        "column '<column>' has a null, which is an error for a label, for dense columns without a"
            + " value for missing ones, and for plain, numbered and required key spaces: filter such"
            + " rows, or use dense(missing, columns) or KeySpace.withMissing(id)",
        column);
  }

  public static SparkNdException keyCount(String kind, long first, long count) {
    return attribute(
        INVALID_EMBEDDING.sub("KEY_COUNT"),
        "a key space of kind <kind> cannot have <count> values from id <first> on: only NUMBERED has"
            + " a count, of at least 1, and no id is above 2^63 - 1; pass the number of values of the"
            + " column",
        kind,
        count,
        first);
  }

  public static SparkNdException numberOutOfRange(String column, long value, String range) {
    return attribute(
        INVALID_EMBEDDING.sub("NUMBER_OUT_OF_RANGE"),
        "column '<column>' has <value>, and its numbered key space takes integers <range>: filter"
            + " such rows, make a null of it and use KeySpace.withMissing(id), or give the space"
            + " more values",
        column,
        value,
        range);
  }

  public static SparkNdException mixedKeys(
      String space, String column, String type, String other, String otherType) {
    return attribute(
        INVALID_EMBEDDING.sub("MIXED_KEYS"),
        "columns '<column>', which is <type>, and '<other>', which is <otherType>, have the key space"
            + " '<space>', but share no value: '7' and 7 have different keys. Cast one to the type of"
            + " the other, or give it a space of its own. A table that was trained so keeps its keys"
            + " with KeySpace.plain() for xxhash64(space, column), an integer as bigint",
        column,
        type,
        other,
        otherType,
        space);
  }

  public static SparkNdException otherChunk(int chunk, int shard) {
    return attribute(
        INPUT_CHANGED.sub("OTHER_BATCHES"),
        "chunk <chunk> of shard <shard> of the mini-batches' rows was lost and recomputed with"
            + " different rows, so the training would not be repeatable: its query is not"
            + " deterministic, or its files changed; save the rows first and train from there",
        chunk,
        shard);
  }
}
