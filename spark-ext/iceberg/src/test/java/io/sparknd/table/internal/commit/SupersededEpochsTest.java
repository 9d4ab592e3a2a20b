/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.internal.commit.BatchHistory.Node;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests which epochs of streams may be forgotten. */
class SupersededEpochsTest {
  private final Map<Long, Node> nodes = new TreeMap<>();

  private void add(long id, long before, String batch) {
    Optional<Long> link = before == 0 ? Optional.empty() : Optional.of(before);
    nodes.put(id, new Node(id, link, Optional.of(batch)));
  }

  private static String epoch(String query, long number) {
    return new StreamEpoch(query, number).batchId();
  }

  private SupersededEpochs found(Long... entries) {
    return SupersededEpochs.of(nodes, Set.of(entries));
  }

  private long before(SupersededEpochs found, long id) {
    return found.relinked().getOrDefault(id, nodes.get(id)).before().orElse(0L);
  }

  @Test
  void lastTwoEpochsOfEachQueryStay() {
    add(1, 0, "nightly");
    add(2, 1, epoch("a", 1));
    add(3, 2, epoch("b", 7));
    add(4, 3, epoch("a", 2));
    add(5, 4, epoch("a", 3));
    add(6, 5, "nightly 2");
    add(7, 6, epoch("a", 4));
    SupersededEpochs found = found(7L);
    assertThat(found.snapshots()).containsExactlyInAnyOrder(2L, 4L);
    assertThat(found.relinked()).containsOnlyKeys(3L, 5L);
    assertThat(before(found, 5)).isEqualTo(3);
    assertThat(before(found, 3)).isEqualTo(1);
  }

  /** A tag at the second epoch may become the current state, which does not have the others. */
  @Test
  void epochsOfATaggedStateStay() {
    add(1, 0, epoch("a", 1));
    add(2, 1, epoch("a", 2));
    add(3, 2, epoch("a", 3));
    add(4, 3, epoch("a", 4));
    assertThat(found(4L, 2L).snapshots()).isEmpty();
    assertThat(found(4L).snapshots()).containsExactlyInAnyOrder(1L, 2L);
  }

  /** Two states with a common ancestor: one of them has one later epoch alone. */
  @Test
  void epochsThatOneOfTwoStatesNeedsStay() {
    add(1, 0, epoch("a", 1));
    add(2, 1, epoch("a", 2));
    add(3, 2, epoch("a", 3));
    add(4, 3, epoch("a", 4));
    add(5, 2, epoch("a", 5));
    SupersededEpochs found = found(4L, 5L);
    assertThat(found.snapshots()).containsExactly(1L);
    assertThat(before(found, 2)).isZero();
    assertThat(before(found, 5)).isEqualTo(2);
  }

  @Test
  void anEpochIsNotLaterThanItself() {
    add(1, 0, epoch("a", 2));
    add(2, 1, epoch("a", 2));
    add(3, 2, epoch("a", 3));
    assertThat(found(3L).snapshots()).isEmpty();
  }

  @Test
  void otherBatchesAreNoEpochs() {
    assertThat(StreamEpoch.parse("stream a epoch b")).isEmpty();
    assertThat(StreamEpoch.parse("my stream a epoch 7")).isEmpty();
    assertThat(StreamEpoch.parse(epoch("a", 7))).contains(new StreamEpoch("a", 7));
  }
}
