/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.COMMIT_CONFLICT;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_FILE;
import static io.sparknd.tensor.ErrorCondition.SINK_CONFLICT;
import static io.sparknd.tensor.ErrorCondition.SINK_FAILED;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.root;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.Set;

/** Errors of publications to online stores. */
public final class PublicationErrors {
  /** Conditions of rows that a store does not take. */
  private static final Set<String> OF_ROW =
      Set.of(
          SINK_FAILED.sub("ROW_REFUSED").fullName(),
          SINK_FAILED.sub("DATE_TOO_EARLY").fullName(),
          SINK_FAILED.sub("NUL_CHARACTER").fullName(),
          SINK_FAILED.sub("NOT_UTF8").fullName(),
          SINK_CONFLICT.sub("FOREIGN_KEY").fullName());

  private PublicationErrors() {}

  public static SparkNdException badRedisAddress(String address) {
    return attribute(
        INVALID_ARGUMENT.sub("REDIS_ADDRESS"),
        "'<address>' is not the address of a Redis server: write redis://host:port, with no underscore in the name of the host, or rediss for TLS, with /2 behind it for database 2, and no parameters",
        address);
  }

  public static SparkNdException badJdbcAddress(String address) {
    return attribute(
        INVALID_ARGUMENT.sub("JDBC_ADDRESS"),
        "'<address>' is not the address of a database: it begins with jdbc:, such as jdbc:postgresql://host/database",
        address);
  }

  public static SparkNdException redisProperties(String address) {
    return attribute(
        INVALID_ARGUMENT.sub("REDIS_PROPERTIES"),
        "argument properties is of JDBC connections, and sink <address> is a Redis server: write user, password and database into the address, as redis://user:password@host:port/database",
        address);
  }

  public static SparkNdException sqliteParameter(String name, String address) {
    return attribute(
        INVALID_ARGUMENT.sub("SQLITE_PARAMETER"),
        "'<name>' is not a parameter of SQLite; the driver would read it as part of the file name in <address>: correct it, or leave it out",
        name,
        address);
  }

  public static SparkNdException badName(String name) {
    return attribute(
        INVALID_ARGUMENT.sub("PUBLICATION_NAME"),
        "'<name>' cannot name a publication: give a name of letters a to z, digits, '_', '-' and '.'",
        name);
  }

