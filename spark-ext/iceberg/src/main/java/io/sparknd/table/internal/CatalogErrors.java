/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_SPEC;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_STATEMENT;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.SparkNdException;
import java.util.HexFormat;

/** Errors of Spark's statements on tables of a {@code TensorCatalog}. */
public final class CatalogErrors {
  private CatalogErrors() {}

  public static SparkNdException overwrite(String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("OVERWRITE"),
        "table <table> cannot be overwritten, because rows that are inserted into it update the rows of their keys: DELETE the old rows, then INSERT; a batch that is to be applied again needs another batch id",
        table);
  }

  public static SparkNdException completeMode(String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("COMPLETE_MODE"),
        "a streaming query in output mode complete would replace all rows of table <table>, whose rows are updated: use output mode append, or give each micro-batch to the table by foreachBatch",
        table);
  }

  public static SparkNdException continuousTrigger(String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("CONTINUOUS_TRIGGER"),
        "Trigger.Continuous cannot write to table <table>: Spark cuts an epoch that it repeats elsewhere, so its rows would be lost or count twice; use a trigger of micro-batches, such as Trigger.ProcessingTime",
        table);
  }

  public static SparkNdException createAsSelect(String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("CREATE_AS_SELECT"),
        "table <table> has a property sparknd.key, and cannot be created or replaced by a query: CREATE TABLE with columns, then INSERT",
        table);
  }

  public static SparkNdException versionCreated(String name, String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("VERSION_CREATED"),
        "<name> selects a branch, tag or snapshot of table <table>, and cannot be created as a table, which would hide it: create a branch by ALTER TABLE ... CREATE BRANCH, or use another name",
        name,
        table);
  }

  public static SparkNdException versionDropped(String name, String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("VERSION_DROPPED"),
        "<name> selects a branch, tag or snapshot of table <table>, and cannot be dropped as a table: use ALTER TABLE ... DROP BRANCH or DROP TAG",
        name,
        table);
  }

  public static SparkNdException readOnlyVersion(String name) {
    return state(
        UNSUPPORTED_STATEMENT.sub("READ_ONLY_VERSION"),
        "<name> is a tag or snapshot of a table, which does not change: write to the table, or to a branch of it",
        name);
  }

  public static SparkNdException columnDefault(String table, String column) {
    return state(
        UNSUPPORTED_STATEMENT.sub("COLUMN_DEFAULT"),
        "column <column> has a DEFAULT, which Iceberg's Spark catalog does not support; table <table> is no feature table, whose variables have fill values: omit it",
        column,
        table);
  }

  public static SparkNdException defaultNotConstant(String column, String sql) {
    return state(
        UNSUPPORTED_STATEMENT.sub("DEFAULT_NOT_CONSTANT"),
        "the DEFAULT of column <column> is <sql>, which depends on the time or the session of a statement, but a variable has one fill value for all rows: omit it, and name the column in INSERT",
        column,
        sql);
  }

  public static SparkNdException defaultOfBytes(String column, byte[] bytes) {
    return state(
        UNSUPPORTED_STATEMENT.sub("DEFAULT_OF_BYTES"),
        "the DEFAULT of column <column> is X'<bytes>', which is no UTF-8 text, as fill values of variables are: omit it, and write such values with the rows",
        column,
        HexFormat.of().withUpperCase().formatHex(bytes));
  }

  public static SparkNdException columnType(String table, String column) {
    return state(
        UNSUPPORTED_STATEMENT.sub("COLUMN_TYPE"),
        "the type of column <column> of feature table <table> cannot change in this way: int can become bigint, float double, and a decimal one of more digits, unless the state of a reduction has the type; add a variable of any other type",
        column,
        table);
  }

  public static SparkNdException keyColumn(String table, String column) {
    return state(
        UNSUPPORTED_STATEMENT.sub("KEY_COLUMN"),
        "column <column> is of the key of feature table <table>, which each row has, and cannot become NULL or have a DEFAULT: create another table, and insert the rows",
        column,
        table);
  }

  public static SparkNdException replacedColumns(String table) {
    return state(
        UNSUPPORTED_STATEMENT.sub("REPLACED_COLUMNS"),
        "columns of feature table <table> cannot be replaced, which would drop their values: ADD and DROP columns in statements of their own",
        table);
  }

  public static SparkNdException tensorColumn(String table, String column) {
    return state(
        UNSUPPORTED_STATEMENT.sub("TENSOR_COLUMN"),
        "column <column> of table <table> holds the tensor, and cannot be changed or dropped",
        column,
        table);
  }

  public static SparkNdException sizeAlone(String table, String property) {
    return state(
        UNSUPPORTED_STATEMENT.sub("SIZE_ALONE"),
        "property <property> of table <table> changes its size, which is a commit of its own: change other properties in another statement",
        property,
        table);
  }

  public static SparkNdException nestedColumn(String table, String column) {
    return state(
        UNSUPPORTED_STATEMENT.sub("NESTED_COLUMN"),
        "<column> is part of a column of feature table <table>, and cannot change alone: change the whole column",
        column,
        table);
  }

  public static SparkNdException validAt(String option, String text) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("VALID_AT"),
        "<option> '<text>' is not a time of ISO 8601 with seconds and a time zone, such as 2026-05-01T00:00:00Z",
        option,
        text);
  }

  public static SparkNdException badIndices(String policy) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_BAD_INDICES_OPTION"),
        "option bad-indices is '<policy>'; use error or ignore",
        policy);
  }

  public static SparkNdException writeOption(String table, String option, String value) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("WRITE_OPTION"),
        "option '<option>' = '<value>' of a write into table <table> is not known, and would have no effect; use"
            + " batch-id, valid-at, bad-indices, order-by, branch or snapshot-property.NAME, or omit it",
        option,
        value,
        table);
  }

  public static SparkNdException olderCheckpoint(String table, long epoch, long later) {
    return state(
        UNSUPPORTED_STATEMENT.sub("OLDER_CHECKPOINT"),
        "the streaming query sends epoch <epoch>, but table <table> has its epoch <later>: the query's checkpoint location is older than the table. Rows of epochs that Spark plans anew would be left out. Roll the table back to a state that is as old, or use a new checkpoint location that starts after the rows that the table has",
        epoch,
        table,
        later);
  }

  public static SparkNdException validAtOfStream(Object time) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("VALID_AT_OF_STREAM"),
        "valid-at '<time>' is set for a streaming query, whose epochs would all be valid from then on: omit the option, or scatter micro-batches by foreachBatch",
        time);
  }

  public static SparkNdException batchIdOfStream(String id) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("BATCH_ID_OF_STREAM"),
        "batch-id '<id>' is set for a streaming query, which names its batches itself, by its checkpoint and epoch: omit the option",
        id);
  }

  public static SparkNdException streamColumn(String table, String column, String type) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("STREAM_COLUMN"),
        "column <column> of a streaming query into table <table> is <type>, which Iceberg's files cannot hold, in which an epoch's rows wait for its commit: cast it, such as to bigint",
        column,
        table,
        type);
  }

  public static SparkNdException stateInserted(String table, String variable, String column) {
    return attribute(
        COLUMN_NOT_FOUND.sub("STATE_INSERTED"),
        "a row inserted into table <table> has a value in column <column>, which holds the state of variable <variable>: insert NULL there, or name the other columns in the statement",
        table,
        column,
        variable);
  }

  public static SparkNdException additionalInserted(String table, String column) {
    return attribute(
        COLUMN_NOT_FOUND.sub("ADDED_COLUMN_INSERTED"),
        "a row inserted into table <table> has a value in column <column>, which is not of the tensor: insert NULL there, or name the other columns in the statement, and set it by UPDATE or MERGE",
        table,
        column);
  }

  public static SparkNdException partitioning(String table, String found) {
    return attribute(
        INVALID_TABLE_SPEC.sub("PARTITIONING"),
        "table <table> is PARTITIONED BY <found>; a feature table is partitioned by bucket(N, COLUMN) of one key column, and one with sparknd.size by truncate(N, KEY), where N is sparknd.rows-per-block: name that, or omit the clause",
        table,
        found);
  }

  public static SparkNdException provider(String table, String provider) {
    return attribute(
        INVALID_TABLE_SPEC.sub("PROVIDER"),
        "table <table> is created USING <provider>; a feature table is an Iceberg table of Parquet files: USING iceberg",
        table,
        provider);
  }

  public static SparkNdException requiredVariable(String table, String variable) {
    return attribute(
        INVALID_TABLE_SPEC.sub("REQUIRED_VARIABLE"),
        "variable <variable> of table <table> is NOT NULL; a key that was never written has none: omit NOT NULL, and set a fill value",
        variable,
        table);
  }

  public static SparkNdException missingKey(String table, String key) {
    return attribute(
        INVALID_TABLE_SPEC.sub("MISSING_KEY"),
        "property sparknd.key names <key>, which table <table> does not have as a column",
        key,
        table);
  }

  public static SparkNdException fixedProperty(String table, String property) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("FIXED_PROPERTY"),
        "property <property> of table <table> is fixed when the table is created",
        property,
        table);
  }

  public static SparkNdException expiredSnapshot(String table, String property) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("EXPIRED_SNAPSHOT"),
        "property <property> of table <table> records a snapshot that expired: without it, its batch could be applied again, or gathers as of a valid time could find another state. Leave it; SparkND removes it when nothing needs it",
        property,
        table);
  }

  public static SparkNdException retypedLate(
      String table, String variable, String stored, String declared) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("RETYPED_LATE"),
        "variable <variable> of table <table> has values of <stored>, in a snapshot of now or before, which would be read as <declared>: add another variable of that dtype and shape",
        variable,
        table,
        stored,
        declared);
  }

  public static SparkNdException declaredLate(String table, String variable, String reduction) {
    return attribute(
        UNSUPPORTED_STATEMENT.sub("DECLARED_LATE"),
        "variable <variable> of table <table> has values, in a snapshot of now or before, but not the state that reduction <reduction> needs: add another variable with it",
        variable,
        table,
        reduction);
  }
}
