/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TestSamples;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that scatters and compactions keep the columns that others add to a tensor table. */
@Tag("slow")
class AdditionalColumnsTest {
  private final SparkSession spark = HookedLake.spark();

  private List<String> select(TensorTable table, String columns, String where) {
    return spark
        .sql("SELECT " + columns + " FROM " + table.name() + " WHERE " + where + " ORDER BY i0")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  private void sql(String statement, TensorTable table) {
    spark.sql(statement.replace("$t", table.name()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read 3", "copy-on-write 3", "copy-on-write 2"})
  void updatedRowsKeepTheirValuesAndNewRowsHaveNone(String mode) {
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            HookedLake.spec()
                .withProperty("write.merge.mode", mode.split(" ")[0])
                .withProperty("format-version", mode.split(" ")[1]));
    table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    sql("ALTER TABLE $t ADD COLUMN `no.te``s` string", table);
    sql(
        "ALTER TABLE $t ADD COLUMN more struct<a: array<int>, m: map<string, decimal(9,2)>>",
        table);
    sql("ALTER TABLE $t ADD COLUMN t timestamp", table);
    sql("ALTER TABLE $t ADD COLUMN b binary", table);
    sql(
        "UPDATE $t SET `no.te``s` = concat('n', i0), more = named_struct('a', array(1, CAST(i0 AS"
            + " int)), 'm', map('k', CAST(i0 AS decimal(9,2)))), t = timestamp('2026-01-01"
            + " 10:00:00'), b = X'0102' WHERE i0 >= 3",
        table);
    String all = "i0, `no.te``s`, to_json(more), t, hex(b)";
    List<String> notes = select(table, all, "i0 < 20");
    assertThat(notes)
        .contains("[4,n4,{\"a\":[1,4],\"m\":{\"k\":4.00}},2026-01-01 10:00:00.0,0102]");
    table.scatter(Scatter.add(), updates(2, 5, 10), COLUMNS);
    table.scatter(Scatter.update(), updates(4, 13, 7), COLUMNS);
    table.scatter(Scatter.add(), updates(18, 22, 5), COLUMNS);
    assertThat(select(table, all, "i0 < 20")).isEqualTo(notes);
    assertThat(select(table, "value, `no.te``s`, more, t, b", "i0 >= 20"))
        .containsExactly("[5,null,null,null,null]", "[5,null,null,null,null]");
    assertThat(select(table, "value", "i0 IN (1, 2, 3, 4, 12, 18)"))
        .containsExactly("[1]", "[11]", "[11]", "[7]", "[7]", "[6]");
    table.compact();
    assertThat(select(table, all, "i0 < 20")).isEqualTo(notes);
    assertThat(HookedLake.read(table)[19]).isEqualTo(6);
    sql("ALTER TABLE $t DROP COLUMN more", table);
    table.scatter(Scatter.add(), updates(0, ROWS, 1), COLUMNS);
    assertThat(select(table, "`no.te``s`", "i0 IN (2, 3, 25)"))
        .containsExactly("[null]", "[n3]", "[null]");
  }

  @Test
  void newRowsHaveTheDefaultOfTheColumn() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 5, 1), COLUMNS);
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSchema()
        .addRequiredColumn("kind", Types.StringType.get(), "what", Literal.of("old"))
        .commit();
    table.iceberg().updateSchema().updateColumnDefault("kind", Literal.of("new")).commit();
    table.scatter(Scatter.add(), updates(3, 7, 1), COLUMNS);
    table.compact();
    assertThat(select(table, "i0, kind, value", "i0 > 1"))
        .containsExactly("[2,old,1]", "[3,old,2]", "[4,old,2]", "[5,new,1]", "[6,new,1]");
  }

