/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;

/** Tests the positions of the lists of a column, and their limit. */
class ListLayoutTest {
  private static final int LIMIT = 100;

  @Test
  void positionsFollowEachOther() {
    ListLayout layout = ListLayout.of(3, 2, new int[] {2, 3, 0, 5, 1, 4}).orElseThrow();
    assertThat(layout.begins()[0]).containsExactly(0, 1, 2, 3);
    assertThat(layout.begins()[1]).containsExactly(0, 2, 2, 3);
    assertThat(layout.begins()[2]).containsExactly(0, 6, 6, 10);
  }

  @Test
  void rowsThatAreTooLargeTogetherAreRefused() {
    assertThat(ListLayout.of(2, 1, new int[] {50, 50}, LIMIT)).isPresent();
    assertRefused(2, 1, 50, 51); // elements
    assertRefused(2, 2, 60, 0, 60, 0); // lists
    int huge = 1 << 30;
    assertThatThrownBy(() -> ListLayout.of(2, 1, new int[] {huge, huge}))
        .hasMessageContaining("more than 2147483645 elements");
  }

  private static void assertRefused(int rows, int rank, int... dims) {
    assertThatThrownBy(() -> ListLayout.of(rows, rank, dims, LIMIT))
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.condition()).isEqualTo("SPARKND_TOO_LARGE.BATCH_TOO_LARGE"))
        .hasMessageStartingWith("the tensors that a batch of " + rows + " rows gives have")
        .hasMessageContaining("spark.rapids.sql.batchSizeBytes");
  }

  @Test
  void aRowThatIsTooLargeByItselfIsForTheProcessor() {
    assertThat(ListLayout.of(2, 1, new int[] {50, 101}, LIMIT)).isEmpty();
    assertThat(ListLayout.of(1, 3, new int[] {1 << 30, 1 << 30, 1 << 30})).isEmpty();
  }
}
