/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.plan.SliceOrdinals.ValueFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Finds the columns of a call's tables. Names given by options take precedence, then the column
 * names of the tensor's own table. Positions are used only if the other table has none of these
 * names. If it has some of them and the role of the others is ambiguous, the call fails.
 */
final class ColumnResolver {
  private final TableArgument table;
  private final TensorOptions options;
  private final TensorNames tensor;
  private final List<Integer> orderBy;

  private ColumnResolver(TableArgument table, TensorOptions options, TensorNames tensor) {
    this.table = table;
    this.options = options;
    this.tensor = tensor;
    this.orderBy = table.orderedBy(options.orderBy());
  }

  /**
   * Returns the columns of the tensor's own table, using the names in {@code options} that it has.
   * The tensor may lack names that the other table has, whose index tuples can be longer.
   */
  static SliceOrdinals ofTensor(TableArgument tensor, TensorOptions options) {
    List<String> indices =
        options.indexColumns().orElse(List.of()).stream()
            .filter(name -> tensor.find(name).isPresent())
            .toList();
    TensorOptions own =
        options
            .valueColumn()
            .filter(name -> tensor.find(name).isPresent())
            .map(TensorOptions.NONE::withValueColumn)
            .orElse(TensorOptions.NONE);
    return isInOrder(tensor, indices) && (indices.isEmpty() || isValueLast(tensor, own))
        ? SliceOrdinals.of(tensor, own)
        : SliceOrdinals.of(tensor, own.withIndexColumns(indices.toArray(String[]::new)));
  }

  /**
   * Returns the columns of the tensor that a gather reads. The value column is in this table only.
   *
   * @throws io.sparknd.tensor.SparkNdException if it lacks the value column that options name
   */
  static SliceOrdinals ofParams(TableArgument params, TensorOptions options) {
    options.valueColumn().ifPresent(params::ordinal);
    return ofTensor(params, options);
  }

  /**
   * Whether {@code names} are the first columns, in order, without the last column. If so, all
   * columns but the last are index columns; a gather may name fewer.
   */
  private static boolean isInOrder(TableArgument tensor, List<String> names) {
    List<Integer> ordinals = names.stream().map(tensor::ordinal).toList();
    return ordinals.equals(IntStream.range(0, names.size()).boxed().toList())
        && names.size() < tensor.columns().size();
  }

  /** Whether no column follows the value that options name; if none does, it is the last. */
  private static boolean isValueLast(TableArgument tensor, TensorOptions own) {
    int last = tensor.columns().size() - 1;
    return own.valueColumn().map(tensor::ordinal).orElse(last) == last;
  }

  /** Returns the columns of a table of updates. */
  static SliceOrdinals ofUpdates(TableArgument updates, TensorOptions options, TensorNames tensor) {
    return new ColumnResolver(updates, options, tensor).updates();
  }

  /**
   * Returns the index columns of a table of indices; by default, as many as the tensor's table has.
   */
  static List<Integer> ofIndices(TableArgument indices, TensorOptions options, TensorNames tensor) {
    return new ColumnResolver(indices, options, tensor).indices();
  }

  private SliceOrdinals updates() {
    if (options.indexColumns().isPresent()) {
      return of(options.indexColumns().get());
    }
    Set<Integer> found = foundIndices();
    Optional<Integer> value = options.valueColumn().or(this::ownValue).map(table::ordinal);
    if (found.size() == tensor.indices().size() && (!found.isEmpty() || value.isPresent())) {
      return value.isPresent()
          ? withLongerTuples(ordered(), value.get())
          : byPosition(ordered(), onlyBeside(found));
    }
    if (found.isEmpty() && ownValue().isEmpty()) {
      return SliceOrdinals.of(table, options);
    }
    List<Integer> rest = rest(value.map(Set::of).orElse(Set.of()));
    if (found.isEmpty() && value.isPresent() && rest.size() == 1 && tensor.indices().size() == 1) {
      return checked(rest, value.get());
    }
    throw halfway();
  }

  /**
   * For named index columns: finds the value column by name, otherwise among the remaining columns.
   */
  private SliceOrdinals of(List<String> indices) {
    List<Integer> ordinals = indices.stream().map(table::ordinal).toList();
    Optional<Integer> value =
        options
            .valueColumn()
            .map(table::ordinal)
            .or(() -> ownValue().map(table::ordinal).filter(own -> !ordinals.contains(own)));
    return value.isPresent()
        ? checked(ordinals, value.get())
        : byPosition(ordinals, valueBeside(Set.copyOf(ordinals)));
  }

