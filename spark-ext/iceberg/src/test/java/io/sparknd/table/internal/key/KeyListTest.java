/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.ArrayLimitException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests lists of keys that fill their array. */
class KeyListTest {

  @Test
  void keysFillTheArrayToItsLastByte() {
    KeyList keys = new KeyList(1000);
    for (int i = 0; i < 10; i++) {
      keys.add(new byte[100]);
    }
    assertThat(keys.count()).isEqualTo(10);
    assertThatThrownBy(() -> keys.add(new byte[1]))
        .isInstanceOf(ArrayLimitException.class)
        .hasMessage("keys of 11 rows do not fit one array");
    assertThat(keys.get(9)).hasSize(100);
  }

  @Test
  void prefixesHaveTheOrderOfTheKeys() {
    KeyList keys = new KeyList();
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] key = new byte[random.nextInt(11)];
      for (int at = 0; at < key.length; at++) {
        key[at] = new byte[] {0, 1, 127, -128, -1}[random.nextInt(5)];
      }
      keys.add(key);
    }
    for (int one = 0; one < keys.count(); one++) {
      for (int other = 0; other < keys.count(); other++) {
        int order = Long.compare(keys.prefix(one), keys.prefix(other));
        byte[] first = Arrays.copyOf(keys.get(one), 8);
        byte[] second = Arrays.copyOf(keys.get(other), 8);
        assertThat(order).isEqualTo(Integer.signum(Arrays.compareUnsigned(first, second)));
      }
    }
  }

  @Test
  void keysAreCopiedAndForgotten() {
    KeyList keys = new KeyList();
    keys.add(new byte[] {1, 2});
    keys.add(new byte[] {3});
    KeyList copies = new KeyList();
    copies.add(keys, 1);
    copies.add(keys, 0);
    assertThat(copies.get(0)).containsExactly(3);
    assertThat(copies.get(1)).containsExactly(1, 2);
    copies.clear();
    assertThat(copies.count()).isZero();
    copies.add(keys, 1);
    assertThat(copies.get(0)).containsExactly(3);
  }

  @Test
  void beginningsOfKeysAreCompared() {
    KeyList keys = new KeyList();
    keys.add(new byte[] {1, 2, -3});
    KeyList prefixes = new KeyList();
    prefixes.add(new byte[] {1, 2});
    prefixes.add(new byte[] {1, 3});
    prefixes.add(new byte[] {1, 1});
    prefixes.add(new byte[] {1, 2, -3, 0});
    prefixes.add(new byte[0]);
    assertThat(keys.comparePrefix(0, prefixes, 0)).isZero();
    assertThat(keys.comparePrefix(0, prefixes, 1)).isNegative();
    assertThat(keys.comparePrefix(0, prefixes, 2)).isPositive();
    assertThat(keys.comparePrefix(0, prefixes, 3)).isNegative();
    assertThat(keys.comparePrefix(0, prefixes, 4)).isZero();
  }

  @Test
  void emptyKeysAreCounted() {
    KeyList keys = new KeyList(40);
    for (int i = 0; i < 40; i++) {
      keys.add(new byte[0]);
    }
    assertThatThrownBy(() -> keys.add(new byte[0])).isInstanceOf(ArrayLimitException.class);
  }
}
