/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests the rows of a commit that are shuffled. */
class ShuffledRowsTest {
  private final SparkSession spark = TestTables.spark();
  private final String name = TestTables.name();

  private int width(List<StagedFeatures> stages) {
    EventTimeLimit limit = EventTimeLimit.of(Optional.empty());
    return ShuffledRows.of(spark, FeatureCatalog.toWrite(spark, name), stages, limit, 2)
        .rows()
        .first()
        .numFields();
  }

  @Test
  void stagesWithTheSameColumnsShareThem() {
    FeatureTable.create(
        spark,
        name,
        FeatureTableSpec.keyedBy("id", "bigint")
            .with(Variable.of("n", "bigint"))
            .with(Variable.of("x", "double")));
    StagedFeatures both =
        StagedFeatures.of(
            spark.range(3).selectExpr("id", "id AS n", "1.5D AS x"), FeatureUpdates.declared());
    StagedFeatures one =
        StagedFeatures.of(spark.range(3).selectExpr("id", "id AS n"), FeatureUpdates.declared());
    int alone = width(List.of(both));
    List<StagedFeatures> many = new ArrayList<>(Collections.nCopies(20, both));
    assertThat(width(many)).isEqualTo(alone);
    many.addAll(Collections.nCopies(20, one));
    assertThat(width(many)).isEqualTo(alone + 1);
  }
}
