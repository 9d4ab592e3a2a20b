/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.CommitBackoff;
import io.sparknd.table.internal.store.PartitionNames;
import io.sparknd.table.internal.store.TableTransaction;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/** Changes the variables, the size or the buckets of a feature table: its metadata only. */
public record FeatureEvolution(StoredFeatures stored) {
  private static final int FIRST_WITH_DEFAULTS = 3;
  private static final int MAX_ATTEMPTS = 20;

  /**
   * Applies a change to a table, and again if another commit came before it.
   *
   * @param change checks and changes the table in its current state
   * @throws io.sparknd.table.exceptions.CommitConflictException if other commits won every race
   */
  public static void apply(SparkSession spark, String table, Consumer<FeatureEvolution> change) {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        change.accept(new FeatureEvolution(FeatureCatalog.toWrite(spark, table)));
        return;
      } catch (CommitConflictException e) {
        CommitBackoff.pause(attempt);
      }
    }
    throw TableErrors.commitLost(table, MAX_ATTEMPTS);
  }

  /**
   * Adds variables. Rows that exist have their fill values, which are the columns' defaults where
   * the format and the type have one.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is such a column, or the variable's type
   *     and its reduction or shape do not match
   */
  public void add(List<Variable> variables) {
    List<Variable> all = new ArrayList<>(described());
    all.addAll(variables);
    Map<Variable, List<StructField>> state = new LinkedHashMap<>();
    for (Variable variable : variables) {
      FeatureProperties.requireOwnDType(variable);
      state.put(variable, List.of(FeatureCatalog.state(variable, all).fields()));
      requireFree(variable.name());
      windowNames(variable.name(), variable.reduction()).forEach(this::requireFree);
      state
          .get(variable)
          .forEach(field -> requireFree(FeatureProperties.stateColumn(variable.name(), field)));
    }
    change(
        transaction -> {
          UpdateSchema schema = transaction.updateSchema();
          variables.forEach(variable -> addColumn(schema, variable));
          state.forEach((variable, fields) -> addState(schema, variable, fields));
          schema.commit();
          UpdateProperties properties = transaction.updateProperties();
          variables.forEach(variable -> declare(properties, variable));
          properties.commit();
        });
  }

  /** Another program that drops a column leaves the properties of its variable. */
  private void declare(UpdateProperties properties, Variable variable) {
    Map<String, String> declared = FeatureProperties.of(variable);
    removeOthers(properties, variable.name(), declared.keySet());
    declared.forEach(properties::set);
  }

  /** Removes the properties of a name that are not among those to set. */
  private void removeOthers(UpdateProperties properties, String name, Set<String> kept) {
    FeatureProperties.ofVariable(stored.table().properties(), name).keySet().stream()
        .map(option -> FeatureProperties.key(name, option))
        .filter(key -> !kept.contains(key))
        .forEach(properties::remove);
  }

  private static void addState(UpdateSchema schema, Variable variable, List<StructField> fields) {
    for (StructField field : fields) {
      schema.addColumn(
          FeatureProperties.stateColumn(variable.name(), field),
          SparkSchemaUtil.convert(field.dataType()));
    }
  }

  /** Tells whether a row of a table has a value of a variable. */
  public interface ValueCheck {
    boolean hasValues(StoredFeatures table, FeatureColumn variable);

    /** Makes a change fail if the table has got rows that were not checked. */
    default void bind(Transaction transaction) {}
  }

  /**
   * Changes the properties that declare variables. With a fill value, the column's default in
   * Iceberg changes, by which other engines write rows, where there is one.
   *
   * @param changes new values; empty for properties to remove
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable or option, or a
   *     variable that has values would need or lose the state of a reduction
   */
  public void declare(Map<String, Optional<String>> changes, ValueCheck check) {
    Map<String, String> next = StoredTypes.changed(stored.table().properties(), changes);
    List<Variable> all = described();
    Map<Variable, List<StructField>> added = new LinkedHashMap<>();
    List<String> dropped = new ArrayList<>();
    Map<String, Optional<String>> written = new HashMap<>(changes);
    for (String name : FeatureProperties.named(changes.keySet())) {
      FeatureColumn column = variable(name);
      Variable declared = FeatureProperties.variable(name, column.type().sql(), next);
      List<StructField> state = List.of(FeatureCatalog.state(declared, all).fields());
      requireType(column, declared, check);
      written.put(
          FeatureProperties.key(name, StoredTypes.OPTION),
          StoredTypes.declared(declared.dtype(), declared.shape()));
      written.computeIfPresent(
          FeatureProperties.key(name, "fill"),
          (key, fill) -> fill.map(text -> FillValues.stored(text, declared)));
      if (declared.reduction().flatMap(VariableReduction::windows).isEmpty()
          && next.containsKey(FeatureProperties.key(name, WindowZones.OPTION))) {
        written.putIfAbsent(FeatureProperties.key(name, WindowZones.OPTION), Optional.empty());
      }
      if (isRedeclared(column, declared, state)) {
        requireNoValues(column, declared, check);
        dropped.addAll(column.state());
        added.put(declared, state);
      }
    }
    requireFormat(StoredTypes.changed(next, written));
    requireNoFillOfAge(written, StoredTypes.changed(next, written));
    change(
        transaction -> {
          UpdateSchema schema = transaction.updateSchema();
          dropped.forEach(schema::deleteColumn);
          added.forEach((variable, fields) -> addState(schema, variable, fields));
          updateDefaults(schema, written);
          schema.commit();
          UpdateProperties properties = transaction.updateProperties();
          set(properties, written);
          properties.commit();
          check.bind(transaction);
        });
  }

  /**
   * Sets or removes fill values of variables. Their columns' defaults in Iceberg, by which other
   * engines write rows, become the same where there are some.
   *
   * @param fills the texts of the values by variable; empty to remove one
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable, or a text is not a
   *     value of its type
   */
  public void fill(Map<String, Optional<String>> fills) {
    Map<String, Optional<String>> written = new TreeMap<>();
    fills.forEach(
        (name, fill) -> {
          Variable variable =
              FeatureProperties.variable(name, variable(name).type().sql(), Map.of());
          written.put(
              FeatureProperties.key(name, "fill"),
              fill.map(text -> FillValues.stored(text, variable)));
        });
    Map<String, String> next = StoredTypes.changed(stored.table().properties(), written);
    requireFormat(next);
    requireNoFillOfAge(written, next);
    change(
        transaction -> {
          UpdateSchema schema = transaction.updateSchema();
          updateDefaults(schema, written);
          schema.commit();
          UpdateProperties properties = transaction.updateProperties();
          set(properties, written);
          properties.commit();
        });
  }

  /** Changes the defaults of the columns whose fill values change. */
  private void updateDefaults(UpdateSchema schema, Map<String, Optional<String>> changes) {
    stored.format().variables().stream()
        .map(FeatureColumn::name)
        .filter(name -> changes.containsKey(FeatureProperties.key(name, "fill")))
        .forEach(
            name ->
                updateDefault(
                    schema,
                    name,
                    changes.getOrDefault(FeatureProperties.key(name, "fill"), Optional.empty())));
  }

  private void updateDefault(UpdateSchema schema, String name, Optional<String> fill) {
    Types.NestedField field = stored.table().schema().asStruct().field(name);
    if (field.writeDefault() != null) {
      schema.updateColumnDefault(
          name, fill.map(text -> SparkDefaults.literal(field.type(), text)).orElse(null));
    }
  }

  /** Checks that the column from which the age of rows counts gets no fill value. */
  private void requireNoFillOfAge(Map<String, Optional<String>> changes, Map<String, String> next) {
    String age = FeatureProperties.key(String.valueOf(next.get(TimeToLive.COLUMN)), "fill");
    if (changes.getOrDefault(age, Optional.empty()).isPresent()) {
      TimeToLive.in(next, stored.table().schema());
    }
  }

  private static void set(UpdateProperties properties, Map<String, Optional<String>> changes) {
    changes.forEach(
        (key, value) ->
            value.ifPresentOrElse(text -> properties.set(key, text), () -> properties.remove(key)));
  }

  private void requireFormat(Map<String, String> properties) {
    int buckets = BucketSpecs.buckets(stored.table().spec());
    GatheredColumn.requireDistinct(
        stored.name(),
        FeatureProperties.format(stored.name(), stored.table().schema(), properties, buckets));
  }

  /** Checks that values, which would be read as others, keep their dtype and shape. */
  private void requireType(FeatureColumn column, Variable declared, ValueCheck check) {
    CellType next =
        FeatureProperties.type(
            column.type().sql(), declared.dtype(), declared.shape(), column.name());
    if (!next.equals(column.type()) && check.hasValues(stored, column)) {
      throw CatalogErrors.retypedLate(
          stored.name(), column.name(), column.type().text(), next.text());
    }
  }

  /** Returns whether a reduction with a state changes, which then starts anew. */
  private static boolean isRedeclared(
      FeatureColumn column, Variable declared, List<StructField> state) {
    VariableReduction next = declared.reduction().orElse(VariableReduction.update());
    boolean isSame = next.equals(column.effective()) || hasTilesOf(next, column.effective());
    return !isSame && (!state.isEmpty() || !column.state().isEmpty());
  }

  /** Returns whether a reduction has other windows, but the same longest one, of the same tiles. */
  private static boolean hasTilesOf(VariableReduction next, VariableReduction before) {
    if (next.windows().isEmpty() || before.windows().isEmpty()) {
      return false;
    }
    TimeWindows windows = next.windows().get();
    TimeWindows kept = before.windows().get();
    return next.name().equals(before.name())
        && next.size().equals(before.size())
        && next.orderBy().equals(before.orderBy())
        && windows.tile().equals(kept.tile())
        && windows.longest().equals(kept.longest());
  }

  private void requireNoValues(FeatureColumn column, Variable declared, ValueCheck check) {
    if (check.hasValues(stored, column)) {
      throw CatalogErrors.declaredLate(
          stored.name(),
          column.name(),
          declared.reduction().map(VariableReduction::toString).orElse("update"));
    }
  }

  private void addColumn(UpdateSchema schema, Variable variable) {
    Type type = FeatureCatalog.columnType(variable);
    boolean isSlice = type.typeId() == Type.TypeID.BINARY && variable.dtype().isPresent();
    Literal<?> initial =
        TableUtil.formatVersion(stored.table()) < FIRST_WITH_DEFAULTS
                || variable.fill().isEmpty()
                || isSlice
            ? null
            : SparkDefaults.literal(type, FillValues.stored(variable.fill().get(), variable));
    if (initial == null) {
      schema.addColumn(variable.name(), type);
    } else {
      schema.addColumn(variable.name(), type, initial);
    }
  }

  /** Returns the table's columns as variables, which may order the updates of others. */
  private List<Variable> described() {
    return stored.format().columns().stream()
        .map(
            column ->
                new Variable(
                    column.name(),
                    column.type().sql(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()))
        .toList();
  }

  private void requireFree(String name) {
    boolean isTaken =
        Stream.concat(
                stored.table().schema().columns().stream().map(Types.NestedField::name),
                stored.format().variables().stream()
                    .flatMap(
                        column ->
                            windowNames(column.name(), Optional.of(column.effective())).stream()))
            .anyMatch(name::equalsIgnoreCase);
    if (isTaken) {
      throw FeatureErrors.variableExists(stored.name(), name);
    }
    if (PartitionNames.of(stored.table()).contains(name)) {
      throw FeatureErrors.partitionField(stored.name(), name);
    }
  }

  private static List<String> windowNames(String variable, Optional<VariableReduction> reduction) {
    return reduction.flatMap(VariableReduction::windows).stream()
        .flatMap(windows -> windows.lengths().stream())
        .map(length -> TimeWindows.column(variable, length))
        .toList();
  }

  /**
   * Renames a variable, its state columns and its properties.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable, a column has the new
   *     name, or it orders the updates of another one
   */
  public void rename(String from, String to) {
    FeatureColumn column = variable(from);
    requireFree(to);
    windowNames(to, Optional.of(column.effective())).forEach(this::requireFree);
    requireUnused(from, List.of());
    change(
        transaction -> {
          UpdateSchema schema = transaction.updateSchema();
          schema.renameColumn(from, to);
          for (String state : column.state()) {
            schema.renameColumn(state, to + state.substring(from.length()));
          }
          schema.commit();
          UpdateProperties properties = transaction.updateProperties();
          Map<String, String> all = stored.table().properties();
          Map<String, String> moved = new TreeMap<>();
          FeatureProperties.ofVariable(all, from)
              .forEach((option, value) -> moved.put(FeatureProperties.key(to, option), value));
          removeOthers(properties, from, Set.of());
          removeOthers(properties, to, moved.keySet());
          moved.forEach(properties::set);
          if (from.equals(all.get(TimeToLive.COLUMN))) {
            properties.set(TimeToLive.COLUMN, to);
          }
          properties.commit();
        });
  }

  /**
   * Drops variables, their state columns and their properties.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable, or one orders the
   *     updates of a variable that stays
   */
  public void drop(List<String> names) {
    List<FeatureColumn> columns = names.stream().map(this::variable).toList();
    for (String name : names) {
      requireUnused(name, names);
      if (name.equals(stored.table().properties().get(TimeToLive.COLUMN))) {
        throw FeatureErrors.timeToLiveColumn(stored.name(), name);
      }
    }
    change(
        transaction -> {
          UpdateSchema schema = transaction.updateSchema();
          for (FeatureColumn column : columns) {
            schema.deleteColumn(column.name());
            column.state().forEach(schema::deleteColumn);
          }
          schema.commit();
          UpdateProperties properties = transaction.updateProperties();
          for (String name : names) {
            FeatureProperties.ofVariable(stored.table().properties(), name)
                .keySet()
                .forEach(option -> properties.remove(FeatureProperties.key(name, option)));
          }
          properties.commit();
        });
  }

  /**
   * Changes the type of a variable to a wider one: int to bigint, float to double, or a decimal to
   * one of more digits. Values and tiles that exist are read as what they are.
   *
   * @throws io.sparknd.tensor.SparkNdException if the column is no variable, its values cannot be
   *     read as the other type, or the columns of state of a reduction would need another type
   */
  public void widen(String name, DataType type) {
    WidenedType widened = WidenedType.of(stored, name, type);
    Map<String, Optional<String>> dtypes = widened.properties();
    Map<String, String> next = StoredTypes.changed(stored.table().properties(), dtypes);
    if (!states(described(), stored.table().properties())
        .equals(states(widened.of(described()), next))) {
      throw widened.refused();
    }
    change(
        transaction -> {
          transaction.updateSchema().updateColumn(name, widened.wide()).commit();
          UpdateProperties properties = transaction.updateProperties();
          set(properties, dtypes);
          properties.commit();
        });
  }

  /** Returns the fields of the states of reductions if the table's columns are these variables. */
  private static List<List<StructField>> states(
      List<Variable> columns, Map<String, String> properties) {
    return columns.stream()
        .map(column -> FeatureProperties.variable(column.name(), column.type(), properties))
        .map(variable -> List.of(FeatureCatalog.state(variable, columns).fields()))
        .toList();
  }

  private FeatureColumn variable(String name) {
    return stored.format().variables().stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> FeatureErrors.noVariable(stored.name(), name, stored.format().variableNames()));
  }

  /**
   * Checks that a variable orders the updates of no other one, which name it by its name.
   *
   * @param except variables that may be ordered by it
   */
  private void requireUnused(String name, List<String> except) {
    for (FeatureColumn other : stored.format().variables()) {
      if (!except.contains(other.name())
          && other.effective().orderBy().filter(name::equals).isPresent()) {
        throw FeatureErrors.variableInUse(stored.name(), name, other.name());
      }
    }
  }

  /**
   * Sets the number of buckets of new files; files that exist keep theirs until they are compacted.
   *
   * @param buckets a multiple of the current number
   */
  public void rebucket(int buckets) {
    FeatureAxis.Labelled axis = (FeatureAxis.Labelled) stored.format().axis();
    String column = axis.bucketColumn().name();
    change(
        transaction -> {
          String field = BucketSpecs.field(stored.table().spec()).name();
          transaction
              .updateSpec()
              .removeField(field)
              .addField(
                  PartitionNames.free(stored.table().schema(), column + "_bucket_" + buckets),
                  Expressions.bucket(column, buckets))
              .commit();
        });
  }

  private void change(Consumer<Transaction> change) {
    try {
      TableTransaction.commit(
          stored.name(),
          stored.table(),
          change.andThen(transaction -> ColumnRecords.update(stored.name(), transaction)));
    } catch (CommitFailedException e) {
      throw TableErrors.commitLost(stored.name(), 1);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("changing", stored.name(), e);
    }
    stored.refresh();
  }
}
