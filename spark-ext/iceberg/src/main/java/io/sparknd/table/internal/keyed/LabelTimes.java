/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.unix_micros;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.history.TableTimeline;
import io.sparknd.table.internal.history.ValidTime;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The times of labels, and what the table was then.
 *
 * @param table the table's name, for messages
 */
record LabelTimes(String table, TableTimeline timeline, AsOf how) {
  /**
   * Returns the rows with two more columns: their time as a clock in the session's time zone shows
   * it, without a time zone, and their time in microseconds since 1970.
   *
   * @throws io.sparknd.tensor.SparkNdException if the column of times is missing, or of another
   *     type
   */
  Dataset<Row> of(Dataset<Row> rows) {
    String[] names = rows.columns();
    int ordinal = ordinal(rows);
    DataType type = type(rows);
    if (!SqlTypes.isTime(type)) {
      throw FeatureErrors.timeType(table, names[ordinal], type.simpleString());
    }
    Column time = SqlNames.column(names[ordinal]).cast(DataTypes.TimestampType);
    // not of the instant, which a time on the wall that clocks skip has not
    Column local = SqlNames.column(names[ordinal]).cast(DataTypes.TimestampNTZType);
    Stream<Column> all =
        Stream.concat(
            Arrays.stream(names).map(SqlNames::column),
            Stream.of(
                local.as(unused("local", names)), unix_micros(time).as(unused("time", names))));
    return rows.select(all.toArray(Column[]::new));
  }

  /** Returns the type of the column of times. */
  DataType type(Dataset<Row> rows) {
    return rows.schema().fields()[ordinal(rows)].dataType();
  }

  private int ordinal(Dataset<Row> rows) {
    return ColumnNameMatcher.in(rows).ordinal(rows.columns(), how.time());
  }

  /** Returns a name that no column has, in any case. */
  private static String unused(String wanted, String[] names) {
    String name = wanted;
    while (Arrays.stream(names).anyMatch(name::equalsIgnoreCase)) {
      name += "_";
    }
    return name;
  }

  /** Returns whether rows may be rejected, because snapshots have expired. */
  boolean areChecked() {
    return !timeline.isWhole() && how.expired() == AsOf.Expired.ERROR;
  }

  /** Returns whether the table's state at a time is known. */
  Column isKnown(Column time) {
    return timeline.isWhole() ? time.isNotNull() : time.geq(lit(timeline.begin()));
  }

  /** Returns located rows, whose last column is their time; rejects those that are too old. */
  Dataset<Row> checked(SparkSession spark, Dataset<Row> located, RowErrors rowErrors) {
    if (!areChecked()) {
      return located;
    }
    int time = located.columns().length - 1;
    Check check = new Check(table, timeline.begin(), time, rowErrors);
    return InternalRows.toDataset(
        spark, InternalRows.of(located).mapPartitions(check::run), located.schema());
  }

  /** Reports rows from before {@code begin}. */
  private record Check(String table, long begin, int time, RowErrors rowErrors)
      implements Serializable {
    Iterator<InternalRow> run(Iterator<InternalRow> rows) {
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return rows.hasNext();
        }

        @Override
        public InternalRow next() {
          InternalRow row = rows.next();
          if (!row.isNullAt(time) && row.getLong(time) < begin) {
            rowErrors.reject(
                ShuffledRows.source(row),
                ShuffledRows.position(row),
                FeatureErrors.expiredTime(
                    table,
                    ValidTime.instant(row.getLong(time)),
                    ShuffledRows.position(row),
                    ValidTime.instant(begin)));
          }
          return row;
        }
      };
    }
  }
}
