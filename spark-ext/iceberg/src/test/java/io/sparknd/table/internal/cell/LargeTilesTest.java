/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Tests tiles of large slices, of which only few fit one array. */
class LargeTilesTest {
  private static final int UNITS = 1 << 26;
  private static final CellType LARGE =
      new CellType.Elements(DType.INT8, Shape.of(UNITS), DataTypes.BinaryType);

  /** 64 slices have 2^32 elements. */
  @Test
  void windowOfLargeSlicesIsMerged() {
    KernelFold add = new KernelFold(Reduction.ADD, "auto");
    TileMerge merge = new TileMerge(new TileReduction(LARGE, List.of(LARGE), add, List.of(add)));
    byte[] tiles = new byte[2 * UNITS];
    tiles[0] = 1;
    tiles[UNITS] = 2;
    tiles[2 * UNITS - 1] = 3;
    TileValues stored = TileValues.of(LARGE, tiles, 2);
    assertThat(stored).isNotNull();
    merge.add(0, List.of(stored), 0, 2);
    byte[] window = ((ElementCells) merge.values(1)).bytes(0);
    assertThat(window[0]).isEqualTo((byte) 3);
    assertThat(window[UNITS - 1]).isEqualTo((byte) 3);
  }

  @Test
  void tilesBeyondOneValueAreNotStorable() {
    assertThat(TileValues.areStorable(LARGE, 31)).isTrue();
    assertThat(TileValues.areStorable(LARGE, 32)).isFalse();
    assertThat(TileValues.areStorable(LARGE, 64)).isFalse(); // 2^32 bytes are 0 as an int
    assertThat(TileValues.areStorable(new CellType.Objects(DataTypes.StringType), 10_000)).isTrue();
  }
}
