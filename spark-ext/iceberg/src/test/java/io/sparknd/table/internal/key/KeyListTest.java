/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.ArrayLimitException;
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
  void emptyKeysAreCounted() {
    KeyList keys = new KeyList(40);
    for (int i = 0; i < 40; i++) {
      keys.add(new byte[0]);
    }
    assertThatThrownBy(() -> keys.add(new byte[0])).isInstanceOf(ArrayLimitException.class);
  }
}
