/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The filter of a scan that reads the rows of a few slices. Rows whose index is null or outside the
 * shape pass it, because they are errors or, if indices wrap or are clipped, name other slices.
 *
 * @param outer shape in slices
 * @param types types of the index columns, outermost dimension first
 */
record SliceSetFilter(SliceSet slices, Shape outer, List<DataType> types) {
  /**
   * Slices below which a run of neighbours in a dimension saves more than it costs: a filtered scan
   * reads whole pages of up to 20,000 rows, and decodes lists one value after the other.
   */
  private static final long SLICES_FOR_A_RUN = 1 << 16;

  /** Consecutive indices. */
  private record Run(long first, long last) {}

  /**
   * Returns the filter.
   *
   * @param columns names of the index columns in the scan
   * @return empty if it would not pay
   */
  Optional<Filter> on(List<String> columns) {
    Filter outside = null;
    for (int d = 0; d < columns.size(); d++) {
      Filter each = outside(columns.get(d), d);
      outside = outside == null ? each : new Or(outside, each);
    }
    Filter all = null;
    for (int d = 0; d < columns.size(); d++) {
      List<Run> runs = runs(slices.indices(outer, d));
      if (outside != null && runs.size() * SLICES_FOR_A_RUN < outer.elements()) {
        Filter each = new Or(outside, inside(columns.get(d), d, runs));
        all = all == null ? each : new And(all, each);
      }
    }
    return Optional.ofNullable(all);
  }

  private static List<Run> runs(long[] indices) {
    List<Run> runs = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= indices.length; i++) {
      if (i == indices.length || indices[i] != indices[i - 1] + 1) {
        runs.add(new Run(indices[first], indices[i - 1]));
        first = i;
      }
    }
    return runs;
  }

  private Filter outside(String column, int d) {
    Filter below = new Or(new IsNull(column), new LessThan(column, value(0, d)));
    return fits(outer.dim(d), d)
        ? new Or(below, new GreaterThanOrEqual(column, value(outer.dim(d), d)))
        : below;
  }

  private Filter inside(String column, int d, List<Run> runs) {
    return runs.stream().map(run -> inside(column, d, run)).reduce(Or::new).orElseThrow();
  }

  private Filter inside(String column, int d, Run run) {
    return run.first() == run.last()
        ? new EqualTo(column, value(run.first(), d))
        : new And(
            new GreaterThanOrEqual(column, value(run.first(), d)),
            new LessThanOrEqual(column, value(run.last(), d)));
  }

  /** Whether the type of a column holds {@code value}. */
  private boolean fits(long value, int d) {
    DataType type = types.get(d);
    if (type.equals(DataTypes.ByteType)) {
      return value == (byte) value;
    }
    if (type.equals(DataTypes.ShortType)) {
      return value == (short) value;
    }
    return !type.equals(DataTypes.IntegerType) || value == (int) value;
  }

  private Object value(long value, int d) {
    DataType type = types.get(d);
    if (type.equals(DataTypes.ByteType)) {
      return (byte) value;
    }
    if (type.equals(DataTypes.ShortType)) {
      return (short) value;
    }
    return type.equals(DataTypes.IntegerType) ? (Object) (int) value : (Object) value;
  }
}
