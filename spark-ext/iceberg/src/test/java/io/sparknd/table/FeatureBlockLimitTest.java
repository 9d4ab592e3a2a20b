/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import org.junit.jupiter.api.Test;

/** Tests that a bucket of more rows than an array holds is an error that says how to write them. */
class FeatureBlockLimitTest {
  /** One more element than an array has, so that the test needs no memory. */
  private static final int TOO_LONG = Storage.MAX_LENGTH + 1;

  @Test
  void rowsBeyondAnArrayAreAnErrorThatNamesTheBucket() {
    FeatureTable table =
        FeatureTable.create(
            TestTables.spark(),
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("taste", DType.INT8, TOO_LONG).binary())
                .withBuckets(1));
    assertThatThrownBy(
            () ->
                table.scatter(
                    TestTables.spark()
                        .sql(
                            "SELECT 'u' || id AS user, CAST(NULL AS binary) AS taste FROM range(3)")))
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.condition()).isEqualTo("SPARKND_TOO_LARGE.FEATURE_BLOCK_TOO_LARGE"))
        .hasMessageContaining("rows or updates of block 0 of feature table " + table.name())
        .hasMessageContaining("expected_rows");
    assertThat(table.snapshot()).isEmpty();
  }
}
