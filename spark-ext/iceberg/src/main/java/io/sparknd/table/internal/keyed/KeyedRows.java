/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.InvalidKeyException;
import io.sparknd.table.internal.key.KeyBuckets;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Computes block and encoded key of each row. The first columns of rows are the key's. */
final class KeyedRows implements Serializable {
  private static final long serialVersionUID = 1;

  /** The block of rows whose key is NULL or out of bounds. */
  private static final long NO_BLOCK = -1;

  private final String name;
  private final FeatureAxis axis;
  private final @Nullable KeyBuckets buckets;
  private final int stage;
  private final StagedFeatures.KeyPolicy badKeys;
  private final int[] keyOrdinals;
  private final int bucketOrdinal;

  KeyedRows(StoredFeatures table, int stage, StagedFeatures.KeyPolicy badKeys) {
    this.name = table.name();
    this.axis = table.format().axis();
    boolean isLabelled = axis instanceof FeatureAxis.Labelled;
    this.buckets = isLabelled ? table.blockBuckets() : null;
    this.stage = stage;
    this.badKeys = badKeys;
    this.keyOrdinals = IntStream.range(0, axis.columns().size()).toArray();
    this.bucketOrdinal =
        axis instanceof FeatureAxis.Labelled labelled
            ? axis.columns().indexOf(labelled.bucketColumn())
            : 0;
  }

  /** Returns rows with the columns of {@link ShuffledRows}, then those after the key. */
  Dataset<Row> of(
      SparkSession spark, StageColumns columns, RowErrors rowErrors, DroppedRows dropped) {
    StructType schema = new StructType();
    schema = schema.add("block", DataTypes.LongType, false);
    schema = schema.add("stage", DataTypes.IntegerType, false);
    schema = schema.add("key", DataTypes.BinaryType, false);
    schema = schema.add("position", DataTypes.LongType, false);
    StructField[] fields = columns.rows().schema().fields();
    for (StructField field : fields) {
      schema = schema.add(field.name(), field.dataType(), true);
    }
    return InternalRows.toDataset(
            spark,
            InternalRows.of(columns.rows())
                .mapPartitionsWithIndex(
                    (partition, rows) -> keyed(partition, rows, rowErrors, dropped), false),
            schema)
        .drop(columns.keys().toArray(String[]::new));
  }

  /** Returns the rows with their keys; each is valid only until the next is read. */
  private Iterator<InternalRow> keyed(
      int partition, Iterator<InternalRow> rows, RowErrors rowErrors, DroppedRows dropped) {
    return new Iterator<>() {
      private final JoinedRow joined = new JoinedRow();
      private final KeyList keys = new KeyList();
      private final DroppedRows.Source origin = new DroppedRows.Source(stage, partition);
      private @Nullable InternalRow next;
      private long row;

      @Override
      public boolean hasNext() {
        while (next == null && rows.hasNext()) {
          next = keyed(row++, rows.next());
        }
        return next != null;
      }

      private @Nullable InternalRow keyed(long number, InternalRow from) {
        InternalRow key = KeyedRows.this.key(origin, number, from, keys, rowErrors, dropped);
        return key == null ? null : joined.apply(key, from);
      }

      @Override
      public InternalRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        InternalRow found = Objects.requireNonNull(next);
        next = null;
        return found;
      }
    };
  }

  /** Returns block, stage, key and position of a row; null if its key is rejected. */
  private @Nullable InternalRow key(
      DroppedRows.Source origin,
      long number,
      InternalRow row,
      KeyList keys,
      RowErrors rowErrors,
      DroppedRows dropped) {
    int source = origin.partition();
    keys.clear();
    SparkNdException problem = problem(number, row, keys);
    if (problem == null) {
      return InternalRows.row(
          block(row), stage, keys.get(0), ShuffledRows.position(source, number));
    }
    switch (badKeys) {
      case ERROR -> rowErrors.reject(source, number, problem);
      case IGNORE -> dropped.add(origin);
      case NO_BLOCK -> {
        return InternalRows.row(
            NO_BLOCK, stage, new byte[0], ShuffledRows.position(source, number));
      }
    }
    return null;
  }

  /** Encodes a row's key; returns its problem, or null. */
  private @Nullable SparkNdException problem(long number, InternalRow row, KeyList keys) {
    try {
      int missing = axis.codec().append(row, keyOrdinals, keys);
      if (missing >= 0) {
        return FeatureErrors.nullKey(name, axis.columns().get(missing).name(), number);
      }
    } catch (InvalidKeyException e) {
      return FeatureErrors.invalidKey(name, e.column(), e.value(), number);
    }
    if (axis instanceof FeatureAxis.Numbered numbered) {
      int column = numbered.outOfBounds(keys, 0);
      return column < 0
          ? null
          : FeatureErrors.keyOutOfBounds(
              name, axis.columns().get(column).name(), row.getLong(column), numbered.shape());
    }
    return null;
  }

  private long block(InternalRow row) {
    return buckets != null
        ? buckets.of(row, bucketOrdinal)
        : row.getLong(0) / ((FeatureAxis.Numbered) axis).rowsPerBlock();
  }
}
