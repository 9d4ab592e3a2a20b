/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.CommitMetadata;
import org.apache.iceberg.spark.SparkWriteConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Entries that callers add to the summaries of snapshots, as in Iceberg's own writes: by settings
 * {@code spark.sql.iceberg.snapshot-property.NAME} of the session, options {@code
 * snapshot-property.NAME} of a write, and {@link CommitMetadata}; the last of these takes
 * precedence.
 */
public final class GivenProperties {
  /** Begins the entries that only SparkND sets. */
  private static final String OF_SPARKND = "sparknd.";

  private GivenProperties() {}

  /**
   * Returns the entries, without those of SparkND's names: a batch id among them would name a batch
   * that the snapshot does not hold.
   *
   * @param options options of the write
   */
  public static Map<String, String> of(
      SparkSession spark, Table table, Map<String, String> options) {
    Map<String, String> given = all(spark, table, options);
    given.keySet().removeIf(name -> name.startsWith(OF_SPARKND));
    return Map.copyOf(given);
  }

  /**
   * Returns the text of the valid time that a statement of Iceberg's own declares.
   *
   * @param options options of the statement
   */
  public static Optional<String> validAt(
      SparkSession spark, Table table, Map<String, String> options) {
    return Optional.ofNullable(all(spark, table, options).get(SnapshotProperties.VALID_AT));
  }

  private static Map<String, String> all(
      SparkSession spark, Table table, Map<String, String> options) {
    SparkWriteConf conf = new SparkWriteConf(spark, table, new CaseInsensitiveStringMap(options));
    Map<String, String> given = new TreeMap<>(conf.extraSnapshotMetadata());
    given.putAll(CommitMetadata.commitProperties());
    return given;
  }
}
