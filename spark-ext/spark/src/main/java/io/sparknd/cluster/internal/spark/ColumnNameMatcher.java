/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Compares names of columns as a session does.
 *
 * @param caseSensitive whether case matters, by {@code spark.sql.caseSensitive}
 */
public record ColumnNameMatcher(boolean caseSensitive) {

  /** Returns the comparison of the session of {@code rows}. */
  public static ColumnNameMatcher in(Dataset<Row> rows) {
    return in(ClassicSpark.of(rows).sparkSession());
  }

  /** Returns the comparison of {@code spark}. */
  public static ColumnNameMatcher in(SparkSession spark) {
    return new ColumnNameMatcher(
        ClassicSpark.of(spark).sessionState().conf().caseSensitiveAnalysis());
  }

  public boolean areSame(String one, String other) {
    return caseSensitive ? one.equals(other) : one.equalsIgnoreCase(other);
  }

  /** Whether two lists have the same names in the same order. */
  public boolean areSame(List<String> some, List<String> others) {
    return some.size() == others.size()
        && IntStream.range(0, some.size()).allMatch(i -> areSame(some.get(i), others.get(i)));
  }

  public boolean contains(List<String> names, String column) {
    return names.stream().anyMatch(name -> areSame(name, column));
  }

  /**
   * Whether columns that are given by position for those of a key have the name of another column
   * of the key: they would be taken for that, without an error.
   *
   * @param given as many columns as {@code key} has
   */
  public boolean areExchanged(List<String> key, List<String> given) {
    return IntStream.range(0, given.size())
        .anyMatch(
            place -> !areSame(key.get(place), given.get(place)) && contains(key, given.get(place)));
  }

  /**
   * Returns the position of {@code column} among {@code names}.
   *
   * @throws io.sparknd.tensor.SparkNdException if no name or several names match
   */
  public int ordinal(String[] names, String column) {
    int[] found = IntStream.range(0, names.length).filter(i -> areSame(names[i], column)).toArray();
    if (found.length == 0) {
      throw SparkErrors.noSuchColumn(column, Arrays.toString(names));
    }
    if (found.length > 1) {
      throw SparkErrors.ambiguousColumn(column, Arrays.toString(names));
    }
    return found[0];
  }
}
