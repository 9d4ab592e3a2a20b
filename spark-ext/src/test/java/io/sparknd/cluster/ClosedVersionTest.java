/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Versions of a tensor that were given back. */
class ClosedVersionTest {
  @Test
  void noCallAfterCloseIsAnErrorOfSparksBlocks() {
    Tensor values = Tensor.of(Shape.of(4), 1f, 2f, 3f, 4f);
    DistributedTensor tensor =
        DistributedTensor.of(LocalSpark.session(), values, Partitioning.of(2)).checkpoint();
    tensor.close();
    assertThatThrownBy(tensor::collect)
        .isInstanceOfSatisfying(
            SparkNdException.class,
            error -> {
              assertThat(error.kind()).isEqualTo(SparkNdException.Kind.STATE);
              assertThat(error).hasMessageContaining("close()");
            });
  }
}
