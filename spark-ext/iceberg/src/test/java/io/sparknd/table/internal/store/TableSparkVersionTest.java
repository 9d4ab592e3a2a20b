/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On which versions of Spark there are tables. */
class TableSparkVersionTest {

  @Test
  void theSparkOfTheBuildHasTables() {
    assertThatNoException().isThrownBy(TableSparkVersion::check);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.0", "4.1.9", "4.1.0-amzn-1"})
  void patchesAndVendorsHaveTables(String version) {
    assertThatNoException().isThrownBy(() -> TableSparkVersion.check(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.2.0", "4.0.1"})
  void aSparkWithoutARuntimeIsRefusedByBothVersions(String version) {
    assertThatThrownBy(() -> TableSparkVersion.check(version))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("this is Spark " + version)
        .hasMessageContaining("Iceberg's runtime for Spark 4.1");
  }
}