  private int valueBeside(Set<Integer> taken) {
    List<Integer> rest = rest(taken);
    if (rest.isEmpty() || rest.size() > 1 && !foundIndices().isEmpty()) {
      throw halfway();
    }
    return rest.get(rest.size() - 1);
  }

  /** For a value column whose name differs from the tensor's: returns the only remaining column. */
  private int onlyBeside(Set<Integer> indices) {
    List<Integer> rest = rest(indices);
    if (rest.size() != 1) {
      throw halfway();
    }
    return rest.get(0);
  }

  /**
   * For tables with all of the tensor's index columns: the other columns except the value index
   * inner dimensions.
   */
  private SliceOrdinals withLongerTuples(List<Integer> first, int value) {
    List<Integer> rest = new ArrayList<>(rest(Set.copyOf(first)));
    rest.remove((Integer) value);
    List<Integer> indices = new ArrayList<>(first);
    indices.addAll(rest);
    return checked(indices, value);
  }

  private List<Integer> indices() {
    List<Integer> found =
        options
            .indexColumns()
            .map(names -> requireIntegers(names.stream().map(table::ordinal).toList()))
            .orElseGet(this::unnamedIndices);
    requireNoOtherRole(found, Optional.empty());
    return found;
  }

  private List<Integer> unnamedIndices() {
    int depth = tensor.indices().size();
    Set<Integer> found = foundIndices();
    if (found.size() == depth) {
      return requireIntegers(ordered());
    }
    if (!found.isEmpty() || ownValue().isPresent()) {
      throw halfway();
    }
    if (table.columns().size() < depth) {
      throw SqlErrors.tooFewIndexColumns(table.name(), table.names(), depth);
    }
    return requireIntegers(IntStream.range(0, depth).boxed().toList());
  }

  private Set<Integer> foundIndices() {
    Set<Integer> found = new TreeSet<>();
    for (String name : tensor.indices()) {
      OptionalInt ordinal = table.find(name);
      ordinal.ifPresent(found::add);
    }
    return found;
  }

  /** Returns the ordinals of the tensor's index columns, outermost first. */
  private List<Integer> ordered() {
    return tensor.indices().stream().map(table::ordinal).toList();
  }

  /** Returns the name of the tensor's value column, if this table has it. */
  private Optional<String> ownValue() {
    return Optional.of(tensor.value()).filter(name -> table.find(name).isPresent());
  }

  private List<Integer> rest(Set<Integer> taken) {
    return IntStream.range(0, table.columns().size())
        .filter(ordinal -> !taken.contains(ordinal) && !orderBy.contains(ordinal))
        .boxed()
        .toList();
  }

  private SliceOrdinals checked(List<Integer> indices, int value) {
    return checked(indices, value, ValueFound.BY_NAME);
  }

  /** For a value column that nothing names, which may not be a partition column. */
  private SliceOrdinals byPosition(List<Integer> indices, int value) {
    SliceOrdinals.requireNoPartition(table, value);
    return checked(indices, value, ValueFound.BY_POSITION);
  }

  private SliceOrdinals checked(List<Integer> indices, int value, ValueFound found) {
    requireNoOtherRole(indices, Optional.of(value));
    return new SliceOrdinals(requireIntegers(indices), value, orderBy, found);
  }

  /** Fails if a column has a different role in the tensor under the same name. */
  private void requireNoOtherRole(List<Integer> indices, Optional<Integer> value) {
    boolean isValueAnIndex =
        indices.stream().anyMatch(ordinal -> table.isNamed(ordinal, tensor.value()));
    boolean isIndexAValue =
        value.stream()
            .anyMatch(
                ordinal ->
                    tensor.indices().stream().anyMatch(name -> table.isNamed(ordinal, name)));
    if (isValueAnIndex || isIndexAValue || isAnotherDimension(indices)) {
      throw halfway();
    }
  }

  /** Whether an index column has the name of the tensor's index column for another dimension. */
  private boolean isAnotherDimension(List<Integer> indices) {
    List<String> names = tensor.indices();
    return IntStream.range(0, indices.size())
        .anyMatch(
            place ->
                IntStream.range(0, names.size())
                    .filter(dimension -> dimension != place)
                    .anyMatch(
                        dimension -> table.isNamed(indices.get(place), names.get(dimension))));
  }

  private List<Integer> requireIntegers(List<Integer> ordinals) {
    ordinals.forEach(ordinal -> SliceOrdinals.requireInteger(table.columns().get(ordinal)));
    return ordinals;
  }

  private RuntimeException halfway() {
    return SqlErrors.columnsHalfNamed(table.name(), table.names(), tensor.shown(), tensor.value());
  }
}
