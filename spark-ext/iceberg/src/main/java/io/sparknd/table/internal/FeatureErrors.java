/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_SPEC;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_TABLE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.SNAPSHOT_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_REDUCTION;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedAttribute;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Errors of feature tables. */
public final class FeatureErrors {
  private FeatureErrors() {}

  public static SparkNdException unreadableValidAt(String table, long snapshot, String text) {
    return state(
        INVALID_TENSOR_TABLE.sub("UNREADABLE_VALID_AT"),
        "snapshot <snapshot> of table <table> has sparknd.valid-at '<text>' in its summary, which is not a time of ISO 8601 with seconds and a time zone, such as 2026-05-01T00:00:00Z, so from when it counts is not known: roll the table back to the snapshot before it, or expire it; until then gather by the clock of commits, or from an earlier snapshot",
        snapshot,
        table,
        text);
  }

  public static SparkNdException notAFeatureTable(String table) {
    return state(
        INVALID_TENSOR_TABLE.sub("NOT_A_FEATURE_TABLE"),
        "table <table> has no property sparknd.key, so it is not a feature table: create it with SparkND, or adopt it",
        table);
  }

  public static SparkNdException noTableColumn(String table, String column, List<String> columns) {
    return state(
        INVALID_TENSOR_TABLE.sub("NO_TABLE_COLUMN"),
        "table <table> has no column <column>, which its SparkND properties name; its columns are <columns>: correct the properties",
        table,
        column,
        columns);
  }

  public static SparkNdException variableRenamed(
      String table, String variable, String column, String properties) {
    return state(
        INVALID_TENSOR_TABLE.sub("VARIABLE_RENAMED"),
        "column <variable> of table <table> was renamed to <column>, but its properties <properties> were not: rename it back, and then by renameVariable or the ALTER TABLE of a TensorCatalog",
        variable,
        table,
        column,
        properties);
  }

  public static SparkNdException variableReplaced(
      String table, String variable, String properties, String record) {
    return state(
        INVALID_TENSOR_TABLE.sub("VARIABLE_REPLACED"),
        "column <variable> of table <table> is not the one that its properties <properties> describe, which was dropped: unset <record> if they describe this one, too; if not, drop it by a catalog of Iceberg's own, and add it by addVariable or the ALTER TABLE of a TensorCatalog",
        variable,
        table,
        properties,
        record);
  }

  public static SparkNdException variableRetyped(
      String table, String variable, String declared, String stored, String dtype, String shape) {
    return state(
        INVALID_TENSOR_TABLE.sub("VARIABLE_RETYPED"),
        "dtype and shape of variable <variable> of table <table> are <declared> by its properties, which others changed, and <stored> by its values: set <dtype> and <shape> back, and add another variable of the other type",
        variable,
        table,
        declared,
        stored,
        dtype,
        shape);
  }

  public static SparkNdException variableRedeclared(
      String table, String variable, String declared, String stored, String properties) {
    return state(
        INVALID_TENSOR_TABLE.sub("VARIABLE_REDECLARED"),
        "variable <variable> of table <table> is reduced by <declared> by its properties, which others changed, and by <stored> in its columns of state: set <properties> back, and add another variable of the other reduction",
        variable,
        table,
        declared,
        stored,
        properties);
  }

  public static SparkNdException stateColumn(
      String table, String variable, String reduction, String column, String wanted, String found) {
    return state(
        INVALID_TENSOR_TABLE.sub("STATE_COLUMN"),
        "column <column> of table <table>, the state of reduction '<reduction>' of variable <variable>, is <found>; it needs <wanted>: roll the change of the schema back, or change the type of that column, too, by a catalog of Iceberg's own. A column that is added in its place has no values",
        column,
        table,
        reduction,
        variable,
        found,
        wanted);
  }

  public static SparkNdException olderState(
      String table, String variable, String reduction, String column, String type) {
    return state(
        INVALID_TENSOR_TABLE.sub("OLDER_STATE"),
        "column <column> of table <table>, the state of reduction '<reduction>' of variable <variable>, is that of a column of this name that was dropped: drop the column of state, too, and add it again as <type>, by a catalog of Iceberg's own",
        column,
        table,
        reduction,
        variable,
        type);
  }

