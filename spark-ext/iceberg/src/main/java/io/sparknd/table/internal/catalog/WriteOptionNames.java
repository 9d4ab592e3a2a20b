/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.spark.SparkReadOptions;
import org.apache.iceberg.spark.SparkWriteOptions;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options that a write may have. Those of SparkND count, and those that begin with {@code
 * snapshot-property.}. Those of Spark and of Iceberg's own writes have no effect here. All others
 * are refused: a batch whose {@code batch-id} is misspelled would count twice when it is sent
 * again.
 */
final class WriteOptionNames {
  static final String BATCH_ID = "batch-id";
  static final String VALID_AT = "valid-at";
  static final String BAD_INDICES = "bad-indices";
  static final String ORDER_BY = "order-by";
  static final String BRANCH = SparkWriteOptions.BRANCH;

  /** Spark leaves its own options among those of a writer or stream. */
  private static final Set<String> OF_SPARK =
      names(
          "path",
          "checkpointLocation",
          "queryName",
          "partitionOverwriteMode",
          "asyncProgressTrackingEnabled",
          "asyncProgressTrackingCheckpointIntervalMs",
          "asyncProgressTrackingOverrideSinkSupportCheck",
          "_asyncProgressTrackingOverrideSinkSupportCheck");

  private static final Set<String> OF_ICEBERG =
      names(
          SparkWriteOptions.WRITE_FORMAT,
          SparkWriteOptions.TARGET_FILE_SIZE_BYTES,
          SparkWriteOptions.DELETE_FORMAT,
          SparkWriteOptions.TARGET_DELETE_FILE_SIZE_BYTES,
          SparkWriteOptions.CHECK_NULLABILITY,
          SparkWriteOptions.FANOUT_ENABLED,
          SparkWriteOptions.CHECK_ORDERING,
          SparkWriteOptions.OUTPUT_SPEC_ID,
          SparkWriteOptions.OUTPUT_SORT_ORDER_ID,
          SparkWriteOptions.OVERWRITE_MODE,
          SparkWriteOptions.DISTRIBUTION_MODE,
          SparkWriteOptions.USE_TABLE_DISTRIBUTION_AND_ORDERING,
          SparkWriteOptions.MERGE_SCHEMA,
          SparkWriteOptions.SPARK_MERGE_SCHEMA,
          SparkWriteOptions.VALIDATE_FROM_SNAPSHOT_ID,
          SparkWriteOptions.ISOLATION_LEVEL,
          SparkWriteOptions.COMPRESSION_CODEC,
          SparkWriteOptions.COMPRESSION_LEVEL,
          SparkWriteOptions.COMPRESSION_STRATEGY,
          SparkWriteOptions.ADVISORY_PARTITION_SIZE,
          SparkWriteOptions.DELETE_GRANULARITY,
          SparkWriteOptions.SHRED_VARIANTS,
          SparkWriteOptions.VARIANT_INFERENCE_BUFFER_SIZE,
          SparkWriteOptions.USE_MERGE_APPEND_FOR_STREAMING);

  /** Settings {@code spark.datasource.iceberg.NAME} are options of reads and of writes. */
  private static final Set<String> OF_READS =
      names(
          SparkReadOptions.SPLIT_SIZE,
          SparkReadOptions.LOOKBACK,
          SparkReadOptions.FILE_OPEN_COST,
          SparkReadOptions.VECTORIZATION_ENABLED,
          SparkReadOptions.VECTORIZATION_BATCH_SIZE,
          SparkReadOptions.LOCALITY,
          SparkReadOptions.AGGREGATE_PUSH_DOWN_ENABLED,
          SparkReadOptions.STREAMING_SKIP_DELETE_SNAPSHOTS,
          SparkReadOptions.STREAMING_SKIP_OVERWRITE_SNAPSHOTS,
          SparkReadOptions.STREAMING_MAX_FILES_PER_MICRO_BATCH,
          SparkReadOptions.STREAMING_MAX_ROWS_PER_MICRO_BATCH,
          SparkReadOptions.STREAMING_SNAPSHOT_POLLING_INTERVAL_MS,
          SparkReadOptions.STREAM_FROM_TIMESTAMP,
          SparkReadOptions.ASYNC_MICRO_BATCH_PLANNING_ENABLED,
          SparkReadOptions.ASYNC_QUEUE_PRELOAD_FILE_LIMIT,
          SparkReadOptions.ASYNC_QUEUE_PRELOAD_ROW_LIMIT);

  private static final Set<String> KNOWN =
      Stream.of(
              names(BATCH_ID, VALID_AT, BAD_INDICES, ORDER_BY, BRANCH),
              OF_SPARK,
              OF_ICEBERG,
              OF_READS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private WriteOptionNames() {}

  private static Set<String> names(String... names) {
    return Stream.of(names).map(WriteOptionNames::lower).collect(Collectors.toUnmodifiableSet());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * Checks that all options are known.
   *
   * @param table the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if one is not
   */
  static void check(String table, CaseInsensitiveStringMap options) {
    options
        .asCaseSensitiveMap()
        .forEach(
            (name, value) -> {
              if (!KNOWN.contains(lower(name)) && !isOfSnapshot(name)) {
                throw CatalogErrors.writeOption(table, name, value);
              }
            });
  }

  private static boolean isOfSnapshot(String name) {
    return lower(name).startsWith(SnapshotSummary.EXTRA_METADATA_PREFIX);
  }

  /** Returns the options for the summary of the snapshot, in lower case as in Iceberg. */
  static Map<String, String> snapshotProperties(CaseInsensitiveStringMap options) {
    return options.entrySet().stream()
        .filter(option -> isOfSnapshot(option.getKey()))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
