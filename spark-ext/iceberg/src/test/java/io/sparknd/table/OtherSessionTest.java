/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that calls use the given session, even if another one is active in the thread. */
class OtherSessionTest {
  private final SparkSession own = LocalSpark.session().newSession();

  @BeforeEach
  void makeAnotherActive() {
    SparkSession.setActiveSession(LocalSpark.session().newSession());
  }

  @AfterEach
  void leave() {
    SparkSession.clearActiveSession();
  }

  @Test
  void catalogsAreThoseOfTheGivenSession(@TempDir Path folder) {
    LocalCatalog.addTo(own, "othersession", folder);
    TensorSpec spec = TensorSpec.of(DType.INT64, Shape.of(4));
    TensorTable.create(own, "othersession.t.counts", spec);
    TensorTable table = TensorTable.open(own, "othersession.t.counts");
    table.scatter(
        Scatter.add(), own.sql("SELECT 1L AS i0, 5L AS value"), TensorColumns.of("value", "i0"));
    assertThat(table.toDataset().selectExpr("value").head().get(0)).isEqualTo(5L);
    assertThat(own.table("othersession.t.counts").count()).isEqualTo(1);
  }
}