  @Test
  void rowsKeepTheirIds() {
    TensorTable table = HookedLake.create();
    table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    sql("ALTER TABLE $t ADD COLUMN note string", table);
    sql("UPDATE $t SET note = 'x' WHERE i0 < 7", table);
    List<String> ids = select(table, "i0, _row_id", "i0 < 20");
    table.scatter(Scatter.add(), updates(5, 25, 1), COLUMNS);
    assertThat(select(table, "i0, _row_id", "i0 < 20")).isEqualTo(ids);
    List<String> lineage =
        select(table, "i0, _row_id, _last_updated_sequence_number, note", "true");
    table.compact();
    assertThat(select(table, "i0, _row_id, _last_updated_sequence_number, note", "true"))
        .isEqualTo(lineage);
    assertThat(spark.sql("SELECT count(DISTINCT _row_id) FROM " + table.name()).first().getLong(0))
        .isEqualTo(25);
  }

  static List<DType> dtypes() {
    return TestSamples.of(List.of(DType.values()), 2);
  }

  @ParameterizedTest
  @MethodSource("dtypes")
  void dtypesAreWrittenInEachLayout(DType dtype) {
    for (String layout : List.of("array", "binary", "features", "scalar")) {
      boolean isScalar = layout.equals("scalar");
      if (dtype == DType.STRING && layout.equals("binary")) {
        continue;
      }
      Shape shape = isScalar ? Shape.of(6) : Shape.of(6, 2);
      TensorSpec spec = TensorSpec.of(dtype, shape);
      TensorSpec made =
          switch (layout) {
            case "binary" -> spec.withBinaryValues();
            case "features" -> spec.withFeatures("f", "g");
            default -> spec;
          };
      TensorTable plain = TensorTable.create(spark, HookedLake.name(), made);
      TensorTable wide = TensorTable.create(spark, HookedLake.name(), made);
      sql("ALTER TABLE $t ADD COLUMN note string", wide);
      String one = element(dtype, 1);
      String two = element(dtype, 2);
      String value = isScalar ? two : "array(" + one + ", " + two + ")";
      for (TensorTable each : List.of(plain, wide)) {
        for (String rows : List.of("0, 4", "2, 6")) {
          each.scatter(
              Scatter.update(),
              spark.sql("SELECT id AS i, " + value + " AS v FROM range(" + rows + ")"),
              TensorColumns.of("v", "i"));
        }
        each.compact();
      }
      String columns = layout.equals("features") ? "i0, f, g" : "i0, value";
      assertThat(content(wide)).as(layout).isEqualTo(content(plain));
      assertThat(select(wide, columns, "true")).hasSize(6);
      if (!layout.equals("binary")) {
        assertThat(select(wide, columns, "true"))
            .as(layout)
            .isEqualTo(select(plain, columns, "true"));
      } else {
        assertThat(select(wide, "i0, hex(value)", "true"))
            .isEqualTo(select(plain, "i0, hex(value)", "true"));
      }
    }
  }

