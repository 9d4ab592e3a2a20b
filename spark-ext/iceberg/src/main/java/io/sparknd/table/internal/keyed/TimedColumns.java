/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.GatherOutput;
import io.sparknd.table.internal.feature.GatheredColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The columns that a gather adds to rows with times: stored ones, and windows. */
record TimedColumns(FeatureFormat format, GatherOutput<GatheredColumn> added) {

  /** Returns the ordinals in the format of the columns to look up. */
  List<Integer> ordinals() {
    return added.columns().stream()
        .flatMap(column -> column.read(format).stream())
        .distinct()
        .toList();
  }

  private List<GatheredColumn.Window> windows() {
    return added.columns().stream()
        .filter(GatheredColumn.Window.class::isInstance)
        .map(GatheredColumn.Window.class::cast)
        .toList();
  }

  /**
   * Returns the rows with a column for each window after those that were looked up, of which the
   * last says whether the key was found.
   *
   * @param times type of the rows' times
   * @param width number of columns of located rows, of which the last are their time in the
   *     session's time zone, and their time
   */
  Dataset<Row> windows(
      SparkSession spark, LabelTimes labels, DataType times, Dataset<Row> found, int width) {
    List<Integer> ordinals = ordinals();
    String kernel = SparkNdSetting.KERNEL.in(spark);
    List<WindowColumns.Window> windows =
        windows().stream()
            .map(window -> WindowColumns.Window.of(format, window, kernel, width, ordinals))
            .toList();
    return windows.isEmpty()
        ? found
        : new WindowColumns(
                labels.table(),
                format.axis().codec(),
                width - 1,
                width - 2,
                times.equals(DataTypes.TimestampType),
                labels.how().expired() == AsOf.Expired.ERROR,
                windows)
            .add(spark, found);
  }

  /**
   * Returns the columns by their names, NULL where the table's state is not known; no key is found
   * there.
   */
  List<Column> selected(Dataset<Row> windowed, int width, LabelTimes times) {
    Column time = col(windowed.columns()[width - 1]);
    List<Integer> ordinals = ordinals();
    int found = width + ordinals.size();
    int window = found + 1;
    List<Column> selected = new ArrayList<>();
    for (GatheredColumn column : added.columns()) {
      Column value =
          column instanceof GatheredColumn.Stored stored
              ? FeatureGather.orFill(
                  windowed, width + ordinals.indexOf(stored.ordinal()), stored.column())
              : col(windowed.columns()[window++]);
      selected.add(when(times.isKnown(time), value).as(column.name()));
    }
    Column isFound = when(times.isKnown(time), col(windowed.columns()[found]));
    added.found().ifPresent(name -> selected.add(coalesce(isFound, lit(false)).as(name)));
    return selected;
  }
}
