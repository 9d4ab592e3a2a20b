/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.SPARK;
import static io.sparknd.udf.Sql.failure;
import static io.sparknd.udf.Sql.refusal;
import static io.sparknd.udf.Sql.text;
import static io.sparknd.udf.Sql.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions in valid and malicious statements. */
class UdfStatementsTest {
  @BeforeAll
  static void makeTables() {
    SPARK
        .sql(
            "SELECT id, array(float(id), 1f, 2f) t, array(array(int(id % 3))) i, array(9f) u,"
                + " array(array(1f, 2f), array(3f, 4f)) m FROM range(10)")
        .createOrReplaceTempView("tensors");
  }

  // ---- types

  @Test
  void elementTypeAndRankFollowFromTheArguments() {
    Dataset<Row> rows =
        SPARK.sql(
            "SELECT tensor_scatter_nd_add(m, i, array(array(1f, 1f))) a, nd_shape(m) b,"
                + " gather_nd(m, array(array(0, 1))) c, nd_zeros(array(1, 2), 'bigint') d,"
                + " scatter_nd(array(array(0)), array('x'), array(2)) e FROM tensors");
    assertThat(rows.schema().toDDL())
        .isEqualTo(
            "a ARRAY<ARRAY<FLOAT>> NOT NULL,b ARRAY<BIGINT> NOT NULL,c ARRAY<FLOAT> NOT NULL,"
                + "d ARRAY<ARRAY<BIGINT>> NOT NULL,e ARRAY<STRING> NOT NULL");
  }

