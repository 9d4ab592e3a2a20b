/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;

/**
 * The record of a variable's state beside the properties that declare its reduction: the field ids
 * of the variable's column and of the columns of state, and the reduction that wrote them. Other
 * engines drop such a column and add another one of its name, which has no values, and change the
 * properties: tiles of days would be read as those of hours.
 *
 * @param entries as in {@code variable=3; columns=5,6; reduction=add; tile=1 day; tiles=7}
 */
public record StateRecord(Map<String, String> entries) {
  /** The option of a variable that has the record. */
  static final String OPTION = "state";

  private static final String VARIABLE = "variable";
  private static final String COLUMNS = "columns";
  private static final String REDUCTION = "reduction";
  private static final String SIZE = "size";
  private static final String TILE = "tile";
  private static final String TILES = "tiles";
  private static final List<String> OF_REDUCTION = List.of(REDUCTION, SIZE, TILE, TILES);

  /** The options of a variable that declare what the state is written for. */
  private static final Set<String> DECLARING =
      Set.of("reduction", "order", "size", "window", "tile");

  /** Returns the records of the variables that have columns of state, by property. */
  static Map<String, String> all(FeatureFormat format) {
    Map<String, String> records = new TreeMap<>();
    for (FeatureColumn variable : format.columns()) {
      if (!variable.state().isEmpty()) {
        records.put(FeatureProperties.key(variable.name(), OPTION), of(format, variable).text());
      }
    }
    return records;
  }

  /** Returns the records apart from those of variables whose columns others dropped. */
  static Set<String> ofColumns(Map<String, String> properties, Schema schema) {
    Set<String> records = new TreeSet<>();
    for (String property : properties.keySet()) {
      if (FeatureProperties.isOfVariable(property) && property.endsWith("." + OPTION)) {
        records.add(property);
      }
    }
    FeatureProperties.described(properties).stream()
        .filter(variable -> ColumnRecords.column(schema, variable).isEmpty())
        .forEach(variable -> records.remove(FeatureProperties.key(variable, OPTION)));
    return records;
  }

  /** Returns the record that the present columns of a variable would have. */
  static StateRecord of(FeatureFormat format, FeatureColumn variable) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put(VARIABLE, Integer.toString(variable.fieldId()));
    entries.put(
        COLUMNS,
        format.columns().stream()
            .filter(column -> variable.state().contains(column.name()))
            .map(column -> Integer.toString(column.fieldId()))
            .collect(Collectors.joining(",")));
    entries.putAll(declared(variable.effective()));
    return new StateRecord(entries);
  }

  /** The order is left out: the columns of state have its name. */
  private static Map<String, String> declared(VariableReduction reduction) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put(REDUCTION, reduction.name());
    reduction.size().ifPresent(size -> entries.put(SIZE, Integer.toString(size)));
    reduction
        .windows()
        .ifPresent(
            windows -> {
              entries.put(TILE, windows.tileText());
              entries.put(TILES, Integer.toString(windows.tiles(windows.longest())));
            });
    return entries;
  }

  /** Returns whether the state was written for a reduction, if the record names one. */
  boolean isOf(VariableReduction reduction) {
    return !entries.containsKey(REDUCTION) || declared().equals(declared(reduction));
  }

  private Map<String, String> declared() {
    Map<String, String> entries = new LinkedHashMap<>(entries());
    entries.keySet().retainAll(OF_REDUCTION);
    return entries;
  }

  /** Returns the reduction that the state was written for, as text for messages. */
  String reductionText() {
    return text(declared());
  }

  /** Returns a reduction as {@link #reductionText} does. */
  static String text(VariableReduction reduction) {
    return text(declared(reduction));
  }

  /**
   * Returns whether changes of properties only set reductions, which others changed, back to those
   * of the records.
   *
   * @param changes new values; empty for properties to remove
   */
  public static boolean restores(
      Map<String, String> properties, Map<String, Optional<String>> changes) {
    return changes.keySet().stream().allMatch(StateRecord::isDeclaring)
        && FeatureProperties.named(changes.keySet()).stream()
            .allMatch(
                variable ->
                    !declares(properties, variable)
                        && declares(StoredTypes.changed(properties, changes), variable));
  }

  private static boolean isDeclaring(String property) {
    return FeatureProperties.isOfVariable(property)
        && DECLARING.contains(property.substring(property.lastIndexOf('.') + 1));
  }

  /**
   * Returns whether properties declare the reduction that a variable's record has, if it has one.
   */
  private static boolean declares(Map<String, String> properties, String variable) {
    String record = properties.get(FeatureProperties.key(variable, OPTION));
    try {
      return record == null
          || parse(record)
              .isOf(
                  FeatureProperties.reduction(variable, properties)
                      .orElse(VariableReduction.update()));
    } catch (SparkNdException e) { // a property is missing, or malformed
      return false;
    }
  }

  /**
   * Returns the record of a variable.
   *
   * @return empty if the table is from before there were records, it was removed, or it is that of
   *     another column of the variable's name
   */
  static Optional<StateRecord> in(Map<String, String> properties, FeatureColumn variable) {
    return Optional.ofNullable(properties.get(FeatureProperties.key(variable.name(), OPTION)))
        .map(StateRecord::parse)
        .filter(
            record -> Integer.toString(variable.fieldId()).equals(record.entries().get(VARIABLE)));
  }

  private static StateRecord parse(String text) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : text.split(";")) {
      int end = entry.indexOf('=');
      if (end > 0) {
        entries.put(entry.substring(0, end).strip(), entry.substring(end + 1).strip());
      }
    }
    return new StateRecord(entries);
  }

  private String text() {
    return text(entries);
  }

  private static String text(Map<String, String> entries) {
    return entries.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining("; "));
  }

  /**
   * Returns the field ids of columns that took the place of recorded ones. A class of a custom
   * reduction may need further columns, or fewer; one that is renamed keeps its field id.
   *
   * @param now what would be recorded now
   */
  Set<String> replacements(StateRecord now) {
    Set<String> replaced = now.columns();
    replaced.removeAll(columns());
    return now.columns().containsAll(columns()) ? Set.of() : replaced;
  }

  private Set<String> columns() {
    return new TreeSet<>(Arrays.asList(entries.getOrDefault(COLUMNS, "").split(",")));
  }
}