  public static SparkNdException unknownVariableOption(
      String table, String property, String nearest) {
    return state(
        INVALID_TENSOR_TABLE.sub("UNKNOWN_VARIABLE_OPTION"),
        "table <table> has the property <property>, which this SparkND does not know; the nearest that it knows is <nearest>. If it is misspelt, unset it and set that one; if a later version of SparkND has set it, use that version",
        table,
        property,
        nearest);
  }

  public static SparkNdException stateReplaced(
      String table, String variable, String reduction, String column, String record) {
    return state(
        INVALID_TENSOR_TABLE.sub("STATE_REPLACED"),
        "column <column> of table <table> is not the one that had the state of reduction '<reduction>' of variable <variable>, which was dropped with its values: roll the change of the schema back. If all values may start over, drop the variable, too, by a catalog of Iceberg's own, and add it by addVariable or the ALTER TABLE of a TensorCatalog; if there are none, unset <record>",
        column,
        table,
        reduction,
        variable,
        record);
  }

  public static SparkNdException noKeyColumn() {
    return attribute(
        INVALID_TABLE_SPEC.sub("NO_KEY_COLUMN"),
        "a feature table needs a key of at least one column");
  }

  public static SparkNdException keyType(String column, String type) {
    return dtype(
        INVALID_TABLE_SPEC.sub("KEY_TYPE"),
        "key column <column> is <type>; a key is string, bigint, int, date, binary or uuid",
        column,
        type);
  }

  public static SparkNdException collation(String column, String type) {
    return dtype(
        INVALID_TABLE_SPEC.sub("COLLATION"),
        "column <column> is <type>; an Iceberg table has no collations, and SparkND compares strings by their bytes: declare it as <wanted>",
        column,
        type,
        type.replaceAll(" collate \\w+", ""));
  }

  public static SparkNdException textLength(String column, String type, String wanted) {
    return dtype(
        INVALID_TABLE_SPEC.sub("TEXT_LENGTH"),
        "column <column> is <type>; strings of an Iceberg table have no length, so it would not be kept: declare it as <wanted>, and check lengths where rows are made",
        column,
        type,
        wanted);
  }

  public static SparkNdException keyDefault(String column) {
    return attribute(
        INVALID_TABLE_SPEC.sub("KEY_DEFAULT"),
        "key column <column> has a DEFAULT, but each row has a key of its own: omit it",
        column);
  }

