/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the procedures {@code CALL nd.system.…} on tensor tables. */
class TableProceduresTest {
  private final SparkSession spark = TestTables.spark();
  private final String table = TestTables.name();

  @BeforeEach
  void makeCatalog() {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(spark);
  }

  @AfterEach
  void dropWhatWasMade() {
    spark.conf().unset("spark.sql.ansi.enabled");
    spark.catalog().clearCache();
    spark.sql("DROP TABLE IF EXISTS " + table);
  }

  private Row call(String procedure, String arguments) {
    return spark.sql("CALL nd.system." + procedure + "('" + table + "'" + arguments + ")").first();
  }

  private List<String> problems() {
    return spark.sql("CALL nd.system.check('" + table + "')").toJSON().collectAsList();
  }

  /** As in other calls. */
  @Test
  void namesOfColumnsFollowTheSession() {
    call("create_tensor", ", 'int32', array(2), index_columns => 'user'");
    String check =
        "CALL nd.system.check('" + table + "', index_columns => 'USER', value_column => 'VALUE')";
    assertThat(spark.sql(check).count()).isZero();
    spark.conf().set("spark.sql.caseSensitive", true);
    try {
      assertThatThrownBy(() -> spark.sql(check))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("index_columns is [USER], but the tensor in table");
    } finally {
      spark.conf().unset("spark.sql.caseSensitive");
    }
  }

  private Object[] values() {
    try (DistributedTensor tensor = TensorTable.open(spark, table).load(Partitioning.of(2))) {
      return IntStream.range(0, tensor.collect().elements())
          .mapToObj(tensor.collect()::element)
          .toArray();
    }
  }

  @Test
  void tensorIsCreatedWrittenAndRead() {
    Row made =
        call(
            "create_tensor",
            ", dtype => 'int32', shape => array(5, 2), layout => 'binary', index_columns => 'user',"
                + " value_columns => 'vec', fill => 7, rows_per_block => 2, properties =>"
                + " map('owner.team', 'ads')");
    assertThat(made.mkString(" "))
        .startsWith(table + " int32 ")
        .contains(" binary ")
        .endsWith(" 2");
    TensorTable opened = TensorTable.open(spark, table);
    assertThat(opened.layout()).isEqualTo(ValueLayout.BINARY);
    assertThat(opened.iceberg().properties()).containsEntry("owner.team", "ads");

    Row first =
        call(
            "scatter_nd",
            ", updates => 'SELECT * FROM VALUES (0, array(1, 2)), (3, array(3, 4)), (0, array(5,"
                + " 6)) AS u(user, vec)', reduction => 'add', batch_id => 'monday'");
    assertThat(first.<String>getAs("outcome")).isEqualTo("committed");
    assertThat(first.<Long>getAs("updates")).isEqualTo(3);
    assertThat(first.<Long>getAs("rows")).isEqualTo(2);
    assertThat(first.<Long>getAs("blocks")).isEqualTo(2);
    assertThat(first.<Long>getAs("snapshot")).isEqualTo(opened.snapshot().orElseThrow());
    assertThat(values()).containsExactly(13L, 15L, 7L, 7L, 7L, 7L, 10L, 11L, 7L, 7L);

    Row again = call("scatter_nd", ", 'SELECT 0, array(1, 2)', batch_id => 'monday'");
    assertThat(again.<String>getAs("outcome")).isEqualTo("replayed");
    assertThat(again.<Long>getAs("snapshot")).isEqualTo(first.<Long>getAs("snapshot"));
    assertThat(values()[0]).isEqualTo(13L);
  }

