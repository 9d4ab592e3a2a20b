/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.reduction.TimeWindows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A column that a gather adds to rows. */
public sealed interface GatheredColumn {

  /** Returns the column of the table whose type and fill value it has. */
  FeatureColumn column();

  /** Returns the name that it has in the rows. */
  String name();

  /** Returns the ordinals of the format's columns that it is computed from. */
  List<Integer> read(FeatureFormat format);

  /**
   * A column as it is stored.
   *
   * @param ordinal ordinal in the format's columns
   */
  record Stored(int ordinal, FeatureColumn column) implements GatheredColumn {
    @Override
    public String name() {
      return column.name();
    }

    @Override
    public List<Integer> read(FeatureFormat format) {
      return List.of(ordinal);
    }
  }

  /** A window of a variable, which ends at the row's time. */
  record Window(FeatureColumn column, Duration length) implements GatheredColumn {
    @Override
    public String name() {
      return TimeWindows.column(column.name(), length);
    }

    @Override
    public List<Integer> read(FeatureFormat format) {
      return column.state().stream().map(name -> format.ordinal(name).orElseThrow()).toList();
    }

    /** Returns the number of tiles. */
    public int tiles() {
      return column.effective().windows().orElseThrow().tiles(length);
    }
  }

  /**
   * Returns the columns of a gather of one state.
   *
   * @param table the table's name, for messages
   * @param named names of columns; all variables if none is named
   * @param session compares names
   * @throws io.sparknd.tensor.SparkNdException if there is no such column, or it is a window
   */
  static List<Stored> stored(
      String table, FeatureFormat format, List<String> named, ColumnNameMatcher session) {
    List<String> wanted = named.isEmpty() ? format.variableNames() : named;
    List<Stored> columns = new ArrayList<>();
    for (String name : wanted) {
      Optional<Window> window = window(format, name, session);
      boolean isStored = session.contains(format.columnNames(), name);
      if (window.isPresent() && !isStored) {
        throw FeatureErrors.windowWithoutTime(
            table, window.get().name(), window.get().column().name());
      }
      int ordinal = format.ordinal(table, name, session);
      columns.add(new Stored(ordinal, format.columns().get(ordinal)));
    }
    return columns;
  }

  /**
   * Returns the columns of a gather of rows with times.
   *
   * @param table the table's name, for messages
   * @param named names of columns and windows; if none is named all variables, with their windows
   *     in place of those that have some
   * @param session compares names
   * @throws io.sparknd.tensor.SparkNdException if there is no such column or window, or a window
   *     has the name of a column
   */
  static List<GatheredColumn> timed(
      String table, FeatureFormat format, List<String> named, ColumnNameMatcher session) {
    requireDistinct(table, format);
    if (named.isEmpty()) {
      return format.variables().stream().flatMap(column -> all(format, column)).toList();
    }
    List<GatheredColumn> columns = new ArrayList<>();
    for (String name : named) {
      Optional<Window> window = window(format, name, session);
      columns.add(
          window.isPresent() ? window.get() : stored(table, format, List.of(name), session).get(0));
    }
    return columns;
  }

  private static Stream<GatheredColumn> all(FeatureFormat format, FeatureColumn column) {
    return column.effective().windows().isPresent()
        ? windows(column).map(window -> window)
        : Stream.of(new Stored(format.ordinal(column.name()).orElseThrow(), column));
  }

  private static Stream<Window> windows(FeatureColumn column) {
    return column.effective().windows().stream()
        .flatMap(windows -> windows.lengths().stream())
        .map(length -> new Window(column, length));
  }

  /** Returns the window of a name. */
  private static Optional<Window> window(
      FeatureFormat format, String name, ColumnNameMatcher session) {
    return format.variables().stream()
        .flatMap(GatheredColumn::windows)
        .filter(window -> session.areSame(window.name(), name))
        .findFirst();
  }

  /**
   * Checks that no window has the name of a column or of another window, in any case.
   *
   * @param table the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if one has
   */
  static void requireDistinct(String table, FeatureFormat format) {
    Set<String> taken = new HashSet<>();
    Stream.concat(
            format.axis().columns().stream().map(KeyColumn::name),
            format.columns().stream().map(FeatureColumn::name))
        .forEach(name -> taken.add(name.toLowerCase(Locale.ROOT)));
    for (FeatureColumn variable : format.variables()) {
      windows(variable)
          .map(Window::name)
          .filter(name -> !taken.add(name.toLowerCase(Locale.ROOT)))
          .forEach(
              name -> {
                throw FeatureErrors.windowName(table, name, variable.name());
              });
    }
  }
}
