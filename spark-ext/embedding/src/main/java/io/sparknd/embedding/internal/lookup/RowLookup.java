/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.gather.RequestedSlices;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.Collections;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * A lookup whose lists are columns of a Dataset. Requests are shuffled to the partitions that own
 * the rows, and the rows are shuffled back to the lists.
 *
 * @param schema schema of the result
 */
public record RowLookup(
    LookupSource source,
    Dataset<Row> rows,
    ListColumns columns,
    ResultColumn result,
    StructType schema) {
  private static final int WINDOW_BYTES = 16 << 20;
  private static final int MAX_WINDOW_SLOTS = 1 << 16;

  /**
   * Validates a lookup.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link io.sparknd.embedding.EmbeddingLookup#of},
   *     before any job
   */
  public static RowLookup of(
      LookupSource source, Lookup how, Dataset<Row> rows, LookupColumns names) {
    requireFloats(source.dtype());
    Shape slice = source.slice();
    if (slice.elements() > Storage.MAX_LENGTH) {
      throw ClusterErrors.sliceTooLargeForRow(slice, source.dtype());
    }
    ListColumns columns = ListColumns.of(rows, names, source.tuples(how.indices()));
    ResultColumn result = new ResultColumn(rows.schema(), source.dtype(), slice, how);
    result.fill();
    return new RowLookup(source, rows, columns, result, result.schema(names.result()));
  }

  static void requireFloats(DType dtype) {
    if (dtype.kind() != DType.Kind.FLOAT) {
      throw EmbeddingErrors.lookupDType(dtype);
    }
  }

  /** Returns the result. Runs a job that checks all rows. */
  public Dataset<Row> run() {
    try {
      Dataset<Row> looked = InternalRows.toDataset(source.spark(), combined(), schema);
      SparkNdMetric.LOOKUPS.add(1);
      return looked;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private JavaRDD<InternalRow> combined() {
    JavaRDD<InternalRow> lists = InternalRows.of(rows);
    if (lists.getNumPartitions() == 0) {
      return lists;
    }
    JavaRDD<InternalRow> persisted = persisted(lists);
    ListColumns in = columns;
    ResultColumn out = result;
    RequestedSlices requested = source.requested(WINDOW_BYTES, MAX_WINDOW_SLOTS);
    int slots = requested.windowSlots();
    return source
        .joined(
            requested,
            persisted,
            (partition, it) -> new RequestedRows(it, in.in(partition, null), slots),
            (it, responses) -> new CombinedRows(it, in.in(0, null), responses, slots, out))
        .setName("lookup in " + source);
  }

  /**
   * Persists the lists, which are read twice, to request and to combine, and must not change
   * between.
   */
  private JavaRDD<InternalRow> persisted(JavaRDD<InternalRow> lists) {
    JavaRDD<InternalRow> persisted = lists.map(InternalRow::copy);
    VersionLineage.truncate(persisted);
    try {
      check(persisted);
    } catch (Exception e) {
      InterruptedCleanup.run(() -> persisted.unpersist(false));
      throw e;
    }
    return persisted;
  }

  private void check(JavaRDD<InternalRow> lists) {
    RowErrors rowErrors = RowErrors.registered(source.spark(), Shape.of());
    ListColumns in = columns;
    PartitionTasks.run(
        lists.mapPartitionsWithIndex(
            (partition, it) -> {
              it.forEachRemaining(in.in(partition, rowErrors)::read);
              return Collections.emptyIterator();
            },
            false));
    rowErrors.throwFirst();
  }
}