  @Test
  void featuresMayHaveDifferentFillValues() {
    call(
        "create_tensor",
        ", 'float32', array(2, 3), 'columns', value_columns => array('clicks', 'last_seen',"
            + " 'min_price'), fill => 1, feature_fills => map('last_seen', '-inf', 'min_price',"
            + " 'inf')");
    assertThat(values())
        .containsExactly(
            1f,
            Float.NEGATIVE_INFINITY,
            Float.POSITIVE_INFINITY,
            1f,
            Float.NEGATIVE_INFINITY,
            Float.POSITIVE_INFINITY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "map('b', '0')      | 'b'",
        "map('a', 'little') | 'little' is not a float32",
        "map('a', NULL)     | feature_fills",
      })
  void fillValuesMustBelongToExistingFeatures(String fills, String message) {
    assertThatThrownBy(
            () ->
                call(
                    "create_tensor",
                    ", 'float32', array(2, 1), 'columns', value_columns => 'a', feature_fills => "
                        + fills))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shapesFollowFromTheArguments() {
    call(
        "create_tensor",
        ", 'uint8', array(3, 2, 2), index_depth => 2, layout => 'columns', value_columns =>"
            + " array('a', 'b'), expected_rows => 4");
    assertThat(spark.table(table).schema().toDDL())
        .isEqualTo("i0 BIGINT NOT NULL,i1 BIGINT NOT NULL,a INT NOT NULL,b INT NOT NULL");
    assertThat(TensorTable.open(spark, table).dtype()).isEqualTo(DType.UINT8);
    assertThat(TensorTable.open(spark, table).shape()).isEqualTo(Shape.of(3, 2, 2));
  }

  @Test
  void fillValuesAreElementsOfEveryKind() {
    for (String each :
        List.of(
            "'float32', array(1), fill => 0.5",
            "'float32', array(1), fill => '0.5'",
            "'float64', array(1), fill => 0.5D",
            "'bfloat16', array(1), fill => '0.5'")) {
      call("create_tensor", ", " + each);
      assertThat(((Number) values()[0]).doubleValue()).as(each).isEqualTo(0.5);
      spark.sql("DROP TABLE " + table);
    }
    call("create_tensor", ", 'complex64', array(1), fill => struct(1, -2.5)");
    assertThat(values()[0]).hasToString(new Complex(1, -2.5).toString());
    spark.sql("DROP TABLE " + table);
    call("create_tensor", ", 'bool', array(1), fill => true");
    assertThat(values()).containsExactly(true);
    spark.sql("DROP TABLE " + table);
    call("create_tensor", ", 'string', array(1), fill => 'unknown'");
    assertThat(values()).containsExactly("unknown");
  }

  @Test
  void updatesMayBeAViewWithNamedColumns() {
    call("create_tensor", ", 'int64', array(4)");
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW kept_events AS SELECT * FROM VALUES (1, 20, 'a', 2), (1, 10,"
            + " 'b', 1), (-1, 30, 'c', 1), (9, 40, 'd', 1) AS e(id, v, note, ts)");
    call(
        "scatter_nd",
        ", 'kept_events', 'none', order_by => 'ts', index_columns => 'id', value_column => 'v',"
            + " bad_indices => 'ignore', negative => 'wrap'");
    assertThat(values()).containsExactly(0L, 20L, 0L, 30L);
    Row commit =
        call(
            "scatter_nd",
            ", 'kept_events', 'min', order_by => array('ts', 'v'), index_columns => array('id'),"
                + " value_column => 'v', bad_indices => 'clip', negative => 'oob', if_changed =>"
                + " 'FAIL'");
    assertThat(commit.<Long>getAs("updates")).isEqualTo(4);
    assertThat(values()).containsExactly(0L, 10L, 0L, 30L);
    spark.sql("DROP VIEW kept_events");
  }

  @Test
  void theFirstUpdateCanReplaceTheOldValue() {
    call("create_tensor", ", 'float64', array(3)");
    String updates = ", 'SELECT * FROM VALUES (0, 4D), (0, 6D) AS u(i, v)', 'mean'";
    call("scatter_nd", updates + ", include_self => false");
    assertThat(values()).containsExactly(5.0, 0.0, 0.0);
    call("scatter_nd", updates);
    assertThat(values()).containsExactly(5.0, 0.0, 0.0);
    call("scatter_nd", ", 'SELECT * FROM VALUES (0, 1D), (1, 3D) AS u(i, v)', 'mean'");
    assertThat(values()).containsExactly(3.0, 1.5, 0.0);
    Row dropped =
        call(
            "scatter_nd",
            ", 'SELECT * FROM VALUES (-1, 1D), (2, 3D), (9, 1D) AS u(i, v)', bad_indices =>"
                + " 'ignore'");
    assertThat(dropped.<Long>getAs("dropped")).isEqualTo(2);
    assertThat(values()).containsExactly(3.0, 1.5, 3.0);
  }

  @Test
  void infoCountsTheFilesOfATable() {
    call(
        "create_tensor",
        ", 'float32', array(8, 2), 'columns', value_columns => array('a', 'b'),"
            + " rows_per_block => 2");
    Row empty = call("info", "");
    assertThat(empty.<Object>getAs("snapshot")).isNull();
    assertThat(empty.<Long>getAs("rows")).isZero();
    call("scatter_nd", ", 'SELECT id, array(1F, 2F) AS v FROM range(5)'");
    Row info = call("info", "");
    assertThat(info.<String>getAs("value_column")).isEqualTo("a, b");
    assertThat(info.<String>getAs("layout")).isEqualTo("columns");
    assertThat(info.<Long>getAs("slices")).isEqualTo(8);
    assertThat(info.<Long>getAs("rows")).isEqualTo(5);
    assertThat(info.<Long>getAs("rows_per_block")).isEqualTo(2);
    assertThat(info.<Long>getAs("blocks")).isEqualTo(3);
    assertThat(info.<Long>getAs("data_files")).isEqualTo(3);
    assertThat(info.<Long>getAs("bytes")).isPositive();
    assertThat(info.<Long>getAs("snapshot"))
        .isEqualTo(TensorTable.open(spark, table).snapshot().orElseThrow());
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          array   | array(1F)           | array(1F, 2F)
          binary  | X'0000'             | X'0000000000000000'
          """)
  void checkFindsWhatOtherEnginesWrote(String layout, String spoilt, String sound) {
    call("create_tensor", ", 'float32', array(8, 2), '" + layout + "', rows_per_block => 4");
    spark.sql("INSERT INTO " + table + " VALUES (0, " + sound + "), (7, " + sound + ")");
    assertThat(problems()).isEmpty();
    spark.sql(
        "INSERT INTO %s VALUES (0, %s), (1, %s), (8, %s)".formatted(table, sound, spoilt, sound));
    assertThat(problems())
        .containsExactly(
            "{\"problem\":\"index out of bounds\",\"rows\":1,\"example\":\"{\\\"i0\\\":8}\"}",
            "{\"problem\":\"null or length of value\",\"rows\":1,\"example\":\"{\\\"i0\\\":1}\"}",
            "{\"problem\":\"slice named more than once\",\"rows\":1,"
                + "\"example\":\"{\\\"i0\\\":0}\"}");
  }

  @Test
  void compactionAndExpiryDoNotChangeTheTensor() {
    call("create_tensor", ", 'float64', array(64), rows_per_block => 64");
    call("scatter_nd", ", 'SELECT id, double(id) AS v FROM range(64)'");
    call("scatter_nd", ", 'SELECT 3, 0.5D AS v'");
    call("scatter_nd", ", 'SELECT 5, 0.5D AS v'");
    Object[] before = values();
    Row compacted = call("compact", "");
    Row info = call("info", "");
    assertThat(info.<Long>getAs("data_files")).isEqualTo(1);
    assertThat(info.<Long>getAs("deletion_vectors")).isZero();
    assertThat(compacted.<String>getAs("outcome")).isIn("committed", "empty");
    long snapshots = spark.table(table + ".snapshots").count();
    assertThat(call("expire", ", older_than => INTERVAL 1 DAY").getLong(0)).isZero();
    Row expired = call("expire", ", older_than => current_timestamp() + INTERVAL 1 HOUR");
    assertThat(expired.getLong(0)).isEqualTo(snapshots - 1);
    assertThat(expired.getLong(1)).isEqualTo(1);
    assertThat(values()).isEqualTo(before);
  }

  /** Spark's casts would cut them, or without ANSI make NULL of them, which counts as left out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resize         | , 5.9                            | argument 'size' of resize is 5.9; it takes an integer
          resize         | , 5.9D                           | is 5.9; it takes an integer
          resize         | , DOUBLE('NaN')                  | is NaN; it takes an integer
          resize         | , '5.9'                          | is 5.9; it takes an integer
          resize         | , '5O'                           | is 5O; it takes an integer
          resize         | , 18446744073709551623           | is 18446744073709551623; it takes an integer
          resize         | , true                           | is true; it takes an integer
          resize         | , CAST(NULL AS STRING)           | requires argument 'size', which is NULL
          check          | , array(10 / 4)                  | is [2.5]; it takes an array of integers, such as array(1000000, 64)
          check          | , array('1x')                    | is [1x]; it takes an array of integers
          check          | , array(18446744073709551623)    | is [18446744073709551623]; it takes an array of integers
          expire         | , '2020-13-45'                   | argument 'older_than' of expire is 2020-13-45; it takes a time, such as TIMESTAMP '2026-03-04 10:00:00'
          remove_orphans | , '2020-13-45'                   | it takes a time
          remove_orphans | , dry_run => 'ture'              | argument 'dry_run' of remove_orphans is ture; it takes true or false
          scatter_nd     | , 'SELECT 1, 2', valid_at => 'x' | argument 'valid_at' of scatter_nd is x; it takes a time
          """)
  void argumentsAreNotCast(String procedure, String arguments, String message) {
    call("create_tensor", ", 'int32', array(20)");
    for (boolean ansi : List.of(true, false)) {
      spark.conf().set("spark.sql.ansi.enabled", ansi);
      assertThatThrownBy(() -> call(procedure, arguments))
          .as("ANSI: " + ansi)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(message);
    }
    assertThat(TensorTable.open(spark, table).shape()).isEqualTo(Shape.of(20));
  }

  @Test
  void integersMayHaveAnyTypeAndTimesBeTexts() {
    call("create_tensor", ", 'int32', array('20', ' 3'), rows_per_block => 4.0");
    assertThat(call("info", "").<Long>getAs("rows_per_block")).isEqualTo(4);
    int size = 30;
    for (String each : List.of("'31'", "32BD", "33.0", "34D", "35Y", "CAST(36 AS FLOAT)")) {
      assertThat(call("resize", ", " + each).<Long>getAs("size")).as(each).isEqualTo(++size);
    }
    call("scatter_nd", ", 'SELECT 1, array(1, 2, 3)', valid_at => CAST(NULL AS STRING)");
    call("scatter_nd", ", 'SELECT 1, array(1, 2, 3)'");
    assertThat(call("expire", ", '2020-1-1 5:00'").getLong(0)).isZero();
    assertThat(call("expire", ", '3020-01-01T00:00:00+02:00'").getLong(1)).isEqualTo(1);
    spark.sql("CALL nd.system.remove_orphans('" + table + "', '2020-01-01', ' YES')");
  }

  /** A negative age, such as of a difference the wrong way round, would leave no history. */
  @Test
  void negativeAgesExpireNothing() {
    call("create_tensor", ", 'int32', array(4)");
    call("scatter_nd", ", 'SELECT 1, 2'");
    call("scatter_nd", ", 'SELECT 1, 2'");
    assertThatThrownBy(() -> call("expire", ", INTERVAL -7 DAYS"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("age of snapshots that expire is PT-168H: it must not be negative");
    assertThatThrownBy(() -> Retention.of(Duration.ofDays(-7)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("it must not be negative");
    assertThat(spark.table(table + ".snapshots").count()).isEqualTo(2);
  }

  /** A procedure refreshes Spark's cache of the table, as INSERT does. */
  @Test
  void cachedTablesSeeTheCommit() {
    call("create_tensor", ", 'int32', array(4)");
    spark.sql("CACHE TABLE " + table);
    assertThat(spark.table(table).count()).isZero();
    call("scatter_nd", ", 'SELECT 1, 2'");
    assertThat(spark.table(table).count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create_tensor | , 'float31', array(2)                             | dtype 'float31' is unknown
          create_tensor | , 'int8', array(2, 0)                             | has no elements
          create_tensor | , 'int8', array(2, -1)                            | shape [2, -1] has a negative dimension
          create_tensor | , 'int8', array(2, NULL)                          | shape is null
          create_tensor | , 'int8', NULL                                    | requires argument 'shape', which is NULL
          create_tensor | , 'int8', array(2), fill => 'x'                   | value 'x' is not a int8
          create_tensor | , 'int8', array(2), fill => 300                   | 300
          create_tensor | , 'int8', array(2), 'row'                         | layout 'row' is unknown; use one of array, binary, columns
          create_tensor | , 'int8', array(2), index_depth => 2              | 2 index columns for a tensor of shape [2]
          create_tensor | , 'int8', array(2), index_depth => 0              | 0 index columns for a tensor of shape [2]
          create_tensor | , 'int8', array(2), index_depth => -4             | -4 index columns for a tensor of shape [2]
          create_tensor | , 'int8', array(2, 2), index_depth => 100         | 100 index columns for a tensor of shape [2, 2]
          create_tensor | , 'int8', array(2), index_columns => 'a', index_depth => 2 | index_columns names [a] and index_depth is 2
          create_tensor | , 'int8', array(2, 2), index_columns => array('a', 'A') | columns [a, A, value] contain a duplicate
          create_tensor | , 'int8', array(2), value_columns => 'a,b'        | 'a,b' is not a valid column name
          create_tensor | , 'int8', array(2), rows_per_block => 0           | rowsPerBlock is 0
          create_tensor | , 'int8', array(2, 3), 'columns', value_columns => array('a') | layout COLUMNS has value columns [a]
          create_tensor | , 'string', array(2), 'binary'                    | does not support strings
          scatter_nd    | , 'SELECT 1, 2'                                   | does not exist
          compact       |                                                   | does not exist
          expire        | , INTERVAL 1 DAY                                  | does not exist
          """)
  void invalidArgumentsAreRejectedWithAReason(String procedure, String arguments, String message) {
    String given = arguments == null ? "" : arguments;
    assertThatThrownBy(() -> call(procedure, given))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message.strip());
    assertThat(spark.catalog().tableExists(table)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          , 'SELECT 1, 2', 'plus'                       | reduction 'plus' is unknown
          , 'SELECT 1, 2', if_changed => 'no'           | if_changed 'no' is unknown; use one of redo, fail
          , 'SELECT 1, 2', bad_indices => 'no'          | bad_indices 'no' is unknown
          , 'SELECT 1, 2', negative => 'no'             | negative 'no' is unknown
          , 'SELECT 1, 2', 'none', include_self => false | argument 'include_self' of scatter_nd is false; it takes true
          , 'SELECT 1, 2', include_self => 'maybe'      | argument 'include_self' of scatter_nd is maybe; it takes true or false
          , 'SELECT -1, 2', bad_indices => 'ignore', negative => 'error' | [-1] is negative
          , 'SELECT 1, 2', duplicates => 'no'           | duplicates 'no' is unknown
          , 'SELECT 1, 2', batch_id => 'a,b'            | batch id 'a,b'
          , 'SELECT 1, 2', order_by => 'ts'             | column 'ts' is not among [1, 2] of updates
          , 'SELECT 1, 2', index_columns => array('x')  | column 'x' is not among [1, 2] of updates
          , 'SELECT 1, 2.5D'                            | slices of shape [] of a int32 tensor need int
          , 'SELECT 4, 2'                               | [4] is out of bounds for shape [4]
          , 'SELECT 1, 2, 3'                            | takes at most 1
          , 'SELECT 1.5D, 2'                            | is double; indices must be
          , NULL                                        | requires argument 'updates', which is NULL
          """)
  void badUpdatesChangeNothing(String arguments, String message) {
    call("create_tensor", ", 'int32', array(4)");
    assertThatThrownBy(() -> call("scatter_nd", arguments))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message.strip());
    assertThat(TensorTable.open(spark, table).snapshot()).isEmpty();
  }

  /** The updates argument must be a query or a view name, not another statement. */
  @Test
  void updatesThatAreNotAQueryAreRejected() {
    call("create_tensor", ", 'int32', array(4)");
    for (String text :
        List.of(
            "DROP TABLE " + table,
            "INSERT INTO " + table + " VALUES (1, 2)",
            "SELECT 1, 2) AS q; DROP TABLE " + table + " -- ",
            "nothing_there")) {
      assertThatThrownBy(() -> call("scatter_nd", ", '" + text + "'"))
          .as(text)
          .isInstanceOf(AnalysisException.class);
    }
    assertThat(call("scatter_nd", ", 'SELECT 1, 2 -- as always'").<Long>getAs("rows")).isEqualTo(1);
  }

  @Test
  void scatterRejectsOrdinaryTables() {
    spark.sql("CREATE TABLE " + table + " (i bigint, v int) USING iceberg");
    assertThatThrownBy(() -> call("scatter_nd", ", 'SELECT 1, 2'"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a tensor table: it has no property sparknd.dtype");
    assertThat(
            spark
                .sql("CALL nd.system.info('" + table + "', array(4))")
                .first()
                .schema()
                .fieldNames())
        .doesNotContain("layout");
  }

  @Test
  void constantsOfAllKindsAreAccepted() {
    spark.sql("DECLARE OR REPLACE VARIABLE called STRING DEFAULT '" + table + "'");
    spark.sql("DECLARE OR REPLACE VARIABLE rows INT DEFAULT 4");
    spark.sql(
        "CALL nd.system.create_tensor(called, dtype => lower('INT32'), shape => array(rows + 1))");
    Row scattered =
        spark
            .sql(
                "CALL nd.system.scatter_nd(table => called, updates => concat('SELECT 2 AS i0, ',"
                    + " '7 AS value'), bad_indices => ifnull(NULL, 'ignore'))")
            .first();
    assertThat(scattered.<String>getAs("outcome")).isEqualTo("committed");
    assertThat(values()).containsExactly(0L, 0L, 7L, 0L, 0L);
  }

  @Test
  void columnsOfUpdatesAreMatchedByName() {
    call(
        "create_tensor",
        ", dtype => 'int32', shape => array(3, 3), index_columns => array('i', 'j'),"
            + " value_columns => 'v'");
    String turned = "SELECT 100 AS v, 2 AS j, 0 AS i";
    call("scatter_nd", ", '" + turned + "'");
    assertThat(values()[2]).isEqualTo(100L);
    String add = "SELECT * FROM tensor_scatter_nd_add(TABLE(" + table + "), TABLE(%s)%s)";
    assertThat(spark.sql(String.format(add, turned, "")).where("i = 0 AND j = 2").first().getInt(2))
        .isEqualTo(200);
    for (String options : List.of(", index_columns => array('j', 'i')", ", value_column => 'i'")) {
      assertThatThrownBy(() -> spark.sql(String.format(add, turned, options)))
          .as(options)
          .hasMessageContaining("[v, j, i]")
          .hasMessageContaining("[i, j, v]");
      assertThatThrownBy(() -> call("scatter_nd", ", '" + turned + "'" + options))
          .as(options)
          .hasMessageContaining("[v, j, i]")
          .hasMessageContaining("[i, j, v]");
    }
    assertThatThrownBy(() -> call("scatter_nd", ", 'SELECT 0 AS i, 1 AS j, 5 AS a, 6 AS b'"))
        .hasMessageContaining("[i, j, a, b]")
        .hasMessageContaining("[i, j, v]");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE("
                        + table
                        + "), TABLE(SELECT 2 AS j, 0 AS i), index_columns => array('j', 'i'))"))
        .hasMessageContaining("[i, j, v]");
    assertThat(values()[2]).isEqualTo(100L);
  }
}
