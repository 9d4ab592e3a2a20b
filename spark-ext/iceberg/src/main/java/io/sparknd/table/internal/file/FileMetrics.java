/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.MetricsModes;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.UnicodeUtil;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Iceberg's metrics of a newly written file, computed from its footer in memory. Iceberg itself
 * would reopen the file, which takes longer than writing a small one.
 */
final class FileMetrics {
  private final Schema schema;
  private final MetricsConfig config;
  private final Map<Integer, Long> sizes = new HashMap<>();
  private final Map<Integer, Long> counts = new HashMap<>();
  private final Map<Integer, Long> nulls = new HashMap<>();
  private final Map<Integer, Long> nans = new HashMap<>();
  private final Map<Integer, Object> least = new HashMap<>();
  private final Map<Integer, Object> most = new HashMap<>();
  private final Set<Integer> unbounded = new HashSet<>();
  private final Set<Integer> inLists;
  private long rows;

  FileMetrics(Schema schema, MetricsConfig config) {
    this.schema = schema;
    this.config = config;
    this.inLists = inLists(schema);
  }

  void add(BlockMetaData group) {
    rows += group.getRowCount();
    group.getColumns().forEach(this::add);
  }

  private void add(ColumnChunkMetaData chunk) {
    int id = chunk.getPrimitiveType().getId().intValue();
    if (schema.findField(id) == null) { // row lineage: not a table column
      return;
    }
    MetricsModes.MetricsMode mode = mode(id);
    if (mode == MetricsModes.None.get()) {
      return;
    }
    sizes.merge(id, chunk.getTotalSize(), Long::sum);
    if (inLists.contains(id)) { // not used for pruning
      return;
    }
    counts.merge(id, chunk.getValueCount(), Long::sum);
    nulls.put(id, 0L);
    if (mode != MetricsModes.Counts.get()) {
      bounds(id, chunk.getStatistics());
    }
  }

  private MetricsModes.MetricsMode mode(int id) {
    return config.columnMode(schema.findColumnName(id));
  }

  /** Returns the ids of fields in lists; by id, as names can contain dots. */
  private static Set<Integer> inLists(Schema schema) {
    return schema.columns().stream()
        .filter(column -> column.type().isListType())
        .flatMap(column -> TypeUtil.indexById(Types.StructType.of(column)).keySet().stream())
        .collect(Collectors.toSet());
  }

  private void bounds(int id, Statistics<?> statistics) {
    if (!statistics.hasNonNullValue()) {
      unbounded.add(id);
      return;
    }
    Type type = schema.findType(id);
    Comparator<Object> order = Comparators.forType(type.asPrimitiveType());
    least.merge(id, value(type, statistics.genericGetMin()), (a, b) -> first(order, a, b));
    most.merge(
        id, value(type, statistics.genericGetMax()), (a, b) -> first(order.reversed(), a, b));
    if (type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE) {
      nans.put(id, 0L);
    }
  }

  private static Object first(Comparator<Object> order, Object a, Object b) {
    return order.compare(a, b) <= 0 ? a : b;
  }

  private static Object value(Type type, Object stored) {
    return switch (type.typeId()) {
      case DECIMAL -> new BigDecimal(new BigInteger(((Binary) stored).getBytes()));
      case STRING -> ((Binary) stored).toStringUsingUTF8();
      default -> stored;
    };
  }

  Metrics metrics() {
    unbounded.forEach(
        id -> {
          least.remove(id);
          most.remove(id);
          nans.remove(id);
        });
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    least.forEach((id, value) -> put(lower, id, truncated(id, value, false)));
    most.forEach((id, value) -> put(upper, id, truncated(id, value, true)));
    return new Metrics(rows, sizes, counts, nulls, nans, lower, upper);
  }

  private void put(Map<Integer, ByteBuffer> bounds, int id, @Nullable Object value) {
    if (value != null) {
      bounds.put(id, Conversions.toByteBuffer(schema.findType(id), value));
    }
  }

  /**
   * Truncates a string's bound to the length set in the table's properties; null if no such bound
   * exists.
   */
  private @Nullable Object truncated(int id, Object value, boolean up) {
    if (!(value instanceof String text) || !(mode(id) instanceof MetricsModes.Truncate cut)) {
      return value;
    }
    Literal<CharSequence> bound =
        up
            ? UnicodeUtil.truncateStringMax(Literal.of(text), cut.length())
            : UnicodeUtil.truncateStringMin(Literal.of(text), cut.length());
    return bound == null ? null : bound.value();
  }
}