  @Test
  void updatesAreCastAsSparkCasts() {
    assertThat(value("tensor_scatter_nd_update(array(1.5D, 2D), array(array(0)), array(7))"))
        .isEqualTo(List.of(7.0, 2.0));
    assertThat(value("tensor_scatter_nd_add(array(1L, 2L), array(array(0)), array(7Y))"))
        .isEqualTo(List.of(8L, 2L));
    assertThat(refusal("tensor_scatter_nd_add(array(1, 2), array(array(0)), array(true))"))
        .contains("updates is array<boolean>", "int", "cast them", "line 1 pos 7");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noImplicitCastChangesAValue(boolean ansi) {
    SparkSession session = SPARK.newSession();
    session.conf().set("spark.sql.ansi.enabled", ansi);
    for (String call :
        List.of(
            "tensor_scatter_nd_add(array(1, 2), array(array(0)), array(1.7D))",
            "tensor_scatter_nd_add(array(1, 2), array(array(0)), array(1.7BD))",
            "scatter_elements(array(1L, 2L), array(0), array(0.5F), 0)",
            "nd_encode(array(1.7D), 'int32')",
            "nd_encode(array(1.7BD), 'uint64')")) {
      assertThatThrownBy(() -> session.sql("SELECT " + call))
          .isInstanceOf(AnalysisException.class)
          .hasMessageContaining("no implicit cast keeps all values: cast them");
    }
    for (String call :
        List.of(
            "tensor_scatter_nd_add(array(1Y, 2Y), array(array(0)), array(v)) FROM VALUES (300) AS t(v)",
            "tensor_scatter_nd_add(array(1, 2), array(array(0)), array(v)) FROM VALUES ('1.7') AS t(v)",
            "nd_encode(array(v), 'int8') FROM VALUES (300) AS t(v)")) {
      assertThatThrownBy(() -> session.sql("SELECT " + call).collectAsList())
          .hasMessageContaining("CAST_");
    }
    assertThat(
            session
                .sql("SELECT tensor_scatter_nd_add(array(1Y, 2Y), array(array(0)), array(9))")
                .first()
                .getList(0))
        .isEqualTo(List.of((byte) 10, (byte) 2));
  }

  @ParameterizedTest
  @EnumSource
  void noImplicitCastToFloatsChangesAValue(Codegen mode) {
    for (boolean ansi : List.of(true, false)) {
      SPARK.conf().set("spark.sql.ansi.enabled", ansi);
      try {
        mode.run(SPARK, UdfStatementsTest::castToFloats);
      } finally {
        SPARK.conf().unset("spark.sql.ansi.enabled");
      }
    }
  }

  private static void castToFloats() {
    String update =
        "tensor_scatter_nd_update(array(%s), array(array(0)), array(v)) FROM VALUES (%s), (NULL) AS t(v) WHERE v IS NOT NULL";
    List<List<String>> changed =
        List.of(
            List.of("0F", "1e300D"),
            List.of("0F", "16777217"),
            List.of("0F", "-16777217L"),
            List.of("0F", "16777217BD"),
            List.of("0F", "'1e39'"),
            List.of("0F", "'16777217'"),
            List.of("0D", "9007199254740993L"),
            List.of("0D", "9223372036854775807L"),
            List.of("0D", "9007199254740993BD"),
            List.of("0D", "'1e309'"));
    for (List<String> call : changed) {
      assertThat(failure(update.formatted(call.toArray())))
          .as(call.toString())
          .contains("updates holds ", ", which float", "cannot represent: cast it explicitly");
    }
    List<List<String>> kept =
        List.of(
            List.of("0F", "0.1D", "[0.1]"),
            List.of("0F", "double('inf')", "[Infinity]"),
            List.of("0F", "16777218", "[1.6777218E7]"),
            List.of("0F", "1.1BD", "[1.1]"),
            List.of("0F", "' Infinity '", "[Infinity]"),
            List.of("0D", "9007199254740992L", "[9.007199254740992E15]"),
            List.of("0D", "(-9223372036854775807L - 1)", "[-9.223372036854776E18]"),
            List.of("0D", "'0.1'", "[0.1]"));
    for (List<String> call : kept) {
      assertThat(text(update.formatted(call.toArray()))).as(call.toString()).isEqualTo(call.get(2));
    }
  }

  @Test
  void checkedCastsAreNoPartOfTheStatement() {
    String shaped = "struct(array(16777217L, 0L) AS shape, CAST(array() AS array<%s>) AS values)";
    String call =
        "scatter_elements(%s, %s, %s, 0)"
            .formatted(shaped.formatted("float"), shaped.formatted("int"), shaped.formatted("int"));
    assertThat(text(call)).isEqualTo("{[16777217, 0], []}");
    assertThat(
            SPARK
                .sql(
                    "SELECT tensor_scatter_nd_add(array(0F), array(array(0)), array(id)) FROM range(1)")
                .columns())
        .containsExactly("tensor_scatter_nd_add(array(0.0), array(array(0)), array(id))");
    assertThat(
            refusal(
                "tensor_scatter_nd_add(array(0F), array(array(0)), array(id, id)) FROM range(1)"))
        .contains("updates");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gather_nd(array(v, 'b'), array(array(0)))",
        "tensor_scatter_nd_update(array('a'), array(array(0)), array(v))",
        "tensor_scatter_nd_update(array('a', 'b'), array(0), v)"
      })
  void stringsThatAreNotUtf8AreAnError(String call) {
    assertThat(failure(call + " FROM VALUES (CAST(X'61FF' AS string)) AS t(v)"))
        .contains("string X'61FF' has bytes that are not UTF-8", "make_valid_utf8");
    // the character itself, which also stands for bytes that cannot be decoded
    assertThat(text(call + " FROM VALUES ('\uFFFD') AS t(v)")).contains("\uFFFD");
  }

