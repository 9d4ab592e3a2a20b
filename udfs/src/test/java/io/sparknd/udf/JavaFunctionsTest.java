/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.SPARK;
import static io.sparknd.udf.Sql.failure;
import static io.sparknd.udf.Sql.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the Java classes for {@code registerJava}. */
class JavaFunctionsTest {
  private static void register(String name, DataType type) {
    SPARK.udf().registerJava("java_" + name, "io.sparknd.udf." + name, type);
  }

  private static DataType ints(int rank) {
    return Held.NESTED.type(DType.INT32, rank);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TensorScatterNdUpdate | 1 | array(1, 2, 3), array(array(1), array(1)), array(8, 9) | [1, 9, 3]",
        "TensorScatterNdAdd | 1 | array(1, 2, 3), array(array(1), array(1)), array(8, 9) | [1, 19, 3]",
        "TensorScatterNdSub | 1 | array(1, 2, 3), array(array(1), array(1)), array(8, 9) | [1, -15, 3]",
        "TensorScatterNdMul | 1 | array(1, 2, 3), array(array(1), array(1)), array(8, 9) | [1, 144, 3]",
        "TensorScatterNdMin | 2 | array(array(4, 5)), array(array(0)), array(array(3, 9)) | [[3, 5]]",
        "TensorScatterNdMax | 2 | array(array(4, 5)), array(array(0)), array(array(3, 9)) | [[4, 9]]",
        "ScatterNd | 1 | array(array(2L), array(2L)), array(8, 9), array(3) | [0, 0, 17]",
        "GatherNd | 1 | array(array(1, 2), array(3, 4)), array(array(1, 0), array(0, 1)) | [3, 2]",
        "GatherNdBatched | 1 | array(array(1, 2), array(3, 4)), array(array(1), array(0)), 1 | [2, 3]",
        "ScatterElements | 1 | array(1, 2, 3), array(-1), array(9), 0 | [1, 2, 9]",
        "ScatterElementsReduced | 1 | array(1, 2, 3), array(-1), array(9), 0, 'add' | [1, 2, 12]",
        "GatherElements | 2 | array(array(1, 2), array(3, 4)), array(array(1, 0)), 0 | [[3, 2]]",
        "NdReshape | 2 | array(1, 2, 3, 4), array(-1, 2) | [[1, 2], [3, 4]]"
      })
  void javaFunctionGivesTheExpectedResult(String name, int rank, String arguments, String result) {
    register(name, ints(rank));
    assertThat(text("java_" + name + "(" + arguments + ")")).isEqualTo(result);
  }

  /** An empty sequence does not show how long its tuples would be. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GatherNd | 1 | array(array(1, 2), array(3, 4)), array() | []",
        "GatherNd | 2 | array(array(1, 2), array(3, 4)), array() | []",
        "GatherNdBatched | 2 | array(array(1, 2), array(3, 4)), array(array(), array()), 1 | [[], []]",
        "GatherElements | 2 | array(array(1, 2), array(3, 4)), array(), 0 | []",
        "TensorScatterNdAdd | 1 | array(1, 2, 3), array(), array() | [1, 2, 3]",
        "ScatterNd | 1 | array(), array(), array(0) | []"
      })
  void emptyIndicesMoveNothing(String name, int rank, String arguments, String result) {
    register(name, ints(rank));
    assertThat(text("java_" + name + "(" + arguments + ")")).isEqualTo(result);
  }

  @Test
  void resultsOfUnknownTypeOrShapeAreErrors() {
    register("ScatterNd", ints(1));
    assertThat(failure("java_ScatterNd(array(), array(), array(3))"))
        .contains("updates is empty", "[3]");
    register("GatherNd", Held.SHAPED.type(DType.INT32, 1));
    String tensor = "named_struct('shape', array(2L), 'values', array(1, 2))";
    assertThat(failure("java_GatherNd(" + tensor + ", array())")).contains("indices is an empty");
  }

  @Test
  void nullGivesNull() {
    assertThat(new TensorScatterNdAdd().call(null, "i", "u")).isNull();
    assertThat(new TensorScatterNdAdd().call("t", null, "u")).isNull();
    assertThat(new ScatterNd().call("i", "u", null)).isNull();
    assertThat(new GatherNd().call("p", null)).isNull();
    assertThat(new GatherNdBatched().call("p", "i", null)).isNull();
    assertThat(new ScatterElements().call("d", "i", "u", null)).isNull();
    assertThat(new ScatterElementsReduced().call("d", "i", "u", 0, null)).isNull();
    assertThat(new GatherElements().call(null, "i", 0)).isNull();
    assertThat(new NdReshape().call("t", null)).isNull();
    assertThat(new NdShape().call(null)).isNull();
  }

  @Test
  void shapeIsReturned() {
    register("NdShape", DataTypes.createArrayType(DataTypes.LongType));
    assertThat(text("java_NdShape(array(array(1, 2, 3)))")).isEqualTo("[1, 3]");
  }

  /**
   * Covers all dtypes in both representations. Other tests check the SQL functions against the
   * oracle.
   */
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "INT8", "INT16", "INT32", "INT64", "FLOAT32", "FLOAT64", "STRING"})
  void agreesWithTheSqlFunction(DType dtype) {
    Random random = new Random(dtype.ordinal());
    for (Held held : Held.values()) {
      DataType type = held.type(dtype, 3);
      register("TensorScatterNdUpdate", type);
      register("ScatterElements", type);
      Tensor tensor = RandomCalls.tensor(dtype, Shape.of(2, 3, 4), random);
      Tensor updates = RandomCalls.tensor(dtype, Shape.of(2, 4), random);
      Tensor indices = Tensor.of(Shape.of(2, 2), 0, 1, 1, 2);
      Tensor elements =
          Tensor.of(Shape.of(1, 3, 4), new int[] {0, 1, -1, 0, 0, 1, 1, 0, 0, 0, 1, 1});
      Tensor given = RandomCalls.tensor(dtype, Shape.of(1, 3, 4), random);
      StructType schema =
          new StructType(
              new StructField[] {
                DataTypes.createStructField("t", type, true),
                DataTypes.createStructField("i", held.type(DType.INT32, 2), true),
                DataTypes.createStructField("u", held.type(dtype, 2), true),
                DataTypes.createStructField("e", held.type(DType.INT32, 3), true),
                DataTypes.createStructField("g", held.type(dtype, 3), true)
              });
      Row row =
          RowFactory.create(
              held.value(tensor),
              held.value(indices),
              held.value(updates),
              held.value(elements),
              held.value(given));
      Row results =
          SPARK
              .createDataFrame(List.of(row), schema)
              .selectExpr(
                  "java_TensorScatterNdUpdate(t, i, u)",
                  "tensor_scatter_nd_update(t, i, u)",
                  "java_ScatterElements(t, e, g, 0)",
                  "scatter_elements(t, e, g, 0)")
              .first();
      assertThat(Held.list(results.get(0))).isEqualTo(Held.list(results.get(1)));
      assertThat(Held.list(results.get(2))).isEqualTo(Held.list(results.get(3)));
    }
  }

  @Test
  void updatesWidenAndOtherMixedTypesAreRejected() {
    register("TensorScatterNdAdd", Held.NESTED.type(DType.FLOAT64, 1));
    assertThat(text("java_TensorScatterNdAdd(array(1.5D), array(array(0)), array(2))"))
        .isEqualTo("[3.5]");
    assertThat(failure("java_TensorScatterNdAdd(array(1.5D), array(array(0)), array('2'))"))
        .contains("updates holds a String; its values must be float64");
    assertThat(failure("java_TensorScatterNdAdd(array(1.5D), array(array(0.0D)), array(2D))"))
        .contains("indices holds a Double; its values must be int64");
  }

  @Test
  void badValuesAreNamed() {
    register("TensorScatterNdAdd", ints(1));
    register("NdShape", DataTypes.createArrayType(DataTypes.LongType));
    assertThat(failure("java_TensorScatterNdAdd(array(1), array(array(3)), array(2))"))
        .contains("indices[0] = [3] is out of bounds for shape [1]");
    assertThat(failure("java_NdShape(array(array(1), array(2, 3)))"))
        .contains("tensor[1] has 2 values and tensor[0] has 1");
    assertThat(failure("java_NdShape(array(array(1), array(int(NULL))))"))
        .contains("tensor[1, 0] is null");
    assertThat(failure("java_NdShape(array(array(1), NULL))")).contains("tensor[1] is null");
    assertThat(failure("java_NdShape(array(1.5BD))")).contains("tensor is a BigDecimal");
  }

  @Test
  void emptySequencesWork() {
    register("TensorScatterNdAdd", ints(1));
    assertThat(
            text(
                "java_TensorScatterNdAdd(array(1, 2), CAST(array() AS array<array<int>>),"
                    + " CAST(array() AS array<int>))"))
        .isEqualTo("[1, 2]");
  }
}
