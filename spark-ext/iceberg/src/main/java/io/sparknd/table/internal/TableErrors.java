/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import static io.sparknd.tensor.ErrorCondition.BRANCH_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.CANNOT_WRITE_FILE;
import static io.sparknd.tensor.ErrorCondition.CATALOG_FAILED;
import static io.sparknd.tensor.ErrorCondition.CATALOG_UNKNOWN;
import static io.sparknd.tensor.ErrorCondition.COLUMN_EXISTS;
import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.COMMIT_CONFLICT;
import static io.sparknd.tensor.ErrorCondition.COMMIT_FAILED;
import static io.sparknd.tensor.ErrorCondition.COMMIT_UNKNOWN;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_BATCH_ID;
import static io.sparknd.tensor.ErrorCondition.INVALID_BINARY_FORM;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_FILE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_PROPERTY;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_SPEC;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_TABLE;
import static io.sparknd.tensor.ErrorCondition.ROW_OUT_OF_BOUNDS;
import static io.sparknd.tensor.ErrorCondition.SNAPSHOT_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.SNAPSHOT_READ_ONLY;
import static io.sparknd.tensor.ErrorCondition.TABLE_EXISTS;
import static io.sparknd.tensor.ErrorCondition.TABLE_NOT_CREATED;
import static io.sparknd.tensor.ErrorCondition.TABLE_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.TABLE_OPTION_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_CATALOG;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_SPARK;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.failedAttribute;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.file;
import static io.sparknd.tensor.ErrorFactory.index;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.root;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.exceptions.CommitUnknownException;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Errors of tensor tables. */
public final class TableErrors {
  private TableErrors() {}

  public static SparkNdException unreadableTableFile(String file, Throwable cause) {
    return failedFile(
        cause,
        INVALID_TABLE_FILE.sub("UNREADABLE_TABLE_FILE"),
        "<file> cannot be read as Parquet: <reason>; if it is damaged, restore it or roll the table back",
        file,
        reason(cause));
  }

  public static SparkNdException missingTableFile(String file, String table, Throwable cause) {
    return failedFile(
        cause,
        INVALID_TABLE_FILE.sub("MISSING_TABLE_FILE"),
        "file <file> of table <table> does not exist: if the snapshot that is read has expired since, read the table again; else restore the file, or roll the table back to a snapshot without it by Iceberg's rollback_to_snapshot",
        file,
        table);
  }

  public static SparkNdException unwritableTableFile(String file, Throwable cause) {
    return failedFile(
        cause,
        CANNOT_WRITE_FILE.sub("UNWRITABLE_TABLE_FILE"),
        "<file> cannot be written; the table is unchanged: <reason>; <remedy>",
        file,
        reason(cause),
        remedy(cause));
  }

  public static SparkNdException noFileColumn(String file, String column, List<String> columns) {
    return file(
        INVALID_TABLE_FILE.sub("NO_FILE_COLUMN"),
        "<file> has no column <column>; its columns are <columns>, so it was not written for this tensor",
        file,
        column,
        columns);
  }

  public static SparkNdException wrongFileColumn(
      String file, String column, String found, String needed) {
    return dtype(
        INVALID_TABLE_FILE.sub("WRONG_FILE_COLUMN"),
        "<file> has column <column> of type <found>; the tensor needs <needed>: write the file with the"
            + " table's schema",
        file,
        column,
        found,
        needed);
  }

  public static SparkNdException tooManyRowsInFile(String file, long rows) {
    return file(
        TOO_LARGE.sub("TOO_MANY_ROWS_IN_FILE"),
        "<file> has <rows> rows; a file of a tensor table holds at most <limit>: split it into several files",
        file,
        rows,
        Storage.MAX_LENGTH);
  }

  public static SparkNdException badIndexInFile(
      String file, int row, String column, long index, Shape outer) {
    return index(
        INVALID_TABLE_FILE.sub("BAD_INDEX_IN_FILE"),
        "<file>: <column> = <index> in row <row> is out of bounds for shape <outer>: delete the row or correct it",
        file,
        column,
        index,
        row,
        outer);
  }

  public static SparkNdException nullInFile(String file, String row, String column) {
    return dtype(
        INVALID_TABLE_FILE.sub("NULL_IN_FILE"),
        "<file>: row <row> of column <column> is or contains null; tensors have no nulls: update it to a"
            + " value",
        file,
        row,
        column);
  }

