/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the resolution of indices to slice offsets. */
class SliceOffsetsTest {
  private static final IndexPolicy WRAP = IndexPolicy.WRAPPING;
  private static final IndexPolicy IGNORE = policy(BadIndices.IGNORE, NegativeIndices.WRAP);
  private static final IndexPolicy CLIP = policy(BadIndices.CLIP, NegativeIndices.OUT_OF_BOUNDS);

  @Test
  void namesTheLowestBadPosition() {
    assertThatThrownBy(() -> offsets(Shape.of(6), IndexPolicy.STRICT, column(0, 5, 6, 7)))
        .hasMessageStartingWith("indices[2] = [6] is out of bounds for shape [6]");
    assertThatThrownBy(
            () ->
                offsets(
                    Shape.of(6, 3), IndexPolicy.STRICT, Tensor.of(Shape.of(1, 2, 2), 5, 2, 0, 3)))
        .hasMessageStartingWith("indices[0, 1] = [0, 3] is out of bounds for shape [6, 3]");
    assertThatThrownBy(() -> offsets(Shape.of(6), IndexPolicy.STRICT, Tensor.of(Shape.of(1), 6)))
        .hasMessageStartingWith("indices = [6] is out of bounds for shape [6]");
  }

  @Test
  void errorExplainsThatNegativesDoNotWrap() {
    assertThatThrownBy(() -> offsets(Shape.of(6), IndexPolicy.STRICT, column(-1)))
        .hasMessage(
            "indices[0] = [-1] is negative for shape [6]: correct it, or set negative to 'wrap' to"
                + " count from the end");
  }

