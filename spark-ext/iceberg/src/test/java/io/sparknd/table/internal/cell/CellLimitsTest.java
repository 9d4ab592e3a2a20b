/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Tests that cells that do not fit one array are counted in an exception of their own. */
class CellLimitsTest {
  private static final CellType VECTORS =
      new CellType.Elements(DType.FLOAT32, Shape.of(1 << 20), DataTypes.BinaryType);

  @Test
  void elementsDoNotGrowBeyondAnArray() {
    Cells cells = VECTORS.allocate(1);
    assertThatThrownBy(() -> cells.grow(1 << 11))
        .isInstanceOf(ArrayLimitException.class)
        .hasMessage("float32[1048576] values of 2048 rows do not fit one array");
    cells.grow(3);
    cells.clear(2);
    assertThat(cells.isPresent(2)).isFalse();
  }

  @Test
  void elementsAreNotAllocatedBeyondAnArray() {
    // 2^32 units are 0 as an int
    assertThatThrownBy(() -> VECTORS.allocate(1 << 12)).isInstanceOf(ArrayLimitException.class);
  }
}