  public static SparkNdException wrongLengthInFile(
      String file, String row, String column, long found, Shape slice) {
    return shape(
        INVALID_TABLE_FILE.sub("WRONG_LENGTH_IN_FILE"),
        "<file>: row <row> of column <column> has <found> elements; the tensor's slices <slice> need <needed>: correct the row",
        file,
        row,
        column,
        found,
        slice,
        slice.elements());
  }

  public static SparkNdException raggedInFile(String file, String row, String column, Shape slice) {
    return shape(
        INVALID_TABLE_FILE.sub("RAGGED_IN_FILE"),
        "<file>: row <row> of column <column> is not nested as the tensor's slices <slice>: correct the row",
        file,
        row,
        column,
        slice);
  }

  public static SparkNdException wrongBytesInFile(
      String file, String row, String column, int found, int needed) {
    return shape(
        INVALID_TABLE_FILE.sub("WRONG_BYTES_IN_FILE"),
        "<file>: row <row> of column <column> has <found> bytes; the tensor's slices need <needed>: correct the row",
        file,
        row,
        column,
        found,
        needed);
  }

  public static SparkNdException wrongElementInFile(
      String file, String row, String column, Object value, DType dtype) {
    return dtype(
        INVALID_TABLE_FILE.sub("WRONG_ELEMENT_IN_FILE"),
        "<file>: row <row> of column <column> holds <value>, which is not a <dtype>: correct the row",
        file,
        row,
        column,
        value,
        dtype);
  }

  public static SparkNdException noIcebergRuntime(String runs, String spark) {
    return state(
        UNSUPPORTED_SPARK.sub("NO_TABLES"),
        "this is Spark <runs>, for which this jar of SparkND has no tables: they need Iceberg's runtime"
            + " for Spark <spark>; functions and embeddings work on this Spark",
        runs,
        spark);
  }

