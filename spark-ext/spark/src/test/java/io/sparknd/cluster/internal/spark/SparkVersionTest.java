/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the check of Spark's version. */
class SparkVersionTest {

  @Test
  void theSparkOfTheBuildIsSupported() {
    assertThatNoException().isThrownBy(SparkVersion::check);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.0", "4.1.9", "4.1.0-amzn-1", "4.1.3-SNAPSHOT", "4.2.0", "4.2.1"})
  void patchesAndVendorsOfSupportedMinorVersionsAreSupported(String version) {
    assertThatNoException().isThrownBy(() -> SparkVersion.check(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0.1", "4.3.0", "3.5.7", "4.10.0", "4.20.0", "unknown"})
  void anotherMinorVersionIsRefusedWithAllVersions(String version) {
    assertThatThrownBy(() -> SparkVersion.check(version))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("this is Spark " + version)
        .hasMessageContaining("for Spark 4.1 and 4.2");
  }
}