  public static SparkNdException unknownReduction(String name) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_VARIABLE_REDUCTION"),
        "reduction '<name>' is unknown; use update, add, mul, min, max, fmin, fmax, count, mean, last, first, last_n, hll_union, theta_union, or custom:CLASS",
        name);
  }

  public static SparkNdException reductionOptionMissing(
      String reduction, String option, String call) {
    return attribute(
        INVALID_TABLE_SPEC.sub("REDUCTION_OPTION_MISSING"),
        "reduction '<reduction>' needs the option <option>: write <call>, or set the property"
            + " sparknd.variable.NAME.<option>",
        reduction,
        option,
        call,
        option);
  }

  public static SparkNdException windowPropertyMissing(String variable, String property) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW_PROPERTY_MISSING"),
        "variable <variable> has windows, which need the property <property>: set it",
        variable,
        property);
  }

  public static SparkNdException reductionOfType(
      String variable, String reduction, String type, String reason) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("REDUCTION_OF_TYPE"),
        "reduction '<reduction>' of variable <variable>, which is <type>: <reason>",
        reduction,
        variable,
        type,
        String.valueOf(reason));
  }

  public static SparkNdException badWindowLength(Duration length) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW_LENGTH"),
        "a window or tile of <length> is not possible: its length is a positive number of whole seconds",
        length);
  }

  public static SparkNdException noWindow() {
    return attribute(
        INVALID_TABLE_SPEC.sub("NO_WINDOW"), "windows need at least one length, such as 7 days");
  }

  public static SparkNdException badWindow(String window, String tile, int most) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW"),
        "a window of <window> in tiles of <tile> is not possible: windows differ, and each is 1 to <most> whole tiles",
        window,
        tile,
        most);
  }

  public static SparkNdException windowText(String text) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW_TEXT"),
        "'<text>' is not a length of time: write a whole number of weeks, days, hours, minutes or seconds, such as 7 days",
        text);
  }

  public static SparkNdException changesOption(String option, String value) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("CHANGES_OPTION"),
        "option <option> = <value> of sparknd-changes is not possible: it takes the name of a table or a branch by load or as table, and one of since-batch and since-snapshot",
        option,
        value);
  }

  public static SparkNdException changesOffset(String table, String offset) {
    return state(
        SNAPSHOT_NOT_FOUND.sub("CHANGES_OFFSET"),
        "the checkpoint of a query on the changes of table <table> has an offset that is not a snapshot: <offset>; use another checkpoint location",
        table,
        offset);
  }

  public static SparkNdException changesExpired(String table, long snapshot) {
    return state(
        SNAPSHOT_NOT_FOUND.sub("CHANGES_EXPIRED"),
        "snapshot <snapshot> of table <table>, up to which a query has read its changes, has expired: start again with a new checkpoint location, and keep snapshots longer than queries pause",
        snapshot,
        table);
  }

  public static SparkNdException changesColumns(String table, String now, String began) {
    return state(
        COLUMN_TYPE_MISMATCH.sub("CHANGES_COLUMNS"),
        "table <table> has other columns than when its changes were loaded, <now> and not <began>: load them again, and start a query of that",
        table,
        now,
        began);
  }

  public static SparkNdException changesValues(
      String table, String column, String now, String then) {
    return state(
        COLUMN_TYPE_MISMATCH.sub("CHANGES_VALUES"),
        "column '<column>' of table <table> was <then> at the query's checkpoint and is <now>, so rows that the query has read may have other values: start again with a new checkpoint location",
        column,
        table,
        then,
        now);
  }

  public static SparkNdException windowName(String table, String window, String variable) {
    return attribute(
        COLUMN_EXISTS.sub("WINDOW_NAME"),
        "<window>, a window of variable <variable>, has the name of a column of table <table>: rename that column or the variable",
        window,
        variable,
        table);
  }

  public static SparkNdException windowFailed(
      String table, String window, String key, String problem) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("WINDOW_FAILED"),
        "window <window> of table <table> at <key> cannot be computed: <problem>",
        window,
        table,
        key,
        problem);
  }

  public static SparkNdException windowArgument(String variable, String argument) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW_ARGUMENT"),
        "the windows of variable <variable> need an entry in <argument>: reductions, windows and tiles",
        variable,
        argument);
  }

  public static SparkNdException noWindowsOf(String reduction, List<String> others) {
    return attribute(
        INVALID_TABLE_SPEC.sub("WINDOW_REDUCTION"),
        "reduction '<reduction>' is not defined in windows of time; those that are: <others>",
        reduction,
        others);
  }

  public static SparkNdException windowWithoutTime(String table, String window, String variable) {
    return attribute(
        INVALID_ARGUMENT.sub("WINDOW_WITHOUT_TIME"),
        "<window> of table <table> is a window that ends at a time: gather it as of a time, or gather <variable>",
        window,
        table,
        variable);
  }

  public static SparkNdException evictedTiles(
      String table, String window, String key, Instant time, Instant from) {
    return state(
        SNAPSHOT_NOT_FOUND.sub("TILES_EVICTED"),
        "<window> of key <key> in table <table> is not known at <time>: its tiles from before <from> were evicted. Gather the state of that time by the clock of commits, leave such rows out, or pass expired => 'null', in Java AsOf.orNullIfExpired; for the future, add a variable with a longer window",
        window,
        key,
        table,
        time,
        from);
  }

  public static SparkNdException noOrderVariable(String variable, String reduction, String order) {
    return attribute(
        INVALID_TABLE_SPEC.sub("NO_ORDER_VARIABLE"),
        "reduction '<reduction>' of variable <variable> is ordered by <order>, which is not a variable of the table:"
            + " add <order> to the variables, such as a timestamp, or correct the name",
        reduction,
        variable,
        order,
        order);
  }

  public static SparkNdException customReduction(String variable, String type, Throwable cause) {
    return failedAttribute(
        cause,
        INVALID_TABLE_SPEC.sub("CUSTOM_REDUCTION"),
        "the reduction of variable <variable> is class <type>, which cannot be made: <reason>; it must be a public CustomReduction with a public constructor without parameters, on the class path of driver and executors",
        variable,
        type,
        reason(cause));
  }

  public static SparkNdException reductionMismatch(
      String table, String variable, String declared, String requested) {
    return attribute(
        UNSUPPORTED_REDUCTION.sub("REDUCTION_MISMATCH"),
        "variable <variable> of table <table> declares reduction <declared>; <requested> needs another state: use the declared reduction",
        variable,
        table,
        declared,
        requested);
  }

  public static SparkNdException variableShape(String variable, String type, Shape shape) {
    return shape(
        INVALID_TABLE_SPEC.sub("VARIABLE_SHAPE"),
        "variable <variable> is <type>, which cannot hold slices of shape <shape>: use arrays nested as deep, or binary",
        variable,
        type,
        shape);
  }

  public static SparkNdException variableElements(String variable, String type, Shape shape) {
    return shape(
        INVALID_TABLE_SPEC.sub("VARIABLE_ELEMENTS"),
        "variable <variable> is <type>, whose elements have no dtype, and has shape <shape>: declare no shape; its values are then kept as they are",
        variable,
        type,
        shape);
  }

  public static SparkNdException variableDType(String variable, String type, String dtype) {
    return dtype(
        INVALID_TABLE_SPEC.sub("VARIABLE_DTYPE"),
        "variable <variable> is <type>, which cannot hold elements of dtype <dtype>: use the SQL type of that dtype, or binary",
        variable,
        type,
        dtype);
  }

  public static SparkNdException fillValue(String variable, String text, String type) {
    return attribute(
        INVALID_TABLE_SPEC.sub("FILL_VALUE"),
        "the fill value of variable <variable> is '<text>', which is not a <type>",
        variable,
        text,
        type);
  }

  public static SparkNdException variableExists(String table, String variable) {
    return attribute(
        COLUMN_EXISTS.sub("VARIABLE_EXISTS"),
        "table <table> already has a column <variable>: choose another name",
        table,
        variable);
  }

  public static SparkNdException partitionField(String table, String variable) {
    return attribute(
        COLUMN_EXISTS.sub("PARTITION_FIELD"),
        "'<variable>' is the name of a partition field of table <table>, which no column may have: choose another name",
        variable,
        table);
  }

  public static SparkNdException variableType(String variable, String type) {
    return dtype(
        INVALID_TABLE_SPEC.sub("VARIABLE_TYPE"),
        "variable <variable> is <type>, which no column of an Iceberg table can be: use another type, such as bigint for a duration in microseconds",
        variable,
        type);
  }

  public static SparkNdException variableInUse(String table, String variable, String by) {
    return attribute(
        INVALID_TABLE_SPEC.sub("VARIABLE_IN_USE"),
        "variable <variable> of table <table> orders the updates of <by>: drop that first",
        variable,
        table,
        by);
  }

  public static SparkNdException nullKey(String table, String column, long row) {
    return index(
        INVALID_TENSOR_VALUE.sub("NULL_KEY"),
        "key column <column> is NULL in row <row> of a partition of the rows for table <table>; drop such rows, as bad_indices 'ignore' does where a call takes it",
        column,
        row,
        table);
  }

  public static SparkNdException invalidKey(String table, String column, String value, long row) {
    return index(
        INVALID_TENSOR_VALUE.sub("INVALID_KEY"),
        "key column <column> is '<value>' in row <row> of a partition of the rows for table <table>, which is not a uuid of 36 characters; correct it, or use bad_indices 'ignore' to drop such rows",
        column,
        value,
        row,
        table);
  }

  public static SparkNdException keyOutOfBounds(
      String table, String column, long index, Shape shape) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("KEY_OUT_OF_BOUNDS"),
        "<column> = <index> is out of bounds for table <table> of shape <shape>: correct it, or leave such rows out",
        column,
        index,
        table,
        shape);
  }

  public static SparkNdException expiredTime(String table, Instant time, long row, Instant begin) {
    return index(
        SNAPSHOT_NOT_FOUND.sub("EXPIRED_TIME"),
        "the time <time> in row <row> of a partition is before <begin>, from when table <table> has snapshots; those before have expired: leave such rows out, or pass expired => 'null', in Java AsOf.orNullIfExpired",
        time,
        row,
        begin,
        table);
  }

  public static SparkNdException columnOfChanges(String table, String column) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_OF_CHANGES"),
        "column <column> of table <table> has a name that is reserved for changes of rows: rename it",
        column,
        table);
  }

  public static SparkNdException variableTwice(String table, String variable, String variables) {
    return attribute(
        INVALID_ARGUMENT.sub("VARIABLE_TWICE"),
        "variable <variable> of table <table> is twice among the variables to update, <variables>: an"
            + " update would be applied twice; name it once",
        variable,
        table,
        variables);
  }

  public static SparkNdException sinceArguments(String procedure) {
    return attribute(
        INVALID_ARGUMENT.sub("SINCE_ARGUMENTS"),
        "<procedure> needs since_batch or since_snapshot, and not both",
        procedure);
  }

  public static SparkNdException otherTable(String table, String other) {
    return attribute(
        INVALID_ARGUMENT.sub("OTHER_TABLE"),
        "changes of table <table> are since a state of the same table, not of <other>",
        table,
        other);
  }

  public static SparkNdException timeType(String table, String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("TIME_TYPE"),
        "column <column> is <type>, and holds the times as of which table <table> is read: cast it to timestamp",
        column,
        type,
        table);
  }

  public static SparkNdException timeOutOfRange(Instant time) {
    return attribute(
        INVALID_ARGUMENT.sub("TIME_OUT_OF_RANGE"),
        "the time <time> has no 64-bit number of microseconds since 1970",
        time);
  }

  public static SparkNdException stateColumnTaken(
      String table, String column, String variable, String reduction) {
    return attribute(
        COLUMN_EXISTS.sub("STATE_COLUMN_TAKEN"),
        "table <table> has a column <column>, which is the name of the column that holds the state of variable <variable>, whose reduction is <reduction>: rename one of them",
        table,
        column,
        variable,
        reduction);
  }

  public static SparkNdException noVariable(String table, String variable, List<String> variables) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_VARIABLE"),
        "table <table> has no variable <variable>; its variables are <variables>",
        table,
        variable,
        variables);
  }

  public static SparkNdException stateColumn(String table, String column) {
    return attribute(
        COLUMN_NOT_FOUND.sub("STATE_COLUMN"),
        "column <column> of table <table> holds the state of a reduction; update the variable itself",
        column,
        table);
  }

  public static SparkNdException columnType(
      String table, String column, String found, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("VARIABLE_TYPE"),
        "column <column> is <found>; table <table> stores <wanted>: cast it, or name the fields of structs as the table does and put them into its order",
        column,
        found,
        table,
        wanted);
  }

  public static SparkNdException updateValue(
      String table, String variable, String key, String problem) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("UPDATE_VALUE"),
        "the update of variable <variable> of table <table> at <key> <problem>",
        variable,
        table,
        key,
        problem);
  }

  public static SparkNdException updateFailed(
      String table, String variable, String key, String problem) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("UPDATE_FAILED"),
        "an update of variable <variable> of table <table> at <key> cannot be applied: <problem>",
        variable,
        table,
        key,
        problem);
  }

  public static SparkNdException futureEvent(
      String table, String variable, String key, Instant time, Instant reference) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("FUTURE_EVENT"),
        "an update of variable <variable> of table <table> at <key> is of <time>, more than a day after the commit, at <reference>: it would evict the row's tiles, and make its true updates late; correct such rows or filter them out, or declare a valid_at that is not before them",
        variable,
        table,
        key,
        time,
        reference);
  }

  public static SparkNdException eventAfterValidAt(
      String table, String variable, String key, Instant time, Instant reference) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("EVENT_AFTER_VALID_AT"),
        "an update of variable <variable> of table <table> at <key> is of <time>, after the valid_at of its batch, <reference>: training sets would have it before its time; correct such rows or filter them out, or give the end of the events' period as valid_at",
        variable,
        table,
        key,
        time,
        reference);
  }

  public static SparkNdException otherValidAt(
      String table, String batch, Instant first, Instant second) {
    return attribute(
        INVALID_ARGUMENT.sub("OTHER_VALID_AT"),
        "table <table> has batch '<batch>' with valid_at <first>, and it is sent again with <second>: a batch is applied once, so send it with the same time. To correct the time, roll back to the snapshot before it",
        table,
        batch,
        first,
        second);
  }

  public static SparkNdException requiredColumn(String table, String column, String key) {
    return attribute(
        INVALID_TENSOR_VALUE.sub("REQUIRED_COLUMN"),
        "the new row of table <table> at <key> has no value of column <column>, which is NOT NULL: send a value with the update, or make the column optional",
        table,
        key,
        column);
  }

  public static SparkNdException storedValue(String file, String column, String problem) {
    return file(
        INVALID_TABLE_FILE.sub("STORED_VALUE"),
        "a value of column <column> in <file> <problem>",
        column,
        file,
        problem);
  }

  public static SparkNdException duplicateKey(String file, String key) {
    return file(
        INVALID_TABLE_FILE.sub("DUPLICATE_KEY"),
        "key <key> in <file> is in the table twice: delete one of the rows, for example by row id",
        key,
        file);
  }

  public static SparkNdException blockTooLarge(String table, long block, String what, long rows) {
    return state(
        TOO_LARGE.sub("FEATURE_BLOCK_TOO_LARGE"),
        "a task holds at least <rows> rows or updates of block <block> of feature table <table>, whose <what> do not fit one array: create the table with more buckets, by expected_rows or buckets, or write fewer rows in a commit and compact in between, which adds buckets",
        rows,
        block,
        table,
        what);
  }

  public static SparkNdException noTimeToLive(String table) {
    return state(
        INVALID_TABLE_SPEC.sub("NO_TIME_TO_LIVE"),
        "rows of table <table> have no time to live: give a condition for the rows to evict, or set the properties sparknd.ttl and sparknd.ttl-column",
        table);
  }

  public static SparkNdException timeToLiveColumn(String table, String column) {
    return attribute(
        INVALID_TABLE_SPEC.sub("TIME_TO_LIVE_COLUMN"),
        "the time to live of table <table> counts from column <column>: unset the properties sparknd.ttl and sparknd.ttl-column first",
        table,
        column);
  }

  public static SparkNdException hiddenPositions(String table, String column) {
    return attribute(
        INVALID_TENSOR_TABLE.sub("HIDDEN_POSITIONS"),
        "column <column> of table <table> hides Iceberg's column of that name, by which rows to evict are found: rename it, or use DELETE FROM",
        column,
        table);
  }

  public static SparkNdException tensorArgument(String argument, String value, String table) {
    return attribute(
        INVALID_ARGUMENT.sub("TENSOR_ARGUMENT"),
        "<argument> => '<value>' is for tensor tables, but <table> is a feature table: leave it out",
        argument,
        value,
        table);
  }

  public static SparkNdException featureArgument(String argument, Object value, String table) {
    return attribute(
        INVALID_ARGUMENT.sub("FEATURE_ARGUMENT"),
        "<argument> => '<value>' is for feature tables, but <table> is a tensor table: leave it out",
        argument,
        value,
        table);
  }

  public static SparkNdException argumentVariable(
      String argument, String variable, List<String> variables) {
    return attribute(
        COLUMN_NOT_FOUND.sub("ARGUMENT_VARIABLE"),
        "argument <argument> names <variable>, which is not among the variables <variables>: correct the name, exactly as the table writes it",
        argument,
        variable,
        variables);
  }

  public static SparkNdException sliceText(String variable, String text) {
    return attribute(
        INVALID_ARGUMENT.sub("SLICE_TEXT"),
        "argument shapes says '<text>' for variable <variable>: write a dtype, a shape or both, such as 'float32[64]'",
        text,
        variable);
  }
}