  @Test
  void emptyUpdatesHaveEveryType() {
    for (String tensor : List.of("array(1.5BD)", "array('a')", "array(1)", "array(true)")) {
      String none = "CAST(array() AS array<array<int>>)";
      assertThat(text("tensor_scatter_nd_update(" + tensor + ", " + none + ", array())"))
          .isEqualTo(text(tensor));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0Y", "0S", "0", "0L"})
  void indicesAreIntegersOfAnyWidth(String zero) {
    assertThat(value("gather_nd(array('a', 'b'), array(array(" + zero + ")))"))
        .isEqualTo(List.of("a"));
  }

  @Test
  void slotsAndSlicesMayBeScalars() {
    assertThat(value("gather_nd(array(4, 5, 6), array(2))")).isEqualTo(6);
    assertThat(value("tensor_scatter_nd_update(array(4, 5, 6), array(2), 9)"))
        .isEqualTo(List.of(4, 5, 9));
    assertThat(value("gather_nd(t, array(2)) FROM tensors")).isEqualTo(2f);
    assertThat(value("gather_nd(array(string(id), 'b'), array(0)) FROM tensors")).isEqualTo("0");
  }

  // ---- rejected at analysis

  @Test
  void typesThatAreNotTensorsAreRejected() {
    assertThat(refusal("tensor_scatter_nd_add(map(1, 2), array(array(0)), array(1))"))
        .contains("tensor is map<int,int>, which is not a tensor type", "line 1 pos 7");
    assertThat(refusal("nd_shape(array(DATE'2026-01-01'))")).contains("array<date>");
    assertThat(refusal("nd_shape(array(cast(1 AS decimal(19, 1))))"))
        .contains("array<decimal(19,1)>", "decimals of at most 18 digits: cast it");
    assertThat(refusal("nd_shape(struct(1 AS shape, 2 AS values))"))
        .contains("which is not a tensor type");
    assertThat(refusal("gather_nd(array(1), array(array(0.5D)))"))
        .contains("indices is array<array<double>>; it must hold");
  }

  @Test
  void mismatchedRanksAreRejected() {
    assertThat(
            refusal("tensor_scatter_nd_add(array(1, 2), array(array(0)), array(array(array(1))))"))
        .contains("updates is array<array<array<int>>>", "of rank 1 needs updates of rank 1 to 2");
    assertThat(refusal("gather_elements(array(1), array(array(0)), 0)"))
        .contains("element-wise indices need the same rank");
    assertThat(refusal("gather_elements(array(1), array(0), 1)"))
        .contains("axis is 1; data array<int> has axes from -1 to 0");
  }

  @Test
  void mismatchedConstantShapesAreRejected() {
    String tensor = "array(array(1, 1, 1), array(1, 1, 1))";
    assertThat(
            refusal(
                "tensor_scatter_nd_add("
                    + tensor
                    + ", array(array(0), array(1)), array(array(1, 2), array(3, 4)))"))
        .contains("updates has shape [2, 2]; indices [2, 1] into tensor [2, 3] needs [2, 3]");
    // the values are not constant, but their shapes are
    assertThat(
            refusal(
                "tensor_scatter_nd_add(array(id, id), array(array(0)), array(id, id)) FROM tensors"))
        .contains("updates has shape [2]; indices [1, 1] into tensor [2] needs [1]");
    assertThat(refusal("scatter_nd(array(array(0, 0)), array(1), array(3))"))
        .contains("so each tuple has 2 values; tensor [3] takes at most 1");
    assertThat(refusal("gather_nd(array(array('a', 'b'), array('c', 'd')), array(array(0, 1, 0)))"))
        .contains("so each tuple has 3 values; tensor [2, 2] takes at most 2");
    assertThat(refusal("gather_nd(m, i, depth => 3) FROM tensors"))
        .contains("depth is 3; params array<array<float>> takes at most 2");
  }

  @Test
  void rankThatIsUnknownAtAnalysisIsRejected() {
    assertThat(refusal("gather_nd(m, i) FROM tensors")).contains("pass depth => 1 or 2");
    assertThat(value("gather_nd(m, i, depth => 1) FROM tensors"))
        .isEqualTo(List.of(List.of(1f, 2f)));
    assertThat(refusal("nd_zeros(sequence(1, id)) FROM tensors"))
        .contains("known only at run time");
  }

  @Test
  void stringsAreComparedByTheirBytes() {
    assertThat(
            value(
                "tensor_scatter_nd_max(array('a', 'z'), array(array(0), array(0)), array('B', 'ab'))"))
        .isEqualTo(List.of("ab", "z"));
    assertThat(
            value("scatter_nd_agg(array(id % 2), concat('n', id), array(3), 'min') FROM range(12)"))
        .isEqualTo(List.of("n0", "n1", ""));
  }

  @Test
  void reductionsAndPoliciesAreChecked() {
    assertThat(refusal("tensor_scatter_nd_sub(array('a'), array(array(0)), array('b'))"))
        .contains("sub is not defined for string");
    assertThat(refusal("scatter_elements(array(1), array(0), array(1), 0, 'plus')"))
        .contains("reduction 'plus' is unknown; use one of none, add");
    assertThat(refusal("gather_nd(array(1), array(array(0)), bad_indices => 'skip')"))
        .contains("bad_indices 'skip' is unknown; use one of error, ignore, clip");
    assertThat(refusal("gather_elements(array(1), array(0), id) FROM range(1)"))
        .contains("axis is id; it must be a constant");
    assertThat(refusal("gather_elements(array(1), array(0), 'x')"))
        .contains("axis is string; it must be an int");
    assertThat(refusal("gather_nd(array(1))")).contains("indices");
    assertThat(refusal("gather_nd(array(1), array(0), axis => 1)")).contains("axis");
    assertThat(refusal("nd_shape(1, 2, 3)")).contains("WRONG_NUM_ARGS");
  }

  /** The scalar functions and the table functions of the same names have one rule. */
  @Test
  void ignoredIndicesMayBeNegative() {
    String scalar =
        "gather_nd(t, array(array(1), array(-1)), bad_indices => 'ignore'%s) FROM tensors WHERE id = 5";
    String table =
        "v FROM gather_nd(TABLE(SELECT * FROM VALUES (0, 5F), (1, 1F), (2, 2F) AS t(i, v)),"
            + " TABLE(SELECT * FROM VALUES (1), (-1) AS q(i)), shape => array(3), bad_indices =>"
            + " 'ignore'%s) ORDER BY i DESC";
    assertThat(value(scalar.formatted(""))).isEqualTo(List.of(1f, 0f));
    assertThat(SPARK.sql("SELECT " + table.formatted("")).collectAsList())
        .extracting(row -> row.get(0))
        .containsExactly(1f, 0f);
    for (String call : List.of(scalar, table)) {
      assertThat(failure(call.formatted(", negative => 'error'")))
          .contains("[-1] is negative", "or to 'oob' to treat it as out of bounds");
    }
  }

  @Test
  void theFirstUpdateReplacesAnElementThatIsNotIncluded() {
    String updates = "array(array(0), array(0)), array(4F, 6F), include_self => %s) FROM tensors";
    String mul = "tensor_scatter_nd_mul(array(10F, 7F), " + updates;
    assertThat(value(mul.formatted("true"))).isEqualTo(List.of(240f, 7f));
    assertThat(value(mul.formatted("false"))).isEqualTo(List.of(24f, 7f));
    assertThat(value(mul.formatted("1 > 2").replace("array(10F, 7F)", "t")))
        .isEqualTo(List.of(24f, 1f, 2f));
    String mean = "scatter_elements(array(10D, 7D), array(0, 0), array(4D, 6D), 0, 'mean'%s)";
    assertThat(value(mean.formatted(""))).isEqualTo(List.of(20 / 3.0, 7.0));
    assertThat(value(mean.formatted(", include_self => false"))).isEqualTo(List.of(5.0, 7.0));
    assertThat(
            text(
                "tensor_scatter_nd_add(array(1.5BD, 7.0BD), array(array(0), array(0)),"
                    + " array(0.2BD, 0.3BD), include_self => false)"))
        .isEqualTo("[0.5, 7.0]");
  }

  @Test
  void anElementIsExcludedFromReductionsOnly() {
    assertThat(
            refusal(
                "tensor_scatter_nd_update(array(1), array(array(0)), array(2), include_self =>"
                    + " false)"))
        .contains("argument 'include_self' of tensor_scatter_nd_update is false; it takes true");
    assertThat(refusal("scatter_elements(array(1), array(0), array(2), 0, include_self => false)"))
        .contains("argument 'include_self' of scatter_elements is false; it takes true");
    String add = "tensor_scatter_nd_add(array(1), array(array(0)), array(2), include_self => %s)";
    assertThat(refusal(add.formatted("'no'")))
        .contains("include_self is string; it must be true or false");
    assertThat(refusal(add.formatted("NULL"))).contains("must be a constant and not NULL");
  }

  // ---- errors while rows are read

  @Test
  void aBadIndexIsNamed() {
    assertThat(
            failure(
                "tensor_scatter_nd_add(t, array(array(0), array(int(id))), array(1f, 1f))"
                    + " FROM tensors WHERE id = 6"))
        .startsWith("indices[1] = [6] is out of bounds for shape [3]:");
    assertThat(failure("gather_nd(t, array(array(int(-id)))) FROM tensors WHERE id = 1"))
        .startsWith("indices[0] = [-1] is negative for shape [3]: correct it, or set");
  }

  @Test
  void aWrongShapeIsNamed() {
    assertThat(
            failure(
                "tensor_scatter_nd_add(m, transform(sequence(0, 1), x -> array(int(x))),"
                    + " transform(sequence(0, 1), x -> array(1f, 2f, 3f))) FROM tensors"))
        .isEqualTo("updates has shape [2, 3]; indices [2, 1] into tensor [2, 2] needs [2, 2]");
  }

  @Test
  void raggedArraysAreReportedWithTheirPosition() {
    String ragged = "array(array(1, 2), transform(sequence(1, id + 3), x -> 1))";
    assertThat(failure("nd_shape(" + ragged + ") FROM tensors WHERE id = 0"))
        .isEqualTo("tensor[1] has 3 values and tensor[0] has 2: a ragged array is not a tensor");
    assertThat(failure("nd_shape(array(array(1, 2), array(3)))"))
        .contains("tensor[1] has 1 values and tensor[0] has 2");
  }

  @Test
  void nullsInsideAreRefused() {
    assertThat(failure("nd_shape(array(array(1, if(id = 3, NULL, 1)))) FROM tensors"))
        .startsWith("tensor[0, 1] is null; a tensor has no nulls");
    assertThat(failure("nd_shape(array(if(id = 3, NULL, array(1)), array(1))) FROM tensors"))
        .startsWith("tensor[0] is null");
    assertThat(
            failure(
                "tensor_scatter_nd_add(t, array(array(if(id = 1, NULL, 0))), array(1f))"
                    + " FROM tensors"))
        .startsWith("indices[0, 0] is null");
    assertThat(
            failure(
                "nd_shape(named_struct('shape', array(2L), 'values', array(1, int(if(id = 1,"
                    + " NULL, 2))))) FROM tensors"))
        .startsWith("tensor.values[1] is null");
    assertThat(
            failure(
                "nd_shape(named_struct('shape', array(id), 'values', array(1, 2)))"
                    + " FROM tensors WHERE id = 3"))
        .isEqualTo("2 values given; a int32 tensor of shape [3] needs 3");
  }

  @Test
  void tooLargeShapesAreRefused() {
    assertThat(failure("nd_zeros(array(id * 3000000000)) FROM tensors WHERE id = 1"))
        .contains("has 3000000000 elements");
    assertThat(failure("nd_zeros(array(-id)) FROM tensors WHERE id = 1"))
        .contains("shape [-1] has a negative dimension");
  }

  // ---- NULL, empty and constant arguments

  @Test
  void nullGivesNull() {
    for (String call :
        List.of(
            "tensor_scatter_nd_add(NULL, array(array(0)), array(1))",
            "tensor_scatter_nd_add(array(1), CAST(NULL AS array<array<int>>), array(1))",
            "tensor_scatter_nd_add(t, i, if(id < 20, NULL, u)) FROM tensors",
            "scatter_nd(if(id < 20, NULL, i), u, array(3)) FROM tensors",
            "gather_nd(if(id < 20, NULL, t), array(array(0))) FROM tensors",
            "gather_elements(array(1), NULL, 0)",
            "nd_shape(if(id < 20, NULL, t)) FROM tensors",
            "nd_reshape(NULL, array(1))")) {
      assertThat(value(call)).as(call).isNull();
    }
    assertThat(
            SPARK
                .sql("SELECT tensor_scatter_nd_add(t, i, u) r FROM tensors")
                .schema()
                .apply("r")
                .nullable())
        .isFalse();
  }

  /** So that the result can be a column of a table. */
  @Test
  void anUntypedNullHasTheTypeOfTheTensor() {
    for (String call :
        List.of(
            "tensor_scatter_nd_add(t, i, NULL)",
            "tensor_scatter_nd_add(t, NULL, u)",
            "scatter_elements(t, NULL, u, 0)",
            "gather_elements(t, NULL, 0)")) {
      Dataset<Row> nulls = SPARK.sql("SELECT " + call + " AS r FROM tensors");
      assertThat(nulls.schema().apply("r").dataType().simpleString())
          .as(call)
          .isEqualTo("array<float>");
      assertThat(nulls.first().isNullAt(0)).as(call).isTrue();
    }
    assertThat(refusal("tensor_scatter_nd_add(array(1), NULL, array(1), 'nonsense')"))
        .contains("nonsense");
  }

  @Test
  void zerosHaveTheTypeOfAnElement() {
    assertThat(refusal("nd_zeros(array(2, 3), 'array<int>')")).contains("'array<int>'");
  }

  @Test
  void updatesSayWhatSlicesAnEmptyTensorHas() {
    String call =
        "tensor_scatter_nd_add(filter(m, r -> false), array(array(0)), array(array(1, 2)), '%s')"
            + " FROM VALUES (array(array(1, 2))) AS e(m)";
    assertThat(text(call.formatted("ignore"))).isEqualTo("[]");
    assertThat(failure(call.formatted("error"))).contains("is out of bounds");
  }

  @Test
  void emptyTensorsWork() {
    String none = "CAST(array() AS array<array<int>>)";
    assertThat(
            value("tensor_scatter_nd_add(array(1, 2), " + none + ", CAST(array() AS array<int>))"))
        .isEqualTo(List.of(1, 2));
    assertThat(
            value(
                "tensor_scatter_nd_add(m, filter(i, x -> false), CAST(array() AS"
                    + " array<array<float>>)) FROM tensors"))
        .isEqualTo(List.of(List.of(1f, 2f), List.of(3f, 4f)));
    assertThat(value("gather_nd(t, filter(i, x -> false)) FROM tensors")).isEqualTo(List.of());
    assertThat(value("nd_shape(CAST(array() AS array<array<int>>))")).isEqualTo(List.of(0L, 0L));
    assertThat(value("nd_zeros(array(2, 0, 3))")).isEqualTo(List.of(List.of(), List.of()));
    assertThat(value("tensor_scatter_nd_update(array(1, 2), array(), array(5, 6))"))
        .isEqualTo(List.of(5, 6));
  }

  /** An empty array does not show the rank and depth of its tuples; a struct shows its shape. */
  @Test
  void emptyIndicesIntoStructsAreNoUpdates() {
    String tensor = "named_struct('shape', array(2L, 2L), 'values', array(1, 2, 3, 4))";
    String from = " FROM VALUES (0, array()), (1, array(array(0L, 1L))) AS t(id, i) WHERE id = 0";
    String none = "CAST(i AS array<array<bigint>>), transform(i, x -> 5)";
    assertThat(text("tensor_scatter_nd_add(" + tensor + ", " + none + ")" + from))
        .isEqualTo(text(tensor));
    String updates = "named_struct('shape', array(0L, 2L), 'values', slice(array(1), 1, 0))";
    String empty = "named_struct('shape', array(2L, 2L), 'values', array(0, 0, 0, 0))";
    String scattered = "scatter_nd(CAST(i AS array<array<bigint>>), " + updates + ", ";
    assertThat(text(scattered + "array(2, 2))" + from)).isEqualTo(text(empty));
    String gather = "gather_nd(" + tensor + ", CAST(i AS array<array<bigint>>)";
    assertThat(failure(gather + ")" + from)).contains("indices is an empty array", "depth =>");
    // one tuple without values, and two
    assertThat(text("gather_nd(" + tensor + ", slice(id, 1, 0)) FROM VALUES (array(0)) AS t(id)"))
        .isEqualTo(text(tensor));
    assertThat(
            text(
                "gather_nd("
                    + tensor
                    + ", transform(id, x -> slice(id, 1, 0))).shape FROM VALUES"
                    + " (array(0, 0)) AS t(id)"))
        .isEqualTo("[2, 2, 2]");
    assertThat(text(gather + ", depth => 1)" + from))
        .isEqualTo(text("named_struct('shape', array(0L, 2L), 'values', slice(array(1), 1, 0))"));
  }

  @Test
  void constantsAreFolded() {
    String plan =
        SPARK
            .sql(
                "SELECT id, tensor_scatter_nd_add(array(1, 2), array(array(1)), array(5)) c FROM"
                    + " tensors")
            .queryExecution()
            .optimizedPlan()
            .toString();
    assertThat(plan).contains(" AS c").doesNotContain("tensor_scatter_nd_add");
  }

  // ---- anywhere in a statement

  @ParameterizedTest
  @EnumSource
  void functionsWorkInFiltersGroupsJoinsAndViews(Codegen codegen) {
    codegen.run(
        SPARK,
        () -> {
          assertThat(
                  text(
                      "count(*) FROM tensors WHERE gather_nd(t, array(0)) > 6 AND"
                          + " tensor_scatter_nd_add(t, i, u)[0] > 7"))
              .isEqualTo("2");
          assertThat(
                  text(
                      "sort_array(collect_list(n)) FROM (SELECT count(*) n FROM tensors GROUP BY"
                          + " tensor_scatter_nd_update(t, array(array(0)), array(float(id % 2))))"))
              .isEqualTo("[5, 5]");
          assertThat(
                  text(
                      "count(*) FROM tensors a JOIN tensors b ON gather_nd(a.t, array(0)) ="
                          + " gather_nd(b.t, array(0)) + 5"))
              .isEqualTo("5");
          SPARK.sql(
              "CREATE OR REPLACE TEMPORARY VIEW shaped AS SELECT id, nd_reshape(m, array(-1)) f,"
                  + " tensor_scatter_nd_add(t, i, u, bad_indices => 'ignore') s FROM tensors");
          assertThat(text("f FROM shaped WHERE id = 3")).isEqualTo("[1.0, 2.0, 3.0, 4.0]");
          assertThat(text("s FROM shaped WHERE id = 4")).isEqualTo("[4.0, 10.0, 2.0]");
          assertThat(text("CASE WHEN id > 2 THEN nd_shape(t) END FROM tensors")).isNull();
          assertThat(text("transform(array(t), x -> tensor_scatter_nd_add(x, i, u)) FROM tensors"))
              .isEqualTo("[[9.0, 1.0, 2.0]]");
        });
  }

  @Test
  void callInSelectMatchesTheSameCallInGroupBy() {
    assertThat(
            SPARK
                .sql(
                    "SELECT nd_reshape(m, array(-1)) f, count(*) n FROM tensors"
                        + " GROUP BY nd_reshape(m, array(-1))")
                .first()
                .getLong(1))
        .isEqualTo(10);
  }

  @Test
  void functionsAreCallableFromTheDatasetApi() {
    Row row =
        SPARK
            .table("tensors")
            .select(
                functions.call_function(
                    "tensor_scatter_nd_add",
                    functions.col("t"),
                    functions.col("i"),
                    functions.col("u")))
            .first();
    assertThat(Held.list(row.get(0))).isEqualTo(List.of(9f, 1f, 2f));
  }

  @Test
  void rowMayHaveManyUpdates() {
    assertThat(
            value(
                "tensor_scatter_nd_add(array(0L), transform(sequence(1, 5000), x -> array(0)),"
                    + " sequence(1L, 5000L))"))
        .isEqualTo(List.of(12502500L));
  }

  @Test
  void columnNamesShowTheCalls() {
    assertThat(SPARK.sql("SELECT tensor_scatter_nd_add(t, i, u) FROM tensors").columns())
        .containsExactly("tensor_scatter_nd_add(t, i, u)");
    assertThat(SPARK.sql("SELECT gather_elements(t, array(0), 0) FROM tensors").columns())
        .containsExactly("gather_elements(t, array(0), 0)");
  }

  @Test
  void plansShowCallsAsWritten() {
    String plan =
        SPARK
            .sql(
                "SELECT gather_nd(t, array(array(int(id)))) g, scatter_nd_agg(int(id), id, array(9))"
                    + " FROM tensors GROUP BY 1")
            .queryExecution()
            .analyzed()
            .toString()
            .replaceAll("#\\d+L?", "");
    assertThat(plan)
        .contains("gather_nd(t, array(array(cast(id as int))))")
        .contains("scatter_nd_agg(cast(id as int), id, array(9)) AS");
  }

  // ---- registration

  /** The functions are built-in functions themselves, under names that Spark does not have. */
  @Test
  void noFunctionShadowsASparkFunction() {
    assertThat(FunctionDocsTest.names())
        .extracting(FunctionIdentifier::new)
        .noneMatch(FunctionRegistry.functionSet()::contains)
        .allMatch(FunctionRegistry.builtin()::functionExists);
  }
}
