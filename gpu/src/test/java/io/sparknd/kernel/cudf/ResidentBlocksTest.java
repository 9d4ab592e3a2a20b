/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.cudf.ResidentBlocks.Copy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which copies stay resident, and that all memory is freed. */
class ResidentBlocksTest {
  private static final int BLOCK = 256;

  private final HostDevices devices = new HostDevices(5 * BLOCK);
  private final Device device = devices.forThisTask();
  private final ResidentBlocks residents = new ResidentBlocks();
  private final Object[] arrays = IntStream.range(0, 9).mapToObj(i -> new int[4]).toArray();

  @BeforeEach
  void limit() {
    residents.limit(3 * BLOCK);
  }

  private Copy put(Object array) {
    return residents.put(array, residents.room(device, 16));
  }

  private void release(Copy... copies) {
    for (Copy copy : copies) {
      residents.release(copy);
    }
  }

  private boolean isThere(Object array) {
    Copy copy = residents.find(array);
    if (copy != null) {
      residents.release(copy);
    }
    return copy != null;
  }

  @Test
  void copyIsFoundByItsArrayOnly() {
    Copy copy = put(arrays[0]);
    release(copy);
    assertThat(residents.find(arrays[0])).isSameAs(copy);
    assertThat(residents.find(((int[]) arrays[0]).clone())).isNull();
  }

  @Test
  void leastRecentlyUsedCopyIsEvicted() {
    release(put(arrays[0]), put(arrays[1]), put(arrays[2]));
    assertThat(isThere(arrays[0])).isTrue();
    release(put(arrays[3]));
    assertThat(isThere(arrays[0])).isTrue();
    assertThat(isThere(arrays[1])).isFalse();
    assertThat(devices.most()).isLessThanOrEqualTo(3 * BLOCK);
  }

  @Test
  void copyInUseIsNotEvicted() {
    Copy used = put(arrays[0]);
    release(put(arrays[1]), put(arrays[2]));
    assertThat(residents.evict(Long.MAX_VALUE / 2)).isTrue();
    assertThat(residents.evict(1)).isFalse();
    assertThat(isThere(arrays[0])).isTrue();
    assertThat(residents.room(device, 3 * BLOCK)).isNull();
    release(used);
    assertThat(residents.room(device, 3 * BLOCK)).isNotNull();
    assertThat(isThere(arrays[0])).isFalse();
  }

  @Test
  void blockLargerThanTheLimitEvictsNothing() {
    release(put(arrays[0]));
    assertThat(residents.room(device, 4 * BLOCK)).isNull();
    assertThat(isThere(arrays[0])).isTrue();
  }

  @Test
  void secondCopyOfABlockIsDiscardedForTheFirst() {
    Copy mine = residents.room(device, 16);
    Copy other = put(arrays[0]);
    assertThat(residents.put(arrays[0], mine)).isSameAs(other);
    assertThat(residents.taken()).isEqualTo(BLOCK);
    release(other);
    assertThat(residents.evict(1)).isFalse();
    release(other);
    assertThat(residents.evict(1)).isTrue();
    assertThat(devices.taken()).isZero();
  }

  @Test
  void nextVersionReusesTheMemoryOfAnUnsharedCopy() {
    Copy copy = put(arrays[0]);
    assertThat(residents.handOver(copy, arrays[1])).isTrue();
    assertThat(isThere(arrays[0])).isFalse();
    assertThat(residents.find(arrays[1])).isSameAs(copy);
    assertThat(residents.handOver(copy, arrays[2])).as("used by two").isFalse();
  }

  @Test
  void unusedRoomIsFreed() {
    release(residents.room(device, 16));
    assertThat(residents.taken()).isZero();
    assertThat(devices.taken()).isZero();
  }

  @Test
  void fullDeviceCachesNoBlock() {
    Device.Memory other = device.memory(5 * BLOCK);
    assertThat(residents.room(device, 16)).isNull();
    assertThat(residents.taken()).isZero();
    other.close();
  }

  @Test
  void copiesAreEvictedForOtherAllocations() {
    release(put(arrays[0]), put(arrays[1]));
    new EvictingDevice(device, residents).memory(5 * BLOCK).close();
    assertThat(devices.refused()).isPositive();
    assertThat(devices.taken()).isZero();
  }

  @Test
  void lowerLimitEvictsAtOnce() {
    release(put(arrays[0]), put(arrays[1]));
    residents.limit(BLOCK);
    assertThat(residents.taken()).isEqualTo(BLOCK);
    assertThat(isThere(arrays[1])).isTrue();
  }

  @Test
  void copiesOfCollectedArraysAreFreedEvenIfNeverReleased() throws InterruptedException {
    List<Object> live = new ArrayList<>(List.of(new int[4], new int[4]));
    live.forEach(this::put);
    residents.release(residents.find(live.get(0)));
    live.clear();
    for (int tries = 0; tries < 100 && residents.taken() > 0; tries++) {
      System.gc();
      Thread.sleep(10);
      residents.limit(3 * BLOCK); // any call frees collected copies
    }
    assertThat(devices.taken()).isZero();
  }
}