  public static SparkNdException unknownCodec(String property, String codec, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_CODEC"),
        "<property> = '<codec>' is not a known codec; known codecs are <known>",
        property,
        codec,
        known);
  }

  public static SparkNdException badTableProperty(String property, String value, String needed) {
    return attribute(
        INVALID_TABLE_PROPERTY, "<property> = '<value>' is not <needed>", property, value, needed);
  }

  public static SparkNdException indexColumnsAndDepth(List<String> columns, long depth) {
    return attribute(
        INVALID_ARGUMENT.sub("INDEX_COLUMNS_AND_DEPTH"),
        "index_columns names <columns> and index_depth is <depth>: give only one of the two",
        columns,
        depth);
  }

  public static SparkNdException tableDepth(Shape shape, long depth) {
    return shape(
        INVALID_TABLE_SPEC.sub("TABLE_DEPTH"),
        "<depth> index columns for a tensor of shape <shape>; a table needs at least one, and at most as"
            + " many as the rank",
        depth,
        shape);
  }

  public static SparkNdException emptyTable(Shape shape) {
    return shape(
        INVALID_TABLE_SPEC.sub("EMPTY_TABLE"),
        "a tensor of shape <shape> has no elements and cannot be stored in a table",
        shape);
  }

  public static SparkNdException tableColumns(String layout, List<String> columns, Shape slice) {
    return shape(
        INVALID_TABLE_SPEC.sub("TABLE_COLUMNS"),
        "layout <layout> has value columns <columns> for slices of shape <slice>; 'array' and 'binary' need one, and"
            + " 'columns' one for each element of a slice of rank 1",
        layout,
        columns,
        slice);
  }

  public static SparkNdException noSuchFeature(String feature, List<String> known) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_SUCH_FEATURE"),
        "'<feature>' is not a feature of the tensor; <known>",
        feature,
        known.isEmpty()
            ? "its layout has none: TensorSpec.withFeatures names them"
            : "its features are " + String.join(", ", known));
  }

  public static SparkNdException noFeatures(String table, String layout) {
    return state(
        INVALID_TENSOR_TABLE.sub("NO_FEATURES"),
        "table <table> has layout '<layout>', whose elements have no names; create it with"
            + " TensorSpec.withFeatures, or scatter and gather by index",
        table,
        layout);
  }

  public static SparkNdException indexColumnsOfRow(
      String table, List<String> needed, List<String> given) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("INDEX_COLUMNS_OF_ROW"),
        "rows of table <table> are gathered by all of its index columns, <needed>; given are <given>",
        table,
        needed,
        given);
  }

  public static SparkNdException noValidTimes(String table) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("NO_VALID_TIMES"),
        "batches of tensor table <table> declare no valid time: gather by the clock of commits, or keep the rows in a feature table",
        table);
  }

  public static SparkNdException noSuchBatch(String table, String id) {
    return attribute(
        SNAPSHOT_NOT_FOUND.sub("NO_SUCH_BATCH"),
        "table <table> has no snapshot of batch '<id>': it was not committed, was rolled back, or its"
            + " snapshot has expired; see the table's history",
        table,
        id);
  }

  public static SparkNdException duplicateColumn(List<String> columns) {
    return attribute(
        COLUMN_EXISTS.sub("COLUMN_TWICE"),
        "columns <columns> contain a duplicate; column names must be unique",
        columns);
  }

  public static SparkNdException badTableColumn(String column) {
    return attribute(
        INVALID_TABLE_SPEC.sub("BAD_TABLE_COLUMN"),
        "'<column>' is not a valid column name: it is empty or contains a comma",
        column);
  }

  public static SparkNdException binaryStrings() {
    return dtype(
        INVALID_BINARY_FORM.sub("BINARY_STRINGS"),
        "layout 'binary' does not support strings: use 'array'");
  }

  public static SparkNdException notPositive(String what, long value) {
    return attribute(
        INVALID_SETTING.sub("NOT_POSITIVE"),
        "<what> is <value>; it must be 1 or more",
        what,
        value);
  }

  public static SparkNdException rowsPerBlockTooLarge(long rows) {
    return attribute(
        TOO_LARGE.sub("ROWS_PER_BLOCK_TOO_LARGE"),
        "a block of <rows> rows is too large; Iceberg's truncate takes at most 2^31 - 1",
        rows);
  }

  public static SparkNdException notATensorTable(String table, String property) {
    return state(
        INVALID_TENSOR_TABLE.sub("NOT_A_TENSOR_TABLE"),
        "table <table> is not a tensor table: it has no property <property>; create one with"
            + " nd.system.create_tensor or TensorTable.create",
        table,
        property);
  }

  public static SparkNdException tensorRetyped(
      String table, String declared, String stored, String dtype, String shape) {
    return state(
        INVALID_TENSOR_TABLE.sub("TENSOR_RETYPED"),
        "rows of table <table> are <declared> by its properties, which others changed, and <stored> by its values: set <dtype> and <shape> back, and write values of another type to a new table",
        table,
        declared,
        stored,
        dtype,
        shape);
  }

  public static SparkNdException noSuchTable(String table) {
    return state(
        TABLE_NOT_FOUND,
        "table <table> does not exist; create it with nd.system.create_tensor or create_features, in Java TensorTable.create or FeatureTable.create",
        table);
  }

  public static SparkNdException tableExists(String table) {
    return state(
        TABLE_EXISTS, "table <table> already exists; open it, or choose another name", table);
  }

  public static SparkNdException tableNotCreated(String table, Throwable cause) {
    return failedState(
        cause,
        TABLE_NOT_CREATED,
        "table <table> cannot be created: <reason>",
        table,
        reason(cause));
  }

  public static SparkNdException notAnIcebergCatalog(String table, Throwable cause) {
    return failedState(
        cause,
        UNSUPPORTED_CATALOG.sub("NOT_AN_ICEBERG_CATALOG"),
        "<table> is not in an Iceberg catalog of this session: set spark.sql.catalog.NAME ="
            + " org.apache.iceberg.spark.SparkCatalog, and put NAME before the name",
        table);
  }

  public static SparkNdException unsafeCatalog(String table, String setting) {
    return state(
        UNSUPPORTED_CATALOG.sub("UNSAFE_CATALOG"),
        "table <table> is in a Hadoop catalog, which can lose a commit that it has acknowledged when two"
            + " processes write: use a JDBC, REST or Hive catalog, or set <setting> = true if nothing else"
            + " ever writes to it",
        table,
        setting);
  }

  public static SparkNdException wrongPartitioning(String table, String found, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("WRONG_PARTITIONING"),
        "table <table> is partitioned by <found>; its files need <wanted>: write it to a new table",
        table,
        found,
        wanted);
  }

  public static SparkNdException changedPartitions(
      String table, String found, String wanted, String statements) {
    return state(
        INVALID_TENSOR_TABLE.sub("CHANGED_PARTITIONS"),
        "table <table> is partitioned by <found>, which others changed; new files need <wanted> alone. Files that"
            + " exist can be read. To commit again, run <statements>",
        table,
        found,
        wanted,
        statements);
  }

  public static SparkNdException wrongTableColumn(
      String table, String column, String found, String wanted) {
    return state(
        INVALID_TENSOR_TABLE.sub("WRONG_TABLE_COLUMN"),
        "column <column> of table <table> is <found>; its tensor needs <wanted>: roll the change of the schema back, or"
            + " write the tensor to a new table",
        column,
        table,
        found,
        wanted);
  }

  public static SparkNdException requiredTableColumns(String table, List<String> columns) {
    return state(
        INVALID_TENSOR_TABLE.sub("REQUIRED_TABLE_COLUMNS"),
        "table <table> has required columns <columns> besides those of its tensor, which new rows have no value"
            + " for: make them optional, or give them a default",
        table,
        columns);
  }

  public static SparkNdException noNumberedAxis(String table) {
    return state(
        INVALID_TENSOR_TABLE.sub("NO_NUMBERED_AXIS"),
        "table <table> has no numbered axis, so it has no size to change: its rows have keys of any value, or"
            + " it is not a table of SparkND",
        table);
  }

  public static SparkNdException rowsBeyondSize(
      String table, long size, String column, long row, String branch) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("ROWS_BEYOND_SIZE"),
        "table <table> cannot shrink to size <size>, because branch '<branch>' has the row <column> = <row>; delete"
            + " such rows first",
        table,
        size,
        branch,
        column,
        row);
  }

  public static SparkNdException rolledBackSize(
      String table, long size, String column, long row, long before) {
    return index(
        ROW_OUT_OF_BOUNDS.sub("ROLLED_BACK_SIZE"),
        "table <table> has size <size>, but the snapshot that it was rolled back to has the row <column> ="
            + " <row>; nothing was written: resize the table to <before>, or delete such rows, first",
        table,
        size,
        column,
        row,
        before);
  }

  public static CommitConflictException shrunkMeanwhile(String table, long before, long size) {
    return new CommitConflictException(
        index(
            COMMIT_CONFLICT.sub("TABLE_SHRANK"),
            "table <table> was resized from <before> to <size> while rows beyond that were written; nothing was"
                + " written: correct the rows, and call again",
            table,
            before,
            size));
  }

  public static SparkNdException encryptedTable(String table) {
    return state(
        INVALID_TENSOR_TABLE.sub("ENCRYPTED_TABLE"),
        "table <table> is encrypted; encrypted tensor tables are not supported",
        table);
  }

  public static SparkNdException laterFormat(
      String table, String property, String found, int known) {
    return state(
        INVALID_TENSOR_TABLE.sub("LATER_FORMAT"),
        "table <table> has <property> = <found>, and this SparkND knows formats up to <known>: use a version of SparkND that knows format <found>",
        table,
        property,
        found,
        known,
        found);
  }

  public static SparkNdException noSuchSnapshot(String table, Object snapshot) {
    return attribute(
        SNAPSHOT_NOT_FOUND.sub("NO_SUCH_SNAPSHOT"),
        "table <table> has no snapshot <snapshot>; it may have expired, see the table's history",
        table,
        snapshot);
  }

  public static SparkNdException noSuchBranch(
      String table, String branch, Collection<String> branches) {
    return attribute(
        BRANCH_NOT_FOUND,
        "table <table> has no branch '<branch>', only <branches>; create it with ALTER TABLE ... CREATE BRANCH",
        table,
        branch,
        branches);
  }

  public static SparkNdException tagAsBranch(String table, String tag) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("TAG_AS_BRANCH"),
        "'<tag>' of table <table> is a tag, which does not change; name a branch, or read the tag with"
            + " VERSION AS OF",
        tag,
        table);
  }

  public static SparkNdException timeOfBranch(String table, String branch) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("TIME_OF_BRANCH"),
        "branch '<branch>' of table <table> has no timestamps, since Iceberg records those of main only: use"
            + " snapshot(id) or batch(id)",
        branch,
        table);
  }

  public static SparkNdException versionReplacedByBranch(
      String table, String version, String branch) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("VERSION_REPLACED_BY_BRANCH"),
        "table <table> is named with version '<version>', in place of which Iceberg's extensions read branch"
            + " '<branch>' of spark.wap.branch: use VERSION AS OF or TIMESTAMP AS OF, or unset spark.wap.branch",
        table,
        version,
        branch);
  }

  public static SparkNdException branchOfOption(String table, String named, String option) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("BRANCH_OPTION"),
        "table <table> is named with branch '<branch>', and the option branch is '<option>': omit the option",
        table,
        named,
        option);
  }

  public static SparkNdException wrongBranchSettings(String table, Throwable cause) {
    return failedAttribute(
        cause,
        TABLE_OPTION_MISMATCH.sub("BRANCH_SETTINGS"),
        "the branch of table <table> is ambiguous: <problem>; set only one of the option branch,"
            + " spark.wap.branch and spark.wap.id",
        table,
        reason(cause));
  }

  public static SparkNdException stagedCompaction(String table, String id) {
    return state(
        TABLE_OPTION_MISMATCH.sub("STAGED_COMPACTION"),
        "a compaction of table <table> cannot be staged, since it changes no row, and spark.wap.id is"
            + " '<id>'; unset spark.wap.id to compact",
        table,
        id);
  }

  public static SparkNdException tableReadOption(String table, String option, String value) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("READ_OPTION"),
        "option '<option>' = '<value>' may select only some rows of table <table>, and a tensor is a whole"
            + " snapshot; remove it, or choose a snapshot with VERSION AS OF, TIMESTAMP AS OF or the option branch",
        option,
        value,
        table);
  }

  public static SparkNdException pinnedSnapshot(String table, long snapshot) {
    return state(
        SNAPSHOT_READ_ONLY,
        "table <table> is open at snapshot <snapshot>, which is read-only: open the table to write to it",
        table,
        snapshot);
  }

  public static SparkNdException foreignFile(String table, String file, String format) {
    return file(
        INVALID_TABLE_FILE.sub("FOREIGN_FILE"),
        "file <file> of table <table> is <format>; files of a tensor or of features are Parquet: rewrite it with"
            + " Iceberg's rewrite_data_files",
        file,
        table,
        format);
  }

  public static SparkNdException equalityDeletes(String table, String file) {
    return file(
        INVALID_TABLE_FILE.sub("EQUALITY_DELETES"),
        "file <file> of table <table> holds equality deletes, which SparkND does not read: apply it with"
            + " Iceberg's rewrite_data_files",
        file,
        table);
  }

  public static SparkNdException rowInWrongBlock(String file, long row) {
    return file(
        INVALID_TABLE_FILE.sub("ROW_IN_WRONG_BLOCK"),
        "file <file> holds row <row> of the tensor, which belongs to another partition; the file was not"
            + " written by Iceberg's rules",
        file,
        row);
  }

  public static SparkNdException duplicateRow(String file, long row) {
    return file(
        INVALID_TABLE_FILE.sub("DUPLICATE_ROW"),
        "row <row> of the tensor occurs twice in the table, once in file <file>: delete one of the two",
        row,
        file);
  }

  public static SparkNdException blockTooLarge(String table, long rows, long rowsPerBlock) {
    return state(
        TOO_LARGE.sub("BLOCK_TOO_LARGE"),
        "a block of table <table> has <rows> rows to write, more than fit one array, "
            + "with rowsPerBlock <rowsPerBlock>: write the tensor to a table with a smaller "
            + "rowsPerBlock",
        table,
        rows,
        rowsPerBlock);
  }

  public static SparkNdException badBatchId(String id) {
    return attribute(
        INVALID_BATCH_ID, "batch id '<id>' is empty or contains a comma; use another", id);
  }

  public static CommitConflictException commitLost(String table, int attempts) {
    return new CommitConflictException(
        state(
            COMMIT_CONFLICT.sub("COMMIT_LOST"),
            "table <table> changed before each of <attempts> commits; nothing was written: retry with fewer"
                + " concurrent writers of the same blocks",
            table,
            attempts));
  }

  public static CommitConflictException expiryLost(String table, int attempts) {
    return new CommitConflictException(
        state(
            COMMIT_CONFLICT.sub("EXPIRY_LOST"),
            "snapshots of table <table> could not be expired in <attempts> attempts, because other commits"
                + " changed the table; call again, which does no harm",
            table,
            attempts));
  }

  public static SparkNdException commitRejected(String table, Throwable cause) {
    return failedState(
        cause,
        COMMIT_FAILED.sub("COMMIT_REFUSED"),
        "the catalog rejected a commit to table <table>; the table is unchanged: <reason>",
        table,
        reason(cause));
  }

  public static SparkNdException commitFailed(String table, Throwable cause) {
    return failedFile(
        cause,
        COMMIT_FAILED.sub("COMMIT_FAILED"),
        "a commit to table <table> could not be written; the table is unchanged: <reason>; <remedy>",
        table,
        reasons(cause),
        remedy(cause));
  }

  public static CommitUnknownException commitUnknown(String table, Throwable cause) {
    return new CommitUnknownException(
        failedState(
            cause,
            COMMIT_UNKNOWN,
            "the catalog did not say whether table <table> was committed: check its history, or call again with"
                + " a batch id; if the commit succeeded, such a retry does nothing",
            table));
  }

  public static SparkNdException catalogFailed(String tried, String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_FAILED.sub("NOTHING_CHANGED"),
        "<tried> table <table> failed; nothing was changed: <reason>; <remedy>",
        tried,
        table,
        reasons(cause),
        remedy(cause));
  }

  public static SparkNdException catalogUnknown(String tried, String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_UNKNOWN.sub("OUTCOME_UNKNOWN"),
        "<tried> table <table> failed, and it is unknown how much of it was done: <reason>; <remedy>,"
            + " which does no harm if it was done",
        tried,
        table,
        reasons(cause),
        remedy(cause));
  }

  public static SparkNdException expiryUnknown(String table, int snapshots, Throwable cause) {
    return failedState(
        cause,
        CATALOG_UNKNOWN.sub("EXPIRY_UNKNOWN"),
        "it is unknown whether <snapshots> snapshots of table <table> expired; if they did, their files may"
            + " remain: <reason>; <remedy>, and delete such files with Iceberg's remove_orphan_files",
        snapshots,
        table,
        reasons(cause),
        remedy(cause));
  }

  public static SparkNdException orphansUnknown(String table, Throwable cause) {
    return failedState(
        cause,
        CATALOG_FAILED.sub("ORPHANS_UNKNOWN"),
        "nothing was deleted: to tell orphan files of table <table> from files of other tables, the session must"
            + " read all tables of the catalog and list the files of the folder: <reason>; grant it this, or use"
            + " Iceberg's remove_orphan_files if no other table is in that folder",
        table,
        reason(cause));
  }

  public static SparkNdException orphansTooYoung(Duration age) {
    return attribute(
        INVALID_ARGUMENT.sub("ORPHANS_TOO_YOUNG"),
        "older_than is <age> ago, and such young files may belong to a scatter that has not committed yet:"
            + " use a day or more",
        age);
  }

  public static SparkNdException negativeRetention(Duration age) {
    return attribute(
        INVALID_ARGUMENT.sub("NEGATIVE_RETENTION"),
        "the age of snapshots that expire is <age>: it must not be negative, or all but the latest would",
        age);
  }

  public static SparkNdException gcDisabled(String table) {
    return state(
        TABLE_OPTION_MISMATCH.sub("GC_DISABLED"),
        "table <table> has gc.enabled = false, so its files are never deleted; nothing was changed: set it"
            + " to true if no other table uses its files",
        table);
  }

  public static CommitConflictException slicesChanged(
      String table, List<String> slices, long more) {
    return new CommitConflictException(
        index(
            COMMIT_CONFLICT.sub("SLICES_CHANGED"),
            "another commit to table <table> changed <slices><more> since it was read, and ifChanged is FAIL:"
                + " read them again and retry, or use REDO",
            table,
            String.join(", ", slices),
            more == 0 ? "" : " and " + more + " more"));
  }

  /** Returns the message of {@code cause}, and that of its root cause if it is another. */
  private static String reasons(Throwable cause) {
    String reason = reason(cause);
    String root = reason(root(cause));
    return root.equals(reason) ? reason : reason + "; " + root;
  }

  /** Returns the remedy for a failing catalog or file system. */
  private static String remedy(Throwable cause) {
    String root = reason(root(cause));
    if (root.contains("[SQLITE_BUSY")) {
      return "another process holds the catalog's database: raise busy_timeout in the catalog's"
          + " uri, or call again";
    }
    if (root.contains("UUID does not match")) {
      return "the table was dropped, and one of the same name created: open that one";
    }
    return root.contains("No space left") || root.contains("[SQLITE_FULL")
        ? "free space where the table and its catalog are, and call again"
        : "check that the catalog and its storage are reachable, then call again";
  }
}
