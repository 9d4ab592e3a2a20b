/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import static io.sparknd.table.internal.catalog.WriteOptionNames.BAD_INDICES;
import static io.sparknd.table.internal.catalog.WriteOptionNames.BATCH_ID;
import static io.sparknd.table.internal.catalog.WriteOptionNames.ORDER_BY;
import static io.sparknd.table.internal.catalog.WriteOptionNames.VALID_AT;

import io.sparknd.op.BadIndices;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.commit.BatchIds;
import io.sparknd.table.internal.commit.StreamEpoch;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.options.FeatureUpdates;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Options of a write.
 *
 * @param batchId id of the batch, which is not applied twice
 * @param validAt time from which the batch's values are true; empty for that of the commit
 * @param badIndices what happens to rows whose key is NULL or out of bounds: {@code ERROR} or
 *     {@code IGNORE}
 * @param orderBy columns that order rows of one key; empty for row order
 * @param snapshotProperties options that Iceberg's writes add to the summary of the snapshot
 * @param epoch the epoch of a stream that the batch is
 */
record ScatterOptions(
    Optional<String> batchId,
    Optional<Instant> validAt,
    BadIndices badIndices,
    List<String> orderBy,
    Map<String, String> snapshotProperties,
    Optional<StreamEpoch> epoch) {

  /**
   * Reads the options.
   *
   * @param table the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if an option or its value is unknown
   */
  static ScatterOptions of(String table, CaseInsensitiveStringMap options) {
    WriteOptionNames.check(table, options);
    Optional<String> batch = Optional.ofNullable(options.get(BATCH_ID));
    batch.ifPresent(BatchIds::check);
    return new ScatterOptions(
        batch,
        Optional.ofNullable(options.get(VALID_AT)).map(text -> instant(VALID_AT, text)),
        badIndices(options.getOrDefault(BAD_INDICES, "error")),
        Stream.of(options.getOrDefault(ORDER_BY, "").split(","))
            .map(String::trim)
            .filter(column -> !column.isEmpty())
            .toList(),
        WriteOptionNames.snapshotProperties(options),
        Optional.empty());
  }

  /**
   * Returns a valid time.
   *
   * @param option what declares it, for the message
   * @throws io.sparknd.tensor.SparkNdException if the text is none
   */
  static Instant instant(String option, String text) {
    try {
      Instant time = Instant.parse(text);
      ValidTime.micros(time);
      return time;
    } catch (DateTimeParseException e) {
      throw CatalogErrors.validAt(option, text);
    }
  }

  private static BadIndices badIndices(String policy) {
    return switch (policy) {
      case "ignore" -> BadIndices.IGNORE;
      case "error" -> BadIndices.ERROR;
      default -> throw CatalogErrors.badIndices(policy);
    };
  }

  /** Returns the options for a feature table: all columns, by their declared reductions. */
  FeatureUpdates features() {
    FeatureUpdates declared = FeatureUpdates.declared().orderedBy(orderBy.toArray(String[]::new));
    return badIndices == BadIndices.IGNORE ? declared.ignoringBadKeys() : declared;
  }

  /**
   * Returns the options of an epoch of a stream, whose batch is named after both.
   *
   * @throws io.sparknd.tensor.SparkNdException if the options name a batch, which would stop the
   *     stream after its first epoch, or its time, which would be that of all epochs
   */
  ScatterOptions ofEpoch(StreamEpoch of) {
    if (batchId.isPresent()) {
      throw CatalogErrors.batchIdOfStream(batchId.get());
    }
    if (validAt.isPresent()) {
      throw CatalogErrors.validAtOfStream(validAt.get());
    }
    return new ScatterOptions(
        Optional.of(of.batchId()),
        validAt,
        badIndices,
        orderBy,
        snapshotProperties,
        Optional.of(of));
  }
}
