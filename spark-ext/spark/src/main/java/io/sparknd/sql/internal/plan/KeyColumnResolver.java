/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.LosslessCasts;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.sql.internal.SqlErrors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * Finds the key columns of a call's rows: those that an option names, or those with the names of
 * the table's key. Position counts only if the rows have no other columns, because a column that is
 * taken for a key by mistake gives fill values, and no error.
 */
final class KeyColumnResolver {
  private final TableArgument rows;
  private final KeyedRelation table;
  private final List<StructField> keys;

  private KeyColumnResolver(TableArgument rows, KeyedRelation table) {
    this.rows = rows;
    this.table = table;
    this.keys = List.of(table.keys().fields());
  }

  /**
   * Returns the ordinals of the key columns in {@code rows}, in the order of the key.
   *
   * @param named columns of {@code rows} that are the key, in its order
   * @throws io.sparknd.tensor.SparkNdException if the key columns are ambiguous, or of types whose
   *     values a key of the table cannot have
   */
  static List<Integer> of(TableArgument rows, Optional<List<String>> named, KeyedRelation table) {
    KeyColumnResolver resolver = new KeyColumnResolver(rows, table);
    List<Integer> found = named.map(resolver::named).orElseGet(resolver::unnamed);
    resolver.requireTypes(found);
    return found;
  }

  private List<Integer> named(List<String> names) {
    if (names.size() != keys.size()) {
      throw SqlErrors.keyColumnsOfRow(table.table(), names(), names);
    }
    List<Integer> found = names.stream().map(rows::ordinal).toList();
    if (new ColumnNameMatcher(SQLConf.get().caseSensitiveAnalysis()).areExchanged(names(), names)) {
      throw SqlErrors.keyColumnOrder(table.table(), names(), names);
    }
    return found;
  }

  private List<Integer> unnamed() {
    List<Integer> found =
        names().stream().map(rows::find).flatMapToInt(found1 -> found1.stream()).boxed().toList();
    if (found.size() == keys.size()) {
      return found;
    }
    if (!found.isEmpty() || rows.columns().size() != keys.size()) {
      throw ambiguous();
    }
    return IntStream.range(0, keys.size()).boxed().toList();
  }

  private List<String> names() {
    return keys.stream().map(StructField::name).toList();
  }

  private void requireTypes(List<Integer> found) {
    for (int i = 0; i < found.size(); i++) {
      Attribute column = rows.columns().get(found.get(i));
      DataType wanted = keys.get(i).dataType();
      if (!LosslessCasts.allow(column.dataType(), wanted)) {
        throw SqlErrors.keyColumnType(
            column.name(), column.dataType().simpleString(), table.table(), wanted.simpleString());
      }
    }
  }

  private RuntimeException ambiguous() {
    return SqlErrors.keysNotNamed(
        rows.name(), rows.names(), table.table(), Arrays.toString(names().toArray()));
  }
}