  @Test
  void errorNamesThePolicyThatDropsNegatives() {
    IndexPolicy kept = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.ERROR);
    assertThatThrownBy(() -> offsets(Shape.of(6), kept, column(-1)))
        .hasMessage(
            "indices[0] = [-1] is negative for shape [6]: correct it, or set negative to 'wrap' to"
                + " count from the end, or to 'oob' to treat it as out of bounds");
  }

  @Test
  void ignoringAlsoDropsNegatives() {
    IndexPolicy ignored = IndexPolicy.STRICT.withBad(BadIndices.IGNORE);
    assertThat(offsets(Shape.of(6), ignored, column(-1))).containsExactly(SliceOffsets.DROPPED);
    assertThat(ignored)
        .isEqualTo(Scatter.add().withBadIndices(BadIndices.IGNORE).indices())
        .isEqualTo(Gather.strict().withBadIndices(BadIndices.IGNORE).indices());
    assertThat(IndexPolicy.WRAPPING.withBad(BadIndices.IGNORE).negative())
        .isEqualTo(NegativeIndices.WRAP);
    for (BadIndices other : List.of(BadIndices.ERROR, BadIndices.CLIP, BadIndices.fill(1))) {
      assertThat(IndexPolicy.STRICT.withBad(other).negative()).isEqualTo(NegativeIndices.ERROR);
    }
  }

  @Test
  void namesTheAxisOfElementIndices() {
    Tensor indices = Tensor.of(Shape.of(1, 2), 0, 3);
    Shape tensor = Shape.of(2, 3);
    assertThatThrownBy(() -> offsets(tensor, new Indexing.Elements(1), WRAP, indices))
        .hasMessageStartingWith("indices[0, 1] = [3] is out of bounds for axis 1 of shape [2, 3]");
    assertThatThrownBy(() -> offsets(tensor, new Indexing.Axis(-2), WRAP, column(1, 2)))
        .hasMessageStartingWith("indices[1, 0] = [2] is out of bounds for axis 0 of shape [2, 3]");
  }

  @Test
  void wrapsOnce() {
    assertThat(offsets(Shape.of(6), WRAP, column(-1, -6, 5))).containsExactly(5, 0, 5);
    assertThatThrownBy(() -> offsets(Shape.of(6), WRAP, column(-7)))
        .hasMessageStartingWith("indices[0] = [-7] is out of bounds for shape [6]");
  }

  @Test
  void dropsOrClips() {
    assertThat(offsets(Shape.of(6), IGNORE, column(6, 2, -7))).containsExactly(-1, 2, -1);
    assertThat(offsets(Shape.of(6), CLIP, column(6, 2, -1))).containsExactly(5, 2, 0);
    IndexPolicy wrapThenClip = policy(BadIndices.CLIP, NegativeIndices.WRAP);
    assertThat(offsets(Shape.of(6), wrapThenClip, column(-1, -7))).containsExactly(5, 0);
    Tensor pairs = Tensor.of(Shape.of(2, 2), 9, 1, 1, -9);
    assertThat(offsets(Shape.of(2, 3), CLIP, pairs)).containsExactly(4, 3);
  }

  @Test
  void clipCannotReachIntoAnEmptyDimension() {
    assertThatThrownBy(() -> offsets(Shape.of(0, 3), CLIP, column(0)))
        .hasMessage(
            "indices[0] = [0] is out of bounds for shape [0, 3]: correct it; a dimension of size 0"
                + " has no index to clip to");
    assertThat(offsets(Shape.of(0), CLIP, Tensor.of(Shape.of(0, 1), new int[0]))).isEmpty();
  }

  @Test
  void extremeInt64ValuesAreOutOfBounds() {
    Tensor extreme = column(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(offsets(Shape.of(6), IGNORE, extreme)).containsExactly(-1, -1);
    assertThat(offsets(Shape.of(6), CLIP, extreme)).containsExactly(0, 5);
    assertThatThrownBy(() -> offsets(Shape.of(6), WRAP, extreme))
        .hasMessageStartingWith(
            "indices[0] = [-9223372036854775808] is out of bounds for shape [6]");
  }

  @Test
  void offsetsAreLongs() {
    long big = (1L << 31) + 5;
    assertThat(offsets(Shape.of(1L << 40), WRAP, column(big, -1)))
        .containsExactly(big, (1L << 40) - 1);
    assertThat(offsets(Shape.of(Long.MAX_VALUE), WRAP, column(Long.MAX_VALUE - 1, -1)))
        .containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
    Tensor corner = Tensor.of(Shape.of(1, 2), (1L << 31) - 1, (1L << 31) - 1);
    assertThat(offsets(Shape.of(1L << 31, 1L << 31), WRAP, corner)).containsExactly((1L << 62) - 1);
  }

  @Test
  void unsignedIndicesAreNeverNegative() {
    Tensor huge = Tensor.wrap(DType.UINT64, Shape.of(2, 1), new long[] {-1, 3});
    assertThat(offsets(Shape.of(6), IGNORE, huge)).containsExactly(-1, 3);
    assertThat(offsets(Shape.of(6), CLIP, huge)).containsExactly(5, 3);
    assertThatThrownBy(() -> offsets(Shape.of(6), IndexPolicy.STRICT, huge))
        .hasMessageStartingWith(
            "indices[0] = [18446744073709551615] is out of bounds for shape [6]");
    Tensor bytes = Tensor.wrap(DType.UINT8, Shape.of(1, 1), new byte[] {-1});
    assertThat(offsets(Shape.of(256), IndexPolicy.STRICT, bytes)).containsExactly(255);
    Tensor ints = Tensor.wrap(DType.UINT32, Shape.of(1, 1), new int[] {-1});
    assertThat(offsets(Shape.of(1L << 33), IndexPolicy.STRICT, ints)).containsExactly(4294967295L);
  }

  @Test
  void batchesUseTheirOwnPartOfTheTensor() {
    Tensor indices = Tensor.of(Shape.of(2, 2, 1), 0, 4, 1, 3);
    assertThat(offsets(Shape.of(2, 5, 3), new Indexing.Tuples(1), WRAP, indices))
        .containsExactly(0, 4, 6, 8);
    Tensor none = Tensor.of(Shape.of(2, 0), new int[0]);
    assertThat(offsets(Shape.of(2, 5), new Indexing.Tuples(1), WRAP, none)).containsExactly(0, 1);
  }

  @Test
  void depthZeroSelectsTheWholeTensor() {
    Tensor none = Tensor.of(Shape.of(3, 0), new int[0]);
    assertThat(offsets(Shape.of(6), IndexPolicy.STRICT, none)).containsExactly(0, 0, 0);
  }

  @Test
  void checkOfTwoToThe60EmptyTuplesTerminates() {
    Tensor none = Tensor.of(Shape.of(1L << 60, 0), new int[0]);
    SliceOffsets offsets = of(Shape.of(0), Indexing.tuples(), IndexPolicy.STRICT, none);
    assertThatCode(offsets::check).doesNotThrowAnyException();
  }

  @Test
  void checkingFindsBadIndicesInAnyChunk() {
    int[] values = new int[10_000];
    values[9_999] = 6;
    SliceOffsets offsets =
        of(
            Shape.of(6),
            Indexing.tuples(),
            IndexPolicy.STRICT,
            Tensor.of(Shape.of(10_000, 1), values));
    assertThatThrownBy(offsets::check)
        .hasMessageStartingWith("indices[9999] = [6] is out of bounds for shape [6]");
  }

  @Test
  void droppedTupleDoesNotAffectItsNeighbours() {
    for (DType dtype : new DType[] {DType.INT32, DType.INT64}) {
      Tensor indices = Tensor.zeros(dtype, Shape.of(3000, 2));
      long[] expected = new long[3000];
      for (int i = 0; i < expected.length; i++) {
        boolean bad = i % 700 == 699;
        put(indices, 2 * i, i % 5);
        put(indices, 2 * i + 1, bad ? 7 : i % 7);
        expected[i] = bad ? SliceOffsets.DROPPED : i % 5 * 7 + i % 7;
      }
      assertThat(offsets(Shape.of(5, 7, 2), IGNORE, indices)).containsExactly(expected);
    }
  }

  private static void put(Tensor indices, int i, int value) {
    if (indices.array() instanceof int[] ints) {
      ints[i] = value;
    } else {
      ((long[]) indices.array())[i] = value;
    }
  }

  @Test
  void resolvesPartsOfTheSlots() {
    long[] out = new long[2];
    of(Shape.of(6), Indexing.tuples(), WRAP, column(0, 1, 2, 3)).resolve(1, 2, out);
    assertThat(out).containsExactly(1, 2);
  }

  @Test
  void earlierOffsetsAreOverwritten() {
    long[] out = {9, 9};
    Tensor pairs = Tensor.of(Shape.of(2, 2), 0, 1, 1, 2);
    of(Shape.of(2, 3), Indexing.tuples(), WRAP, pairs).resolve(0, 2, out);
    assertThat(out).containsExactly(1, 5);
  }

  @Test
  void namesTheFirstDuplicate() {
    SliceOffsets offsets = of(Shape.of(6), Indexing.tuples(), IGNORE, column(9, 1, 9, 2, 0, -4, 1));
    assertThatThrownBy(() -> offsets.rejectDuplicates(offsets.resolveAll()))
        .hasMessage(
            "indices[5] names the same slice as indices[3]; keep one of them, or set duplicates to"
                + " 'in_order'");
    SliceOffsets unique = of(Shape.of(6), Indexing.tuples(), IGNORE, column(9, 1, 9, 2));
    assertThatCode(() -> unique.rejectDuplicates(unique.resolveAll())).doesNotThrowAnyException();
  }

  private static IndexPolicy policy(BadIndices bad, NegativeIndices negative) {
    return new IndexPolicy(bad, negative);
  }

  private static Tensor column(long... values) {
    return Tensor.of(Shape.of(values.length, 1), values);
  }

  private static SliceOffsets of(Shape tensor, Indexing where, IndexPolicy policy, Tensor indices) {
    return SliceOffsets.of(where.plan(tensor, indices.shape()), indices, policy);
  }

  private static long[] offsets(Shape tensor, IndexPolicy policy, Tensor indices) {
    return offsets(tensor, Indexing.tuples(), policy, indices);
  }

  private static long[] offsets(Shape tensor, Indexing where, IndexPolicy policy, Tensor indices) {
    return of(tensor, where, policy, indices).resolveAll();
  }
}
