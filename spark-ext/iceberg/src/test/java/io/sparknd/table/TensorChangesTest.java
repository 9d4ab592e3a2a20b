/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link TensorTable#changesSince}. */
class TensorChangesTest {
  private static final String TYPE = "_change_type";

  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
  }

  private static TensorTable table(DType dtype, ValueLayout layout) {
    TensorSpec spec =
        TensorSpec.of(dtype, Shape.of(30, 4, 2)).withIndexDepth(2).withRowsPerBlock(8);
    return TestTables.create(
        switch (layout) {
          case ARRAY -> spec;
          case BINARY -> spec.withBinaryValues();
          case COLUMNS -> spec.withFeatures("first", "second");
        });
  }

  /** Returns a value of the dtype's own range as SQL, from a small number {@code x}. */
  private static String element(DType dtype, String x) {
    String sql =
        switch (dtype) {
          case BOOL -> "%s % 2 = 0";
          case INT8 -> "CAST(-%s AS tinyint)";
          case INT16 -> "CAST(-300 - %s AS smallint)";
          case INT32 -> "CAST(-70000 - %s AS int)";
          case INT64 -> "-5000000000L - %s";
          case UINT8 -> "CAST(200 + %s % 50 AS smallint)";
          case UINT16 -> "CAST(60000 + %s AS int)";
          case UINT32 -> "4000000000L + %s";
          case UINT64 -> "CAST(18446744073709551000 + %s AS decimal(20, 0))";
          case FLOAT16, BFLOAT16, FLOAT32 -> "CAST(%s / 2 AS float)";
          case FLOAT64 -> "CAST(%s / 3 AS double)";
          case COMPLEX64 -> "named_struct('re', CAST(%s AS float), 'im', -1F)";
          case COMPLEX128 -> "named_struct('re', CAST(%s AS double), 'im', -1D)";
          case STRING -> "'s' || %s";
        };
    return sql.replace("%s", x);
  }

  private void scatter(TensorTable table, String batch, int from, int to, int plus) {
    String x = "CAST(id + " + plus + " AS int)";
    String value =
        "array(" + element(table.dtype(), x) + ", " + element(table.dtype(), "13") + ") AS v";
    Dataset<Row> rows =
        spark.sql(
            "SELECT id DIV 4 AS a, id % 4 AS b, "
                + value
                + " FROM range(%d, %d)".formatted(from, to));
    table
        .write()
        .batchId(batch)
        .scatter(Scatter.update(), rows, TensorColumns.of("v", "a", "b"))
        .commit();
  }

  /** Returns the rows of a state by index, as Iceberg reads them. */
  private Map<String, String> stored(TensorTable table) {
    String version = Long.toString(table.snapshot().orElseThrow());
    return byIndex(spark.read().option("versionAsOf", version).table(table.name()));
  }

  private static Map<String, String> byIndex(Dataset<Row> rows) {
    String[] columns = rows.columns();
    String values = String.join(", ", List.of(columns).subList(2, columns.length));
    return rows
        .selectExpr("i0 || ',' || i1 AS i", "to_json(struct(" + values + ")) AS v")
        .collectAsList()
        .stream()
        .collect(
            Collectors.toMap(
                row -> row.getString(0), row -> row.getString(1), (a, b) -> "twice", TreeMap::new));
  }

  /** Checks changes against the states that they are between. */
  private void check(TensorTable before, TensorTable after) {
    Dataset<Row> changes = after.changesSince(before);
    Map<String, String> then = stored(before);
    Map<String, String> now = stored(after);
    Map<String, String> kinds = new TreeMap<>();
    changes
        .selectExpr("i0 || ',' || i1 AS i", TYPE)
        .collectAsList()
        .forEach(row -> kinds.merge(row.getString(0), row.getString(1), (a, b) -> "twice"));
    Map<String, String> expected = new TreeMap<>();
    now.forEach(
        (index, value) -> {
          if (!then.containsKey(index)) {
            expected.put(index, "INSERT");
          } else if (!then.get(index).equals(value)) {
            expected.put(index, "UPDATE_AFTER");
          }
        });
    then.keySet().stream().filter(i -> !now.containsKey(i)).forEach(i -> expected.put(i, "DELETE"));
    assertThat(kinds).isEqualTo(expected).isNotEmpty();
    Map<String, String> values =
        byIndex(changes.where(TYPE + " <> 'DELETE'").drop(TYPE, "_changed_variables"));
    assertThat(now).containsAllEntriesOf(values);
    assertThat(
            changes
                .where(TYPE + " = 'DELETE'")
                .drop("i0", "i1", TYPE, "_changed_variables")
                .na()
                .drop("all")
                .count())
        .isZero();
  }

  private void checkHistory(DType dtype, ValueLayout layout) {
    TensorTable table = table(dtype, layout);
    scatter(table, "a", 5, 60, 0);
    scatter(table, "b", 50, 70, 1);
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 IN (2, 14) AND i1 > 1");
    check(table.batch("a"), table);
    if (layout != ValueLayout.BINARY) {
      Dataset<Row> shown = table.toDataset();
      Dataset<Row> changes = table.changesSince(table.batch("a"));
      String value = layout == ValueLayout.ARRAY ? "value" : "array(first, second)";
      assertThat(changes.selectExpr(value).schema().fields()[0].dataType().catalogString())
          .isEqualTo(shown.schema().fields()[2].dataType().catalogString());
      assertThat(
              changes
                  .where(TYPE + " <> 'DELETE'")
                  .selectExpr("i0", "i1", value + " AS value")
                  .exceptAll(shown)
                  .count())
          .isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"UINT8, ARRAY", "FLOAT32, BINARY"})
  void changesAreRowsThatDiffer(DType dtype, ValueLayout layout) {
    checkHistory(dtype, layout);
  }

  /** A dtype of each kind of storage, in one layout. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "INT8", "UINT16", "UINT64", "BFLOAT16", "COMPLEX64", "STRING"})
  void changesAreOfOtherDtypes(DType dtype) {
    ValueLayout[] layouts = ValueLayout.values();
    ValueLayout layout = layouts[(dtype.ordinal() + 1) % layouts.length];
    checkHistory(dtype, dtype == DType.STRING ? ValueLayout.COLUMNS : layout);
  }

  private TensorTable scalars(DType dtype, String version) {
    return TestTables.create(
        TensorSpec.of(dtype, Shape.of(40))
            .withRowsPerBlock(10)
            .withProperty("format-version", version));
  }

  private void set(TensorTable table, String values) {
    Dataset<Row> rows = spark.sql("SELECT * FROM VALUES " + values + " AS e(i, v)");
    table.scatter(Scatter.update(), rows, TensorColumns.of("v", "i"));
  }

  private static List<String> rows(Dataset<Row> changes) {
    return changes.orderBy("i0").toJSON().collectAsList();
  }

  private static TensorTable at(TensorTable table) {
    return table.snapshot(table.snapshot().orElseThrow());
  }

  @Test
  void rowsThatAreMovedOrSetToWhatTheyWereAreNoChange() {
    checkNoChange("3");
  }

  @Tag("slow")
  @Test
  void valuesAreComparedWithoutLineage() {
    checkNoChange("2");
  }

  private void checkNoChange(String version) {
    TensorTable table = scalars(DType.FLOAT32, version);
    assertThat(table.changesSince(table).collectAsList()).isEmpty();
    set(table, "(1, 1.5F), (2, 0F), (3, float('NaN')), (12, 2F)");
    TensorTable before = at(table);
    set(table, "(2, 0F), (3, float('NaN'))");
    set(table, "(1, 9F), (13, 3F)");
    set(table, "(1, 1.5F)");
    table.compact();
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 13");
    assertThat(table.changesSince(before).collectAsList()).isEmpty();
    set(table, "(2, -0F)");
    assertThat(rows(table.changesSince(before)))
        .containsExactly(
            "{\"i0\":2,\"value\":-0.0,\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"value\"]}");
  }

  @Test
  void rollbacksAreTheWayBack() {
    TensorTable table = scalars(DType.INT64, "3");
    set(table, "(1, 10L), (39, 20L)");
    TensorTable before = at(table);
    set(table, "(1, 11L), (2, 0L)"); // a row of the fill value is stored
    TensorTable after = at(table);
    table.iceberg().manageSnapshots().rollbackTo(before.snapshot().getAsLong()).commit();
    set(table, "(39, 21L)");
    assertThat(rows(table.changesSince(after)))
        .containsExactly(
            "{\"i0\":1,\"value\":10,\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"value\"]}",
            "{\"i0\":2,\"_change_type\":\"DELETE\",\"_changed_variables\":[\"value\"]}",
            "{\"i0\":39,\"value\":21,\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"value\"]}");
  }

  @Test
  void rowsOfALargerSizeAreDeletedAndComeBack() {
    TensorTable table = scalars(DType.INT64, "3");
    set(table, "(1, 10L), (35, 20L)");
    TensorTable before = at(table);
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 35");
    table.resize(20);
    assertThat(rows(table.changesSince(before)))
        .containsExactly(
            "{\"i0\":35,\"_change_type\":\"DELETE\",\"_changed_variables\":[\"value\"]}");
    assertThat(rows(before.changesSince(table)))
        .containsExactly(
            "{\"i0\":35,\"value\":20,\"_change_type\":\"INSERT\",\"_changed_variables\":[\"value\"]}");
    assertThat(table.resize(50).changesSince(before).count()).isOne();
  }

  /** The size of the earlier state hid such rows. */
  @Test
  void rowsBeyondASmallerSizeAreErrors() {
    TensorTable table = scalars(DType.INT64, "3");
    set(table, "(1, 10L), (35, 20L)");
    TensorTable before = at(table);
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 35");
    table.resize(20);
    spark.sql("INSERT INTO " + table.name() + " VALUES (36L, 30L)");
    table.iceberg().refresh();
    Dataset<Row> changes = table.changesSince(before);
    assertThatThrownBy(changes::collectAsList)
        .hasMessageContaining("i0 = 36 in row 0 is out of bounds for shape [20]");
  }

  @Test
  void columnsOfOthersAreLeftOut() {
    TensorTable table = table(DType.INT32, ValueLayout.ARRAY);
    scatter(table, "a", 0, 12, 0);
    spark.sql("ALTER TABLE " + table.name() + " ADD COLUMN note string");
    TensorTable opened = TensorTable.open(spark, table.name());
    TensorTable before = at(opened);
    spark.sql("UPDATE " + table.name() + " SET note = 'x' WHERE i1 = 2");
    assertThat(opened.changesSince(before).count()).isZero();
    scatter(opened, "b", 10, 14, 3);
    assertThat(opened.changesSince(before).columns())
        .containsExactly("i0", "i1", "value", TYPE, "_changed_variables");
    assertThat(opened.changesSince(before).where(TYPE + " = 'UPDATE_AFTER'").count()).isEqualTo(2);
  }

  private static List<TensorTable> withStrayRow(SparkSession spark, String setup, String row) {
    List<TensorTable> both = new ArrayList<>();
    TensorTable table = table(DType.INT32, ValueLayout.ARRAY);
    if (!setup.isEmpty()) {
      spark.sql(setup.formatted(table.name()));
    }
    spark.sql("INSERT INTO " + table.name() + " VALUES (0L, 0L, array(1, 2))");
    TensorTable opened = TensorTable.open(spark, table.name());
    both.add(at(opened));
    spark.sql("INSERT INTO " + table.name() + " VALUES " + row);
    both.add(opened);
    return both;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                               | (1L, 4L, array(1, 2)) | i1 = 4 in row 0 is out of bounds for shape [30, 4]",
        "''                                               | (30L, 0L, array(1, 2)) | i0 = 30 in row 0 is out of bounds for shape [30, 4]",
        "ALTER TABLE %s ALTER COLUMN value DROP NOT NULL | (1L, 0L, NULL) | column value is or contains null"
      })
  void rowsThatAreNotOfTheTensorAreErrors(String setup, String row, String problem) {
    List<TensorTable> states = withStrayRow(spark, setup, row);
    Dataset<Row> changes = states.get(1).changesSince(states.get(0));
    assertThatThrownBy(changes::collectAsList).hasMessageContaining(problem);
  }

  @Test
  void rowsThatWereNotOfTheTensorMayBeCorrected() {
    String setup = "ALTER TABLE %s ALTER COLUMN value DROP NOT NULL";
    TensorTable before =
        withStrayRow(spark, setup, "(30L, 0L, array(1, 2)), (1L, 4L, NULL), (2L, 0L, NULL)").get(1);
    TensorTable table = TensorTable.open(spark, before.name());
    TensorTable stray = at(before);
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 30 OR i1 = 4");
    spark.sql("UPDATE " + table.name() + " SET value = array(0, 0) WHERE i0 = 2");
    table.iceberg().refresh();
    assertThat(
            table
                .changesSince(stray)
                .selectExpr("concat_ws(' ', i0, i1, " + TYPE + ") AS change")
                .collectAsList()
                .stream()
                .map(row -> row.getString(0)))
        .containsExactlyInAnyOrder("30 0 DELETE", "1 4 DELETE", "2 0 UPDATE_AFTER");
    assertThatThrownBy(() -> stray.changesSince(table).collectAsList())
        .hasMessageContaining("out of bounds");
  }

  @Test
  void changesAreOfOneTable() {
    TensorTable table = scalars(DType.INT64, "3");
    assertThatThrownBy(() -> table.changesSince(scalars(DType.INT64, "3")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("not of");
  }

  @Test
  void procedureMakesAView() {
    TensorTable table = table(DType.UINT16, ValueLayout.COLUMNS);
    scatter(table, "a", 0, 12, 0);
    scatter(table, "b", 10, 14, 3);
    Row made =
        spark
            .sql(
                "CALL nd.system.changes('"
                    + table.name()
                    + "', since_batch => 'a', view => 'moved')")
            .collectAsList()
            .get(0);
    assertThat(made.getString(0)).isEqualTo("moved");
    assertThat(spark.table("moved").schema().apply("first").dataType())
        .isEqualTo(DataTypes.IntegerType);
    assertThat(
            spark
                .sql("SELECT i0, i1, first, _change_type FROM moved ORDER BY i0, i1")
                .collectAsList()
                .toString())
        .isEqualTo(
            "[[2,2,60013,UPDATE_AFTER], [2,3,60014,UPDATE_AFTER], [3,0,60015,INSERT], [3,1,60016,INSERT]]");
  }

  private static String committed(TensorTable table) {
    table.iceberg().refresh();
    long millis = table.iceberg().currentSnapshot().timestampMillis();
    return "timestamp_millis(" + millis + ")";
  }

  @Test
  void labelsHaveTheValuesOfTheirTime() {
    TensorTable table =
        TestTables.create(
            TensorSpec.of(DType.COMPLEX64, Shape.of(30, 4, 2))
                .withIndexDepth(2)
                .withFeatures("first", "second")
                .withFill(new Complex(1, 2))
                .withFeatureFill("second", new Complex(3, -4)));
    scatter(table, "a", 5, 8, 0);
    String first = committed(table);
    scatter(table, "b", 6, 9, 10);
    Dataset<Row> labels =
        spark.sql(
            "SELECT n, a, b, at FROM VALUES (0, 1, 2, %1$s), (1, 1, 2, %2$s), (2, 29, 3, %2$s) AS l(n, a, b, at)"
                .formatted(first, committed(table)));
    Dataset<Row> found = table.gatherAsOf(labels, List.of("a", "b"), "at");
    assertThat(found.orderBy("n").selectExpr("first", "second").toJSON().collectAsList())
        .containsExactly(
            "{\"first\":{\"re\":6.0,\"im\":-1.0},\"second\":{\"re\":13.0,\"im\":-1.0}}",
            "{\"first\":{\"re\":16.0,\"im\":-1.0},\"second\":{\"re\":13.0,\"im\":-1.0}}",
            "{\"first\":{\"re\":1.0,\"im\":2.0},\"second\":{\"re\":3.0,\"im\":-4.0}}");
    labels.createOrReplaceTempView("tensor_labels");
    String call = "SELECT * FROM gather_nd_as_of(TABLE(%s), TABLE(tensor_labels), at => 'at', %s)";
    String named = "index_columns => array('a', 'b')";
    assertThat(spark.sql(call.formatted(table.name(), named)).orderBy("n").toJSON().collectAsList())
        .isEqualTo(found.orderBy("n").toJSON().collectAsList());
    assertThat(
            spark
                .sql(call.formatted(table.name(), named + ", value_columns => 'second'"))
                .columns())
        .containsExactly("n", "a", "b", "at", "second");
    assertThatThrownBy(() -> spark.sql(call.formatted(table.name(), named + ", clock => 'valid'")))
        .hasMessageContaining("declare no valid time");
    String swapped = "index_columns => array('b', 'a')";
    assertThatThrownBy(() -> spark.sql(call.formatted(table.name(), swapped)).collectAsList())
        .hasMessageContaining("i1 = 29 is out of bounds");
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("a"), "at"))
        .hasMessageContaining("all of its index columns");
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("b", "a"), "at").collectAsList())
        .hasMessageContaining("i1 = 29 is out of bounds")
        .hasMessageContaining("of shape [30, 4]");
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("a", "b"), AsOf.validTime("at")))
        .hasMessageContaining("declare no valid time");
  }

  @Test
  void labelsOfTheLatestStateHaveTheTablesRows() {
    TensorTable table = table(DType.BFLOAT16, ValueLayout.BINARY);
    scatter(table, "a", 5, 60, 0);
    scatter(table, "b", 50, 70, 1);
    Dataset<Row> rows =
        spark
            .table(table.name())
            .selectExpr("i0", "i1", "value AS stored", "current_timestamp() AS at");
    Dataset<Row> found = table.gatherAsOf(rows, List.of("i0", "i1"), AsOf.latest("at"));
    assertThat(found.where("value <=> stored").count()).isEqualTo(65);
    rows.createOrReplaceTempView("tensor_rows");
    assertThat(
            spark
                .sql(
                    "SELECT * FROM gather_nd_as_of(TABLE(%s), TABLE(tensor_rows), at => 'at', clock => 'none')"
                        .formatted(table.name()))
                .where("value <=> stored")
                .count())
        .isEqualTo(65);
    Dataset<Row> absent = spark.sql("SELECT 0L AS i0, 1 AS i1, current_timestamp() AS at");
    assertThat(
            table
                .gatherAsOf(absent, List.of("i0", "i1"), AsOf.latest("at"))
                .selectExpr("to_json(struct(value))")
                .first()
                .getString(0))
        .isEqualTo("{\"value\":\"AAAAAA==\"}");
  }
}
