/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the ids that a partition keeps for the next delta. */
class EvictedIdsTest {
  private static EmbeddingPartition partition(RowAdmission admission) {
    RowLayout layout =
        new RowLayout(
            DType.FLOAT32,
            4,
            List.of(),
            DType.FLOAT32,
            Initializer.zeros(),
            WeightRounding.NEAREST,
            RowUsage.UPDATES,
            admission);
    return EmbeddingPartition.empty(layout, RowDirectory.of(layout, 0, 1), 0);
  }

  private static EmbeddingPartition read(EmbeddingPartition partition) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    partition.writeTo(bytes);
    return EmbeddingPartition.readFrom(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Test
  void idsSurviveSerialization() throws IOException {
    EvictedIds ids = EvictedIds.NONE.and("one", new long[] {3, -1});
    for (RowAdmission admission :
        List.of(RowAdmission.immediate(), RowAdmission.after(2), RowAdmission.filtered(2, 100))) {
      EmbeddingPartition read = read(partition(admission).with(ids));
      assertThat(read.evicted().since("one")).containsExactly(-1, 3);
      assertThat(read.candidates() != null).isEqualTo(admission instanceof RowAdmission.Counted);
      assertThat(read.filter() != null).isEqualTo(admission instanceof RowAdmission.Filtered);
      assertThat(read(read.withoutEvicted()).evicted().isEmpty()).isTrue();
    }
  }

  @Test
  void idsAreSplitByTheirOwners() {
    EvictedIds ids = EvictedIds.NONE.and("one", new long[] {5, -3, 8, 1 << 20, 7});
    RowDirectory owners = new HashedKeyDirectory(3);
    EvictedIds[] parts = ids.split("one", owners);
    assertThat(parts).hasSize(3);
    List<Long> all = new ArrayList<>();
    for (int owner = 0; owner < 3; owner++) {
      for (long id : parts[owner].since("one")) {
        assertThat(owners.owner(id)).isEqualTo(owner);
        all.add(id);
      }
    }
    assertThat(all).containsExactlyInAnyOrder(-3L, 5L, 7L, 8L, 1L << 20);
    assertThat(ids.split("two", owners)).hasSize(3).allMatch(EvictedIds::isEmpty);
  }

  @Test
  void idsOfAnotherCheckpointAreDropped() {
    EvictedIds ids = EvictedIds.NONE.and("one", new long[] {3, 5}).and("one", new long[] {4, 5});
    assertThat(ids.since("one")).containsExactly(3, 4, 5);
    assertThat(ids.since("two")).isEmpty();
    assertThat(ids.and("two", new long[] {9}).since("two")).containsExactly(9);
    assertThat(ids.and("", new long[] {9}).isEmpty()).isTrue();
  }
}
