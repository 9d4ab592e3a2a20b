/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.table.internal.FeatureErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.jspecify.annotations.Nullable;

/**
 * A state of a table as the position of a query: a snapshot, or none for a table without rows, and
 * the columns by which it was read, which no snapshot has.
 */
final class SnapshotOffset extends Offset {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SNAPSHOT = "snapshot";
  private static final String COLUMNS = "columns";

  private final OptionalLong snapshot;
  private final Map<String, String> columns;

  /**
   * @param columns what the values of each column depend on, by name; none if it is not known, as
   *     for the position before the first micro-batch
   */
  SnapshotOffset(OptionalLong snapshot, Map<String, String> columns) {
    this.snapshot = snapshot;
    this.columns = new LinkedHashMap<>(columns);
  }

  static SnapshotOffset parse(String table, String json) {
    JsonNode offset = object(table, json);
    JsonNode id = offset.path(SNAPSHOT);
    JsonNode columns = offset.path(COLUMNS);
    boolean isSnapshot = id.isNull() || id.isIntegralNumber() && id.canConvertToLong();
    if (!isSnapshot || !columns.isMissingNode() && !columns.isObject()) {
      throw FeatureErrors.changesOffset(table, json);
    }
    Map<String, String> identities = new LinkedHashMap<>();
    columns.properties().forEach(each -> identities.put(each.getKey(), each.getValue().asText()));
    return new SnapshotOffset(
        id.isNull() ? OptionalLong.empty() : OptionalLong.of(id.longValue()), identities);
  }

  private static JsonNode object(String table, String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw FeatureErrors.changesOffset(table, json);
    }
  }

  @Override
  public String json() {
    ObjectNode offset = JSON.createObjectNode();
    snapshot.ifPresentOrElse(id -> offset.put(SNAPSHOT, id), () -> offset.putNull(SNAPSHOT));
    if (!columns.isEmpty()) {
      ObjectNode identities = offset.putObject(COLUMNS);
      columns.forEach(identities::put);
    }
    return offset.toString();
  }

  /**
   * Returns the snapshot; null if nothing had been written.
   *
   * @param name the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if it has expired
   */
  @Nullable Snapshot of(Table table, String name) {
    if (snapshot.isEmpty()) {
      return null;
    }
    Snapshot found = table.snapshot(snapshot.getAsLong());
    if (found == null) {
      throw FeatureErrors.changesExpired(name, snapshot.getAsLong());
    }
    return found;
  }

  /**
   * Checks that columns are those of this position. Added and dropped ones are not compared: their
   * names tell.
   *
   * @param name the table's name, for messages
   * @param now the table's state, or any position by its columns
   * @throws io.sparknd.tensor.SparkNdException if one is not
   */
  void requireColumns(String name, SnapshotOffset now) {
    columns.forEach(
        (column, then) -> {
          String identity = now.columns.getOrDefault(column, then);
          if (!identity.equals(then)) {
            throw FeatureErrors.changesValues(name, column, identity, then);
          }
        });
  }
}