  private static List<Object> content(TensorTable table) {
    try (DistributedTensor tensor = table.load(Partitioning.of(2))) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < tensor.collect().elements(); i++) {
        values.add(tensor.collect().element(i));
      }
      return values;
    }
  }

  /** Returns one of the largest values for 1, and one of the least for 2. */
  private static String element(DType dtype, int number) {
    boolean isFirst = number == 1;
    return switch (dtype) {
      case BOOL -> isFirst ? "true" : "false";
      case INT8 -> isFirst ? "127Y" : "-128Y";
      case UINT8 -> isFirst ? "255S" : "1S";
      case INT16 -> isFirst ? "32767S" : "-32768S";
      case UINT16 -> isFirst ? "65535" : "1";
      case INT32 -> isFirst ? "2147483647" : "-7";
      case UINT32 -> isFirst ? "4294967295L" : "1L";
      case INT64 -> isFirst ? "9223372036854775807L" : "-7L";
      case UINT64 -> "CAST(" + (isFirst ? "18446744073709551615" : "1") + " AS decimal(20,0))";
      case FLOAT16, BFLOAT16, FLOAT32 -> isFirst ? "1.5F" : "-0.0F";
      case FLOAT64 -> isFirst ? "1.1D" : "-2.5D";
      case COMPLEX64 -> "named_struct('re', " + number + ".5F, 'im', -1F)";
      case COMPLEX128 -> "named_struct('re', " + number + ".1D, 'im', -1D)";
      case STRING -> isFirst ? "'ünï'" : "''";
    };
  }

  /** The column is added, and rows that the scatter has read are updated, before it commits. */
  @Test
  void concurrentUpdateOfAnAdditionalColumnIsNotLost() throws Exception {
    for (boolean isThere : List.of(true, false)) {
      TensorTable table = HookedLake.create();
      table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
      if (isThere) {
        sql("ALTER TABLE $t ADD COLUMN note string", table);
      }
      AtomicBoolean done = new AtomicBoolean();
      HookedIO.Hook hook =
          (step, path, bytes) -> {
            if (step == Step.CREATE && path.endsWith(".avro") && !done.getAndSet(true)) {
              HookedLake.elsewhere(
                  () -> {
                    if (!isThere) {
                      sql("ALTER TABLE $t ADD COLUMN note string", table);
                    }
                    sql("UPDATE $t SET note = 'mine' WHERE i0 IN (3, 8)", table);
                  });
            }
          };
      try (AutoCloseable hooked = HookedIO.with(hook)) {
        table.scatter(Scatter.add(), updates(2, 6, 10), COLUMNS);
      }
      assertThat(done).isTrue();
      assertThat(select(table, "i0, value, note", "i0 IN (2, 3, 8)"))
          .containsExactly("[2,11,null]", "[3,11,mine]", "[8,1,mine]");
    }
  }

  @Test
  void randomHistoriesEqualTheModel() {
    history(1, 8);
  }

  @Tag("slow")
  @Test
  void longRandomHistoriesEqualTheModel() {
    for (long seed = 2; seed < 4; seed++) {
      history(seed, 16);
    }
  }

  private void history(long seed, int steps) {
    Random random = new Random(seed);
    TensorTable table =
        TensorTable.create(
            spark,
            HookedLake.name(),
            HookedLake.spec()
                .withProperty("write.delete.mode", "merge-on-read")
                .withProperty(
                    "write.update.mode", random.nextBoolean() ? "merge-on-read" : "copy-on-write"));
    table.scatter(Scatter.add(), updates(0, 1, 0), COLUMNS);
    sql("ALTER TABLE $t ADD COLUMN note int", table);
    Map<Long, Long> values = new TreeMap<>(Map.of(0L, 0L));
    Map<Long, Integer> notes = new HashMap<>();
    for (int step = 1; step <= steps; step++) {
      int now = step;
      int from = random.nextInt(ROWS);
      int to = from + 1 + random.nextInt(ROWS - from);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          table.scatter(Scatter.add(), updates(from, to, step), COLUMNS);
          for (long row = from; row < to; row++) {
            values.merge(row, (long) now, Long::sum);
          }
        }
        case 3 -> {
          sql(
              "UPDATE $t SET note = " + step + " WHERE i0 BETWEEN " + from + " AND " + (to - 1),
              table);
          values.keySet().stream()
              .filter(row -> row >= from && row < to)
              .forEach(row -> notes.put(row, now));
        }
        case 4 -> {
          sql("DELETE FROM $t WHERE i0 = " + from, table);
          values.remove((long) from);
          notes.remove((long) from);
        }
        default -> table.compact();
      }
      List<String> expected =
          values.entrySet().stream()
              .map(
                  row ->
                      "["
                          + row.getKey()
                          + ","
                          + row.getValue()
                          + ","
                          + notes.get(row.getKey())
                          + "]")
              .toList();
      assertThat(select(table, "i0, value, note", "true"))
          .as("seed %d step %d", seed, step)
          .isEqualTo(expected);
    }
  }
}
