/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.nvidia.spark.rapids.ExplainPlan;
import io.sparknd.LocalSpark;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the RAPIDS Accelerator says of queries; it looks at plans without a GPU, too. */
class StaysOnGpuTest {
  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir static Path directory;

  @BeforeAll
  static void writeTable() {
    String path = directory.resolve("rows").toString();
    SPARK
        .sql(
            "SELECT id,"
                + " array(array(1F, 2F), array(3F, 4F), array(5F, 6F)) AS t,"
                + " array(array(2L), array(0L)) AS i,"
                + " array(array(50F, 60F), array(10F, 20F)) AS u,"
                + " array(array(1L, 0L), array(0L, 1L), array(1L, 1L)) AS e,"
                + " array(true, false) AS b, array(array(1)) AS bi, array(true) AS bu,"
                + " array(3, 2) AS s,"
                + " array('a') AS words, array(array(0)) AS wi"
                + " FROM range(4)")
        .write()
        .parquet(path);
    SPARK.read().parquet(path).createOrReplaceTempView("rows");
  }

  private static String notOnGpu(Dataset<Row> rows) {
    return ExplainPlan.explainPotentialGpuPlan(rows, "NOT_ON_GPU");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tensor_scatter_nd_update(t, i, u)",
        "tensor_scatter_nd_add(t, i, u)",
        "tensor_scatter_nd_sub(t, i, u)",
        "tensor_scatter_nd_mul(t, i, u)",
        "tensor_scatter_nd_min(t, i, u)",
        "tensor_scatter_nd_max(t, i, u, bad_indices => 'ignore')",
        "tensor_scatter_nd_update(b, bi, bu)",
        "scatter_nd(i, u, array(3, 2))",
        "gather_nd(t, i, depth => 1)",
        "scatter_elements(t, e, t, 1, 'add')",
        "gather_elements(t, e, 1)",
        "nd_shape(t)",
        "nd_zeros(array(s[0], s[1]))",
        "nd_reshape(t, array(2, -1))",
      })
  void aQueryWithTheFunction(String call) {
    assertThat(notOnGpu(SPARK.sql("SELECT id, " + call + " AS r FROM rows"))).isEmpty();
  }

  @Test
  void oneThatFiltersByIt() {
    assertThat(notOnGpu(SPARK.sql("SELECT id FROM rows WHERE gather_nd(t, array(id, 1L)) > 2")))
        .isEmpty();
  }

  @Test
  void callsInCalls() {
    String inner = "tensor_scatter_nd_add(t, i, u)";
    assertThat(notOnGpu(SPARK.sql("SELECT tensor_scatter_nd_mul(" + inner + ", i, u) FROM rows")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Update", "Add", "Sub", "Mul", "Min", "Max"})
  void classesForRegisterJava(String word) {
    String name = "TensorScatterNd" + word;
    SPARK
        .udf()
        .registerJava(name, "io.sparknd.udf.gpu." + name, DataType.fromDDL("array<array<float>>"));
    Dataset<Row> rows = SPARK.sql("SELECT " + name + "(t, i, u) AS r FROM rows");
    assertThat(notOnGpu(rows)).isEmpty();
    String sql =
        "SELECT tensor_scatter_nd_" + word.toLowerCase(Locale.ROOT) + "(t, i, u) FROM rows";
    assertThat(rows.collectAsList()).isEqualTo(SPARK.sql(sql).collectAsList());
  }

  @Test
  void stringsDoNot() {
    Dataset<Row> rows = SPARK.sql("SELECT tensor_scatter_nd_update(words, wi, words) FROM rows");
    assertThat(notOnGpu(rows)).contains("tensor_scatter_nd_update");
    assertThat(rows.first().getList(0)).containsExactly("a");
  }
}
