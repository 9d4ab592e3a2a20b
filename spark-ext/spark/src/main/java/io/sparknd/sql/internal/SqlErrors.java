/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal;

import static io.sparknd.tensor.ErrorCondition.ARGUMENT_NOT_CONSTANT;
import static io.sparknd.tensor.ErrorCondition.COLUMN_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.COLUMN_TYPE_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_OVERFLOW;
import static io.sparknd.tensor.ErrorCondition.DECIMAL_TOO_LONG;
import static io.sparknd.tensor.ErrorCondition.INVALID_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_INDICES;
import static io.sparknd.tensor.ErrorCondition.INVALID_SHAPE;
import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.INVALID_TENSOR_VALUE;
import static io.sparknd.tensor.ErrorCondition.PROCEDURE_NOT_FOUND;
import static io.sparknd.tensor.ErrorCondition.SESSION_WITHOUT_EXTENSION;
import static io.sparknd.tensor.ErrorCondition.SHAPE_NOT_KNOWN;
import static io.sparknd.tensor.ErrorCondition.TABLE_OPTION_MISMATCH;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.TOO_MANY_ARGUMENTS;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_ARGUMENT;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorCondition.UNSUPPORTED_REDUCTION;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.dtype;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** Errors in calls of SQL functions and procedures. */
public final class SqlErrors {
  private SqlErrors() {}

  public static SparkNdException sessionWithoutExtension() {
    return state(
        SESSION_WITHOUT_EXTENSION,
        "this session was started without SparkND's extension, and cannot plan its table functions:"
            + " start a session with spark.sql.extensions=io.sparknd.sql.NdExtensions");
  }

