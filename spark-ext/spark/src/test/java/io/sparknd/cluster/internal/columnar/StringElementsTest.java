/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StringElementsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a?", "\u00e9\u4e2d", "\ud83d\ude00", "a\ud83d\ude00b", "\uffff"})
  void textsAreKept(String text) {
    UTF8String stored = StringElements.stored(text);
    assertThat(StringElements.of(stored)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d", "\ud83db"})
  void textsWithUnpairedSurrogatesAreErrors(String text) {
    assertThatThrownBy(() -> StringElements.stored(text))
        .hasMessageContaining("unpaired surrogate");
  }

  @Test
  void datasetsRefuseTextsThatSparkWouldChange() {
    Tensor tensor = Tensor.of(Shape.of(2), "a", "b\ud83d");
    try (DistributedTensor distributed =
        DistributedTensor.of(LocalSpark.session(), tensor, Partitioning.of(1))) {
      assertThatThrownBy(() -> distributed.toDataset(1).collectAsList())
          .hasStackTraceContaining("unpaired surrogate");
    }
  }
}
