/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.COMMIT_CONFLICT;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_TABLE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.tensor.SparkNdException;
import java.util.List;

/** Errors of the adoption of tables. */
public final class AdoptionErrors {
  private AdoptionErrors() {}

  public static SparkNdException alreadyAdopted(String table, String property) {
    return state(
        INVALID_TENSOR_TABLE.sub("ALREADY_ADOPTED"),
        "table <table> has the property <property>, so it is a table of SparkND already: open it as it is",
        table,
        property);
  }

  public static SparkNdException adoptedColumn(String table, String column, List<String> columns) {
    return attribute(
        COLUMN_NOT_FOUND.sub("ADOPTED_COLUMN"),
        "table <table> has no column <column>, so it cannot be adopted with it; its columns are <columns>: variables can be added after the adoption",
        table,
        column,
        columns);
  }

  public static SparkNdException adoptedType(
      String table, String column, String found, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("ADOPTED_TYPE"),
        "column <column> of table <table> is <found>, not <wanted>: adopt the table with the types that it has",
        column,
        table,
        found,
        wanted);
  }

  public static SparkNdException adoptedVersion(String table, int version) {
    return state(
        INVALID_TENSOR_TABLE.sub("ADOPTED_VERSION"),
        "table <table> has format version <version>, which has no deletes of rows: set its property format-version to 3, which Iceberg upgrades in place",
        table,
        version);
  }

  public static SparkNdException adoptedProperty(
      String table, String property, String value, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("ADOPTED_PROPERTY"),
        "table <table> has the property <property> = '<value>', so its files may not be such as SparkND reads: <wanted>",
        table,
        property,
        value,
        wanted);
  }

  public static SparkNdException adoptedDescription(String table, String property, String value) {
    return state(
        INVALID_TENSOR_TABLE.sub("ADOPTED_DESCRIPTION"),
        "table <table> has SparkND's property <property> = '<value>', which the adoption does not declare: declare the same in the adoption, or remove it by ALTER TABLE ... UNSET TBLPROPERTIES",
        table,
        property,
        value);
  }

  public static SparkNdException adoptedPartitions(String table, String found, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("ADOPTED_PARTITIONS"),
        "table <table> is partitioned by <found>, and needs <wanted>: drop other fields by ALTER TABLE ... DROP PARTITION FIELD, or write it to a new table",
        table,
        found,
        wanted);
  }

  public static SparkNdException adoptedRows(
      String table, String problem, long rows, String example) {
    return index(
        INVALID_TENSOR_VALUE.sub("ADOPTED_ROWS"),
        "table <table> cannot be adopted: <problem>, <rows> times, as in <example>; correct these rows, or fill the missing columns, and adopt it again",
        table,
        problem,
        rows,
        example);
  }

  public static CommitConflictException adoptionLost(String table, int attempts) {
    return new CommitConflictException(
        state(
            COMMIT_CONFLICT.sub("ADOPTION_LOST"),
            "table <table> changed during each of <attempts> checks of its rows, so it was not adopted: call again while nobody writes to it",
            table,
            attempts));
  }
}