  public static SparkNdException unknownValueFormat(String name) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("VALUE_ENCODING"),
        "values '<name>' is unknown; use bytes or json",
        name);
  }

  public static SparkNdException noRedisClient(Throwable cause) {
    return failedState(
        cause,
        SINK_FAILED.sub("NO_REDIS_CLIENT"),
        "class <class> is not on the class path: add Jedis, by --packages redis.clients:jedis:6.2.0 of spark-submit and Spark's shells, or by its jar in SPARKND_CLASSPATH of bin/sparknd",
        reason(cause));
  }

  public static SparkNdException noDriver(String address) {
    return state(
        SINK_FAILED.sub("NO_JDBC_DRIVER"),
        "no JDBC driver accepts <address>: add the driver's jar, by --packages or --jars of spark-submit and Spark's shells, or in SPARKND_CLASSPATH of bin/sparknd; if it does not register itself, set the property driver to its class",
        address);
  }

  public static SparkNdException unusableDriver(String driver, Throwable cause) {
    return failedState(
        cause,
        SINK_FAILED.sub("JDBC_DRIVER_UNUSABLE"),
        "JDBC driver <class> cannot be loaded: <reason>; correct the property driver, or add the driver's jar, one for this version of Java and with all that it needs",
        driver,
        root(cause));
  }

  public static SparkNdException noSinkFolder(String address, Path folder, Throwable cause) {
    return failedState(
        cause,
        SINK_FAILED.sub("FOLDER_NOT_FOUND"),
        "the database at <address> cannot be created: its folder <folder> does not exist; create it",
        address,
        folder);
  }

  public static SparkNdException sinkFailed(String address, Throwable cause) {
    return failedState(
        cause,
        SINK_FAILED.sub("STORE_FAILED"),
        "the online store at <address> failed: <reason>; publish again, which completes what was begun",
        address,
        reason(root(cause)));
  }

  public static SparkNdException rowRefused(String address, Throwable cause) {
    return failedState(
        cause,
        SINK_FAILED.sub("ROW_REFUSED"),
        "the online store at <address> refuses a row: <reason>; correct or evict it, and publish again",
        address,
        reason(root(cause)));
  }

  /** Returns whether an error is of a row, so that a table in which it was corrected has none. */
  public static boolean isOfRow(SparkNdException error) {
    String file = INVALID_TABLE_FILE.fullName();
    return OF_ROW.contains(error.condition())
        || error.condition().equals(file)
        || error.condition().startsWith(file + ".");
  }

  public static CommitConflictException overtaken(String name, String address) {
    return new CommitConflictException(
        state(
            COMMIT_CONFLICT.sub("PUBLICATION_OVERTAKEN"),
            "another publication to <name> at <address> began meanwhile, so this one stopped: publish again",
            name,
            address));
  }

  public static SparkNdException otherTable(String name, String address, String table) {
    return state(
        SINK_CONFLICT.sub("PUBLICATION_OF_OTHER_TABLE"),
        "<name> at <address> holds rows of another table, <other>: publish under another name, or delete them there if that table was dropped",
        name,
        address,
        table);
  }

  public static SparkNdException foreignRow(String address, String key) {
    return state(
        SINK_CONFLICT.sub("FOREIGN_KEY"),
        "key <key> at <address> was not written by a publication, and is not overwritten: publish under another name, or delete it",
        key,
        address);
  }

  public static SparkNdException foreignPosition(String name, String address) {
    return state(
        SINK_CONFLICT.sub("NO_POSITION"),
        "<name> exists at <address>, but is not of a publication, and is not overwritten: publish under another name, or delete it",
        name,
        address);
  }

  public static SparkNdException foreignColumn(String name, String address, String column) {
    return state(
        SINK_CONFLICT.sub("FOREIGN_COLUMN"),
        "column <column> of <name> at <address> was not made by a publication, and is not overwritten: rename or drop it there, or publish under another name",
        column,
        name,
        address);
  }

  public static SparkNdException nulCharacter(String column, String key) {
    return state(
        SINK_FAILED.sub("NUL_CHARACTER"),
        "column <column> of key <key> has the character U+0000, which text of PostgreSQL cannot hold: remove it from the value, or make the column binary",
        column,
        key);
  }

  public static SparkNdException dateTooEarly(String column, String key, Object value) {
    return state(
        SINK_FAILED.sub("DATE_TOO_EARLY"),
        "column <column> of key <key> is <value>, and PostgreSQL's driver would store -infinity for a date before 4713 BC: correct the value, or make the column a string",
        column,
        key,
        value);
  }

  public static SparkNdException notUtf8(String column, String key, String bytes) {
    return state(
        SINK_FAILED.sub("NOT_UTF8"),
        "column <column> of key <key> is the string X'<bytes>', which is not UTF-8, and a database would store"
            + " another: make the column binary, or write the string as text, such as hex(...)",
        column,
        key,
        bytes);
  }

  public static SparkNdException columnOfSink(String table, String column) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_OF_SINK"),
        "column <column> of table <table> has a name that is reserved in online stores: rename it",
        column,
        table);
  }

  public static SparkNdException otherKey(String name, String address) {
    return state(
        SINK_CONFLICT.sub("OTHER_KEY"),
        "the rows of <name> at <address> have another key: publish under another name",
        name,
        address);
  }

  public static SparkNdException keysNotExact(String address, String column) {
    return state(
        SINK_FAILED.sub("KEYS_NOT_EXACT"),
        "the database at <address> finds the text 'k' equal to 'K' or to 'k ' in column <column>, so that it would mix up keys: create its database with an exact, case-sensitive collation",
        address,
        column);
  }
}
