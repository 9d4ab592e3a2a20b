/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Tests the memory of a group's updates. */
class GroupUpdatesTest {
  private static final int LARGE = 1 << 27;

  /** Room for 16 such slices would exceed one array. */
  @Test
  void groupOfOneLargeSliceAllocatesOneSlice() {
    GroupUpdates updates = new GroupUpdates(DType.INT8, LARGE);
    assertThat(((byte[]) updates.values()).length).isEqualTo(LARGE);
  }

  /** As they came, they would exceed one array. */
  @Test
  void largeSlicesAreCombined() {
    int units = 1 << 20;
    GroupScatter scatter =
        new GroupScatter(
            DType.INT8, Shape.of(1, units), 1, Reduction.MAX, IndexPolicy.STRICT, false);
    GroupUpdates updates = scatter.empty();
    Tensor value = Tensor.zeros(DType.INT8, Shape.of(units));
    for (int row = 0; row < 2200; row++) {
      scatter.add(updates, scatter.tuples(), new long[] {0}, value, 0);
    }
    assertThat(updates.count()).isLessThanOrEqualTo(2);
    assertThat(scatter.result(updates).shape()).isEqualTo(Shape.of(1, units));
  }

  @Test
  void firstAllocationIsSmall() {
    assertThat(GroupUpdates.combineThreshold(0)).isEqualTo(1024);
    assertThat(GroupUpdates.combineThreshold(1 << 14)).isEqualTo(64);
    assertThat(GroupUpdates.combineThreshold(LARGE)).isEqualTo(2);
    assertThat(GroupUpdates.initialCapacity(0)).isEqualTo(16);
    assertThat(GroupUpdates.initialCapacity(1)).isEqualTo(16);
    assertThat(GroupUpdates.initialCapacity(1000)).isEqualTo(4);
    assertThat(GroupUpdates.initialCapacity(5000)).isEqualTo(1);
  }

  @Test
  void capacityDoublesUpToOneArray() {
    assertThat(GroupUpdates.largerCapacity(16, 17, 1)).isEqualTo(32);
    assertThat(GroupUpdates.largerCapacity(1, 9, 5000)).isEqualTo(9);
    assertThat(GroupUpdates.largerCapacity(10, 11, Storage.MAX_LENGTH / 12)).isEqualTo(12);
    assertThat(GroupUpdates.largerCapacity(1 << 30, (1L << 30) + 1, 0))
        .isEqualTo(Storage.MAX_LENGTH);
  }

  @Test
  void groupThatDoesNotFitOneArrayIsASparkNdError() {
    assertThatThrownBy(() -> GroupUpdates.largerCapacity(15, 16, LARGE))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("a group of scatter_nd_agg has 16 updates of 134217728 elements");
    assertThatThrownBy(() -> GroupUpdates.largerCapacity(1 << 30, 1L << 31, 1))
        .isInstanceOf(SparkNdException.class);
  }

  @Test
  void updatesAreKeptWhenTheBufferGrows() {
    GroupUpdates updates = new GroupUpdates(DType.INT32, 3000);
    for (int i = 0; i < 5; i++) {
      int[] slice = new int[3000];
      slice[2999] = i;
      updates.add(i, 10 + i, slice);
    }
    GroupUpdates all = new GroupUpdates(DType.INT32, 3000);
    all.addAll(updates);
    all.addAll(GroupUpdates.of(DType.INT32, 3000, updates.bytes()));
    assertThat(all.count()).isEqualTo(10);
    assertThat(all.offset(7)).isEqualTo(2);
    assertThat(all.order(7)).isEqualTo(12);
    assertThat(((int[]) all.values())[8 * 3000 - 1]).isEqualTo(2);
  }
}
