/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static io.sparknd.tensor.ErrorCondition.AMBIGUOUS_COLUMN;
import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.INPUT_CHANGED;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_SPEC;
import static io.sparknd.tensor.ErrorCondition.SPARK_CONNECT_NOT_SUPPORTED;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_SPARK;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.failedAttribute;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.SparkNdException;

/** Errors of the interface to Spark: sessions, settings, names of columns and tables. */
public final class SparkErrors {
  private SparkErrors() {}

  public static SparkNdException noSuchColumn(String column, String columns) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_SUCH_COLUMN"),
        "column '<column>' is not among <columns>",
        column,
        columns);
  }

  public static SparkNdException missingBlocks(Throwable cause) {
    return failedState(
        cause,
        INPUT_CHANGED.sub("MISSING_BLOCKS"),
        "blocks that this call needs are gone: close() was called on the version that has them, or"
            + " the executors that held them were lost; close a version after its last use, and set"
            + " spark.checkpoint.dir to have versions outlive executors");
  }

  public static SparkNdException notClassicSpark(String name) {
    return state(
        SPARK_CONNECT_NOT_SUPPORTED,
        "<name> is a Spark Connect class; the Java API runs inside the Spark driver",
        name);
  }

  public static SparkNdException badSize(String setting, String value) {
    return attribute(
        INVALID_SETTING.sub("BAD_SIZE"),
        "<setting> = '<value>' is neither auto nor a number of bytes, such as 16m",
        setting,
        value);
  }

  public static SparkNdException badTime(String setting, String value) {
    return attribute(
        INVALID_SETTING.sub("BAD_TIME"),
        "<setting> = '<value>' is not a time of 0 or more, such as 30s or 2min",
        setting,
        value);
  }

  public static SparkNdException ambiguousColumn(String column, String columns) {
    return attribute(
        AMBIGUOUS_COLUMN,
        "column '<column>' is ambiguous among <columns>: rename it in a query",
        column,
        columns);
  }

  public static SparkNdException badTableName(String name, Throwable cause) {
    return failedAttribute(
        cause,
        INVALID_TABLE_SPEC.sub("BAD_TABLE_NAME"),
        "'<name>' is not a table name: write catalog.namespace.table, and quote parts with characters other"
            + " than letters, digits and _ in backticks",
        name);
  }

  public static SparkNdException unsupportedSpark(String runs, String supported) {
    return state(
        UNSUPPORTED_SPARK.sub("MINOR_VERSION"),
        "this is Spark <runs>, but this jar of SparkND is for Spark <supported>: use a Spark of these"
            + " minor versions, or a jar of SparkND for this one",
        runs,
        supported);
  }
}
