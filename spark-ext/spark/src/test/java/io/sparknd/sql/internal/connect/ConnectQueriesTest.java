/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Jax;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.plan.GatherArguments;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests the statements of calls from a Connect client in a classic session. */
class ConnectQueriesTest {
  private static final TensorOptions OPTIONS = TensorOptions.NONE.withShape(Shape.of(2));

  private final SparkSession spark = LocalSpark.session().newSession();

  private Dataset<Row> rows(String values) {
    return spark.sql("SELECT * FROM VALUES " + values + " AS t(i, v)");
  }

  private static List<String> shown(Dataset<Row> rows) {
    return rows.orderBy("i").toJSON().collectAsList();
  }

  @Test
  void elementsCanBeExcluded() {
    Dataset<Row> updates = rows("(0, 4D), (0, 6D)");
    Scatter mean = Scatter.mean();
    assertThat(shown(ConnectQueries.scatterIntoZeros(updates, OPTIONS, mean)))
        .contains("{\"i\":0,\"v\":3.3333333333333335}");
    Scatter fresh = mean.withSelf(IncludeSelf.EXCLUDED);
    assertThat(shown(ConnectQueries.scatterIntoZeros(updates, OPTIONS, fresh)))
        .containsExactly("{\"i\":0,\"v\":5.0}", "{\"i\":1,\"v\":0.0}");
    Dataset<Row> tensor = rows("(0, 100D), (1, 7D)");
    Scatter product = Scatter.mul().withSelf(IncludeSelf.EXCLUDED);
    assertThat(shown(ConnectQueries.scatter(tensor, updates, OPTIONS, product)))
        .containsExactly("{\"i\":0,\"v\":24.0}", "{\"i\":1,\"v\":7.0}");
  }

  @Test
  void defaultOfJaxNeedsTheDType() {
    Tensor any = Tensor.of(Shape.of(1, 1), 0L);
    Jax.At at = Jax.at(DType.FLOAT64, Shape.of(2), any).withMode(Jax.Mode.FILL_OR_DROP);
    GatherArguments how = GatherArguments.of(at.get().how());
    Dataset<Row> tensor = rows("(0, 7)");
    Dataset<Row> indices = spark.sql("SELECT 5 AS i");
    assertThat(shown(ConnectQueries.gather(tensor, indices, OPTIONS.withDType(DType.INT32), how)))
        .containsExactly("{\"i\":5,\"v\":-2147483648}");
    assertThatThrownBy(() -> ConnectQueries.gather(tensor, indices, OPTIONS, how))
        .hasMessageContaining("fill value JAX's default is that of the tensor's dtype");
  }

  @Test
  void theLastUpdateReplacesWhetherOrNotTheElementIsExcluded() {
    Scatter update = Scatter.update().withSelf(IncludeSelf.EXCLUDED);
    Dataset<Row> updates = rows("(1, 4D)");
    assertThat(shown(ConnectQueries.scatter(rows("(0, 9D)"), updates, OPTIONS, update)))
        .containsExactly("{\"i\":0,\"v\":9.0}", "{\"i\":1,\"v\":4.0}");
  }
}
