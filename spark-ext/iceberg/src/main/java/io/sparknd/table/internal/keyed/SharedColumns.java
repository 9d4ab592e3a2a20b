/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * The columns of the rows of several stages in one Dataset. Stages with the same columns share
 * them, so a row is as wide for many such stages as for one.
 */
final class SharedColumns {
  private final List<String> fixed;
  private final List<StageColumns> stages;
  private final List<Own> distinct;

  /**
   * @param fixed names of the columns before those of stages
   */
  SharedColumns(List<String> fixed, List<StageColumns> stages) {
    this.fixed = fixed;
    this.stages = stages;
    this.distinct = stages.stream().map(Own::of).distinct().toList();
  }

  /**
   * The columns of a stage after those of the key.
   *
   * @param sort names of the columns by which rows of one key are sorted
   */
  private record Own(List<String> names, List<DataType> types, List<String> sort) {
    static Own of(StageColumns stage) {
      StructField[] fields = stage.rows().schema().fields();
      List<StructField> own = Arrays.asList(fields).subList(stage.keys().size(), fields.length);
      return new Own(
          own.stream().map(StructField::name).toList(),
          own.stream().map(StructField::dataType).toList(),
          stage.sortColumns());
    }
  }

  private static String name(int number, String own) {
    return "s" + number + own;
  }

  /**
   * Returns rows with the columns of all stages; those that the stage does not have are NULL.
   *
   * @param rows rows of a stage with the fixed columns and its own
   */
  Dataset<Row> widened(int stage, Dataset<Row> rows) {
    Own own = Own.of(stages.get(stage));
    List<Column> selected = new ArrayList<>();
    fixed.forEach(name -> selected.add(col(name)));
    for (int number = 0; number < distinct.size(); number++) {
      Own columns = distinct.get(number);
      for (int i = 0; i < columns.names().size(); i++) {
        String name = columns.names().get(i);
        Column value = columns.equals(own) ? col(name) : lit(null).cast(columns.types().get(i));
        selected.add(value.as(name(number, name)));
      }
    }
    return rows.select(selected.toArray(Column[]::new));
  }

  /** Returns the ordinal of a stage's first input, which is after the columns of its order. */
  int firstInput(int stage) {
    int number = distinct.indexOf(Own.of(stages.get(stage)));
    int end = fixed.size();
    for (Own columns : distinct.subList(0, number + 1)) {
      end += columns.names().size();
    }
    return end - stages.get(stage).stage().inputs().size();
  }

  /** Returns the columns by which rows of one stage and key are sorted. */
  Stream<Column> sortColumns() {
    return distinct.stream()
        .flatMap(own -> own.sort().stream().map(name -> col(name(distinct.indexOf(own), name))));
  }
}
