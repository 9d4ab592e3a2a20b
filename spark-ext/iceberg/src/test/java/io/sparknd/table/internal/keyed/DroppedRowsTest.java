/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import org.apache.spark.util.AccumulatorV2;
import org.junit.jupiter.api.Test;

/** Tests the count of dropped rows. */
class DroppedRowsTest {
  private final DroppedRows dropped = DroppedRows.registered(LocalSpark.session());

  private void succeed(int stage, int partition, int rows) {
    AccumulatorV2<DroppedRows.Source, Long> ofTask = dropped.copyAndReset();
    for (int i = 0; i < rows; i++) {
      ofTask.add(new DroppedRows.Source(stage, partition));
    }
    dropped.merge(ofTask);
  }

  /** Spark merges what a task counted again if the task ran again. */
  @Test
  void rowsOfATaskThatRanTwiceCountOnce() {
    succeed(0, 0, 3);
    succeed(0, 1, 4);
    succeed(1, 0, 5);
    assertThat(dropped.value()).isEqualTo(12);
    succeed(0, 0, 3);
    succeed(1, 0, 5);
    assertThat(dropped.value()).isEqualTo(12);
    assertThat(dropped.isZero()).isFalse();
  }
}