  public static SparkNdException columnsHalfNamed(
      String table, String columns, String tensor, String value) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("COLUMNS_HALF_NAMED"),
        "table '<table>' has columns <columns>, and the tensor has columns <tensor>: their roles are"
            + " ambiguous by these names; name the columns with index_columns => array('...') and value_column =>"
            + " '...'; if several of them are the elements of one slice, select array(...) AS <value> instead",
        table,
        columns,
        tensor,
        value);
  }

  public static SparkNdException tableChanged(String table) {
    return state(
        INVALID_TABLE_ARGUMENT.sub("CHANGED_AFTER_ANALYSIS"),
        "table <table> was replaced, or its keys or dtype changed, after the query was analyzed:"
            + " create the Dataset again, or run the statement again",
        table);
  }

  public static SparkNdException valueIsPartitionColumn(
      String column, String table, String columns) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("VALUE_IS_PARTITION_COLUMN"),
        "column '<column>' is the last of <columns> of '<table>' because its files are partitioned"
            + " by it; name the value with value_column, and the indices with index_columns",
        column,
        columns,
        table);
  }

  public static SparkNdException unknownArgument(String function, String name, List<String> known) {
    return attribute(
        UNKNOWN_ARGUMENT.sub("UNKNOWN_ARGUMENT"),
        "<function> has no argument '<name>'; it has <known>",
        function,
        name,
        String.join(", ", known));
  }

  public static SparkNdException argumentTwice(String function, String name) {
    return attribute(
        UNKNOWN_ARGUMENT.sub("ARGUMENT_TWICE"),
        "argument '<name>' of <function> is given twice",
        name,
        function);
  }

  public static SparkNdException tooManyArguments(String function, int given, List<String> known) {
    return attribute(
        TOO_MANY_ARGUMENTS,
        "<function> is given <given> arguments; it has <count>: <known>",
        function,
        given,
        known.size(),
        String.join(", ", known));
  }

  public static SparkNdException argumentNotTable(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("ARGUMENT_NOT_TABLE"),
        "<function> needs a table or query as its argument '<name>': write TABLE(name) or TABLE(SELECT ...)",
        function,
        name);
  }

  /** The message contains {@code sql} verbatim, including percent signs. */
  public static SparkNdException argumentNotConstant(String function, String name, String sql) {
    return attribute(
        ARGUMENT_NOT_CONSTANT.sub("ARGUMENT_NOT_CONSTANT"),
        "argument '<name>' of <function> is <sql>; it must be a constant, known before the query runs",
        name,
        function,
        sql);
  }

  public static SparkNdException wrongConstant(
      String function, String name, Object value, String wanted) {
    return attribute(
        INVALID_ARGUMENT.sub("WRONG_CONSTANT"),
        "argument '<name>' of <function> is <value>; it takes <wanted>",
        name,
        function,
        value,
        wanted);
  }

  public static SparkNdException nullConstant(String function, String name) {
    return attribute(
        INVALID_ARGUMENT.sub("NULL_CONSTANT"),
        "argument '<name>' of <function> is NULL: leave it out for its default",
        name,
        function);
  }

  public static SparkNdException constantFails(
      String function, String name, String sql, Throwable cause) {
    return attribute(
        INVALID_ARGUMENT.sub("CONSTANT_FAILS"),
        "argument '<name>' of <function> is <sql>, which cannot be evaluated: <reason>",
        name,
        function,
        sql,
        reason(cause));
  }

  public static SparkNdException tableArgumentPartitioned(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("TABLE_ARGUMENT_PARTITIONED"),
        "argument '<name>' of <function> has PARTITION BY, ORDER BY or WITH SINGLE "
            + "PARTITION, which do not apply: the whole table is one tensor; use order_by => "
            + "'column' to order updates",
        name,
        function);
  }

  public static SparkNdException tableArgumentCorrelated(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("TABLE_ARGUMENT_CORRELATED"),
        "argument '<name>' of <function> depends on the query around it (LATERAL), but the function runs once, for all rows:"
            + " pass the outer rows as its table, <function>(..., <name> => TABLE(SELECT ... FROM outer_table)); the"
            + " columns of indices come out beside their slices, so no join is needed",
        name,
        function,
        function,
        name);
  }

  public static SparkNdException streamingTable(String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("STREAMING_TABLE"),
        "argument '<name>' is a stream, but a tensor and its updates are needed whole: in foreachBatch, scatter each"
            + " micro-batch into a tensor table; only the indices of a gather may be a stream",
        name);
  }

  public static SparkNdException noValueColumn(String name) {
    return attribute(
        COLUMN_NOT_FOUND.sub("NO_VALUE_COLUMN"),
        "table '<name>' has no columns; it needs index columns and a value column, last",
        name);
  }

  public static SparkNdException tableHasNoShape(String name, String columns) {
    return shape(
        SHAPE_NOT_KNOWN.sub("TABLE_HAS_NO_SHAPE"),
        "the shape of the tensor is unknown: pass shape => array(...), in Java withShape, or set the property"
            + " sparknd.shape of the table of argument '<name>', which has columns <columns>",
        name,
        columns);
  }

  public static SparkNdException queryHasNoShape(String name, String columns) {
    return shape(
        SHAPE_NOT_KNOWN.sub("QUERY_HAS_NO_SHAPE"),
        "the shape of the tensor is unknown, since argument '<name>' with columns <columns> is a query or files:"
            + " pass shape => array(...), in Java withShape",
        name,
        columns);
  }

  public static SparkNdException tooFewIndexColumns(String name, String columns, int depth) {
    return attribute(
        COLUMN_NOT_FOUND.sub("TOO_FEW_INDEX_COLUMNS"),
        "table '<name>' has columns <columns>; the first <depth> must be index columns, as many as params has",
        name,
        columns,
        depth);
  }

  public static SparkNdException noSuchProcedure(String catalog, String name, List<String> known) {
    return attribute(
        PROCEDURE_NOT_FOUND,
        "catalog <catalog> has no procedure <name>; it has <known>",
        catalog,
        name,
        String.join(", ", known));
  }

  public static SparkNdException shapeOfAnotherRank(
      Shape shape, String table, List<String> indices, String column, String type, int rank) {
    return shape(
        INVALID_SHAPE.sub("SHAPE_OF_ANOTHER_RANK"),
        "shape <shape> has <dimensions> dimensions, and table '<table>' is of a tensor of <rank>: index columns <indices> and"
            + " value column '<column>' of type <type>; give the shape all dimensions, or name the"
            + " columns with index_columns and value_column",
        shape,
        shape.rank(),
        table,
        rank,
        indices,
        column,
        type);
  }

  public static SparkNdException partsOfFlatSlices(String table, Shape slice, String columns) {
    return shape(
        INVALID_SHAPE.sub("PARTS_OF_FLAT_SLICES"),
        "table '<table>' has slices of shape <slice> as flat arrays, and updates with the columns"
            + " <columns> are of parts of them: update whole slices by flat arrays, or nest the"
            + " tensor's arrays as deep as its slices",
        table,
        slice,
        columns);
  }

  public static SparkNdException noDTypeFor(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("NO_DTYPE_FOR"),
        "value column '<column>' is <type>, which a tensor cannot hold: cast it to a boolean, a number, a"
            + " string, a date, a timestamp, an interval or arrays of them, and decode binary slices with nd_decode",
        column,
        type);
  }

  public static SparkNdException indexTypeTooNarrow(
      String column, String type, long largest, long last, Shape shape) {
    return dtype(
        INVALID_INDICES.sub("INDEX_TYPE_TOO_NARROW"),
        "index column '<column>' of the tensor is <type>, which ends at <largest>, and the result has"
            + " indices up to <last> by shape <shape>: cast the column to bigint, or give a smaller shape",
        column,
        type,
        largest,
        last,
        shape);
  }

  public static SparkNdException boundedString(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("BOUNDED_STRING"),
        "value column '<column>' is <type>, and the strings of a tensor have any length: write"
            + " CAST(<quoted> AS <wanted>)",
        column,
        type,
        SqlNames.joined(List.of(column)),
        type.replaceAll("(?:var)?char\\(\\d+\\)", "string"));
  }

  public static SparkNdException collatedColumn(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("COLLATED_COLUMN"),
        "value column '<column>' is <type>; the strings of a tensor are equal if their bytes are, and"
            + " ordered by them: write CAST(<column> AS <wanted>) if that is the order you want",
        column,
        type,
        column,
        type.replaceAll(" collate \\w+", ""));
  }

  public static SparkNdException encodedColumnType(
      String column, String type, Shape slice, String element, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("ENCODED_COLUMN_TYPE"),
        "value column '<column>' is <type>; slices of shape <slice> of a tensor of <element> need"
            + " <wanted>, or a type all of whose values fit it: cast it",
        column,
        type,
        slice,
        element,
        wanted);
  }

  public static SparkNdException movedReduction(String reduction, String type, String defined) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("MOVED_REDUCTION"),
        "<reduction> is not defined for <type>; defined are <defined>: use one of them, or convert"
            + " the values to numbers first",
        reduction,
        type,
        defined);
  }

  public static SparkNdException fillType(String value, String type) {
    return dtype(
        INVALID_ARGUMENT.sub("FILL_TYPE"),
        "fill value <value> is not a <type> that a tensor can hold: pass a value of this type",
        value,
        type);
  }

  public static SparkNdException fillNeedsDType(String value) {
    return dtype(
        INVALID_ARGUMENT.sub("FILL_NEEDS_DTYPE"),
        "fill value <value> is that of the tensor's dtype, which a Spark Connect client does not know:"
            + " name it by withDType, or pass a value",
        value);
  }

  public static SparkNdException reservedValue(String column, Object value, String type) {
    return dtype(
        INVALID_TENSOR_VALUE.sub("RESERVED_VALUE"),
        "value column '<column>' has the <type> that Spark stores as <value>, which stands for NULL in"
            + " a tensor: correct the row, or filter it out",
        column,
        type,
        value);
  }

  public static SparkNdException decimalReduction(String reduction, String type) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("DECIMAL_REDUCTION"),
        "<reduction> of <type> is not supported, because its results have more digits "
            + "than the type: cast the values to double",
        reduction,
        type);
  }

  public static SparkNdException decimalsNotCompared(String reduction, String type, int scale) {
    return dtype(
        UNSUPPORTED_REDUCTION.sub("DECIMALS_NOT_COMPARED"),
        "<reduction> of <type> is not supported, because decimals of more than 18 "
            + "digits do not fit one int64: cast the values to decimal(18, <scale>) or double",
        reduction,
        type,
        Math.min(scale, 18));
  }

  public static SparkNdException decimalFill(String value, String type) {
    return dtype(
        DECIMAL_TOO_LONG.sub("DECIMAL_FILL"),
        "fill value <value> is not supported for <type>: up to 18 digits, it must be an exact"
            + " value of the type; beyond 18 digits, it must be 0",
        value,
        type);
  }

  public static SparkNdException decimalOverflow(
      String column, long[] index, BigDecimal value, String type) {
    return dtype(
        DECIMAL_OVERFLOW.sub("DECIMAL_OVERFLOW"),
        "slice <index> of '<column>' has an element that is <value>, which does not fit <type>: cast the column to more"
            + " digits first",
        Arrays.toString(index),
        column,
        value.toPlainString(),
        type);
  }

  public static SparkNdException tooManyDecimals(long updates, String type, long most, int scale) {
    return state(
        TOO_LARGE.sub("TOO_MANY_DECIMALS"),
        "the call has <updates> updates, and sums of <type> are exact for at most <most>: scatter them in several"
            + " calls, or cast them to decimal(38, <scale>), whose sums are exact for 2^38 - 2",
        updates,
        type,
        most,
        scale);
  }

  public static SparkNdException fillNeedsValue(String bad) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("FILL_NEEDS_VALUE"),
        "bad indices are '<bad>'; 'fill' needs a fill value, and other policies must "
            + "not have one",
        bad);
  }

  public static SparkNdException nullInTensor(String position) {
    return shape(
        INVALID_TENSOR_VALUE.sub("NULL_IN_TENSOR"),
        "<position> is null; a tensor has no nulls: fill them first, as with coalesce",
        position);
  }

  public static SparkNdException optionContradictsTable(
      String option, Object requested, String table, Object is) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("OPTION_CONTRADICTS_TABLE"),
        "<option> is <requested>, but the tensor in table <table> has <is>: omit the option",
        option,
        requested,
        table,
        is);
  }

  public static SparkNdException gatherNeedsIndexColumn(String table) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("GATHER_NEEDS_INDEX_COLUMN"),
        "a gather from table <table> needs at least one index column",
        table);
  }

  public static SparkNdException keyColumnsOfRow(
      String table, List<String> keys, List<String> given) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("KEY_COLUMNS_OF_ROW"),
        "index_columns is <given>, but the key of table <table> is <keys>: name as many columns, in"
            + " this order",
        given,
        table,
        keys);
  }

  public static SparkNdException keyColumnOrder(
      String table, List<String> keys, List<String> given) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("KEY_COLUMN_ORDER"),
        "the key columns given are <given>, and the key of table <table> is <keys>: columns count by"
            + " position, so one of them would be taken for another; name them in the order of the"
            + " key, or rename them",
        given,
        table,
        keys);
  }

  public static SparkNdException keysNotNamed(
      String rows, String columns, String table, String keys) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("KEYS_NOT_NAMED"),
        "table '<rows>' has columns <columns>, and the key of table <table> is <keys>: it is"
            + " unclear which columns are the key; name them with index_columns => array('...'), in"
            + " the order of the key",
        rows,
        columns,
        table,
        keys);
  }

  public static SparkNdException keyColumnType(
      String column, String type, String table, String wanted) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("KEY_COLUMN_TYPE"),
        "key column '<column>' is <type>, but keys of table <table> are <wanted> there: cast it, or"
            + " name the key with index_columns",
        column,
        type,
        table,
        wanted);
  }

  public static SparkNdException optionNotForKeys(String option, Object value, String table) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("OPTION_NOT_FOR_KEYS"),
        "<option> is <value>, but <table> is a feature table, whose variables have types and fill"
            + " values of their own: omit the option",
        option,
        value,
        table);
  }

  public static SparkNdException policyNotForKeys(String option, String value, String table) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("POLICY_NOT_FOR_KEYS"),
        "<option> is '<value>', but rows of feature table <table> are found by key; use bad_indices"
            + " => 'error', or 'ignore' for fill values",
        option,
        value,
        table);
  }

  public static SparkNdException notKeyed(String function, String argument) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("NOT_KEYED"),
        "argument '<argument>' of <function> is neither a feature table nor a tensor table; pass"
            + " TABLE(catalog.namespace.table)",
        argument,
        function);
  }

  public static SparkNdException timeColumnMissing(String function, String argument) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("TIME_COLUMN_MISSING"),
        "<function> needs the argument <argument>: the name of the column of indices with the time of each row",
        function,
        argument);
  }

  public static SparkNdException timeColumnType(String column, String type) {
    return dtype(
        COLUMN_TYPE_MISMATCH.sub("TIME_COLUMN_TYPE"),
        "column '<column>' is <type>, and holds the times of rows: cast it to timestamp",
        column,
        type);
  }

  public static SparkNdException optionOnlyForKeys(String option, Object value) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("OPTION_ONLY_FOR_KEYS"),
        "<option> is <value>, but only a feature table has variables; use value_column",
        option,
        value);
  }

  public static SparkNdException foundOnlyForKeys(String column) {
    return attribute(
        TABLE_OPTION_MISMATCH.sub("FOUND_ONLY_FOR_KEYS"),
        "found is '<column>', but only keys of a feature table can be missing: each index of a tensor"
            + " has a value; omit the option",
        column);
  }

  public static SparkNdException queryHasNoKeys(
      String function, String argument, String table, SparkNdException cause) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("QUERY_HAS_NO_KEYS"),
        "argument '<argument>' of <function> is a query of feature table <table>, not the table"
            + " itself, so it has no keys, and its rows are not those of a tensor either: <problem>;"
            + " to gather by key, pass TABLE(<table>)",
        argument,
        function,
        table,
        reason(cause),
        table);
  }

  public static SparkNdException scatterByKeys(String table) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("SCATTER_BY_KEYS"),
        "<table> is a feature table, not a tensor, and a query cannot scatter into it by key: commit"
            + " updates with CALL nd.system.scatter_nd, in Java FeatureTable.write()",
        table);
  }

  public static SparkNdException notOverConnect(String option) {
    return attribute(
        UNSUPPORTED_REDUCTION.sub("NOT_OVER_CONNECT"),
        "<option> has no function in SQL, by which Datasets of a Spark Connect client are scattered:"
            + " use 'none', 'add', 'sub', 'mul', 'min' or 'max', or call it in the driver",
        option);
  }

  public static SparkNdException datasetOfOtherSession(String function, String name) {
    return attribute(
        INVALID_TABLE_ARGUMENT.sub("DATASET_OF_OTHER_SESSION"),
        "argument '<name>' of <function> is a Dataset of another session than the other table, and"
            + " sessions of Spark Connect share no temporary views: make both Datasets in one session",
        name,
        function);
  }

  public static SparkNdException argumentMissing(String procedure, String name) {
    return attribute(
        INVALID_ARGUMENT.sub("ARGUMENT_MISSING"),
        "procedure <procedure> requires argument '<name>', which is NULL",
        procedure,
        name);
  }
}
