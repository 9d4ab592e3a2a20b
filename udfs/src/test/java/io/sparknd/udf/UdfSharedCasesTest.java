/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.LocalSpark;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the worked examples of the TensorFlow and ONNX documents, as SQL. */
class UdfSharedCasesTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final Path CASES = Path.of("../spark-ext/core/src/test/resources/cases");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Returns the cases except those about opsets and lookups, which SQL does not have. */
  static List<Path> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files
          .filter(folder -> Files.exists(folder.resolve("attrs.json")))
          .filter(folder -> !folder.getFileName().toString().startsWith("lookup_"))
          .filter(folder -> !folder.getFileName().toString().contains("needs_opset"))
          .sorted()
          .toList();
    }
  }

  @Test
  void allAreFound() throws IOException {
    assertThat(cases()).hasSize(24);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void casesPassWithNestedArrays(Path folder) throws IOException {
    // rejected by the types alone, without the shapes; UdfStatementsTest tests it
    assumeFalse(folder.endsWith("gather_depth_over_rank"));
    check(folder, Held.NESTED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void casesPassWithStructs(Path folder) throws IOException {
    check(folder, Held.SHAPED);
  }

  private static void check(Path folder, Held held) throws IOException {
    JsonNode attributes = JSON.readTree(folder.resolve("attrs.json").toFile());
    Dataset<Row> rows = rows(folder, held);
    if (!attributes.path("expect_error").asBoolean()) {
      Object result = rows.selectExpr(sql(folder, attributes)).first().get(0);
      Tensor expected = Npy.read(folder.resolve("expected.npy"));
      assertThat(Held.list(result)).isEqualTo(held.list(expected));
      return;
    }
    String message =
        Sql.message(catchThrowable(() -> rows.selectExpr(sql(folder, attributes)).collectAsList()));
    for (JsonNode name : attributes.path("error").path("must_name")) {
      assertThat(message.replace(" ", "")).contains(name.asText().replace(" ", ""));
    }
  }

  private static Dataset<Row> rows(Path folder, Held held) {
    List<StructField> fields = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (String name : List.of("data", "indices", "updates")) {
      Path file = folder.resolve(name + ".npy");
      if (Files.exists(file)) {
        Tensor tensor = Npy.read(file);
        fields.add(
            DataTypes.createStructField(
                name, held.type(tensor.dtype(), tensor.shape().rank()), true));
        values.add(held.value(tensor));
      }
    }
    return SPARK.createDataFrame(
        List.of(RowFactory.create(values.toArray())),
        new StructType(fields.toArray(StructField[]::new)));
  }

  @SuppressWarnings("StatementSwitchToExpressionSwitch") // because cases declare local variables
  private static String sql(Path folder, JsonNode attributes) {
    String op = attributes.path("op").asText();
    String options =
        String.format(", bad_indices => '%s'", attributes.path("bad_indices").asText());
    if (attributes.path("negative").asText().equals("wrap")) {
      options += ", negative => 'wrap'";
    }
    switch (op) {
      case "scatter_nd":
        List<String> dims = new ArrayList<>();
        attributes.path("shape").forEach(dim -> dims.add(dim.asText()));
        return "scatter_nd(indices, updates, array("
            + String.join(", ", dims)
            + ")"
            + options
            + ")";
      case "gather_nd":
        Tensor indices = Npy.read(folder.resolve("indices.npy"));
        long depth = indices.shape().dim(indices.shape().rank() - 1);
        int batchDims = attributes.path("batch_dims").asInt();
        return String.format("gather_nd(data, indices, %d, %d%s)", batchDims, depth, options);
      case "ScatterND":
        String reduction = attributes.path("reduction").asText().replace("none", "update");
        return "tensor_scatter_nd_" + reduction + "(data, indices, updates" + options + ")";
      default:
        return op + "(data, indices, updates" + options + ")";
    }
  }
}
