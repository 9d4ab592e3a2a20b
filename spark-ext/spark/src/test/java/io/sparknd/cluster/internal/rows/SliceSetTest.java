/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Tests sets of slices and the filters of scans that read them. */
class SliceSetTest {
  private static final Shape OUTER = Shape.of(1 << 20, 1 << 18);

  private static SliceSet set(long... numbers) {
    return SliceSet.of(LongStream.of(numbers)).orElseThrow();
  }

  @Test
  void placesAscendWithNumbers() {
    SliceSet set = set(7, 2, 7, 9);
    assertThat(set.count()).isEqualTo(3);
    assertThat(IntStream.range(0, 3).mapToLong(set::number)).containsExactly(2L, 7L, 9L);
    assertThat(set.place(9)).isEqualTo(2);
    assertThat(set.place(8)).isEqualTo(SliceOffsets.DROPPED);
    assertThat(set.where(slice -> slice > 2)).isEqualTo(set(7, 9)).hasSameHashCodeAs(set(9, 7));
  }

  @Test
  void indicesOfAllDimensionsCombine() {
    SliceSet set =
        SliceSet.of(Shape.of(5, 4), List.of(new long[] {1, 3}, new long[] {0, 2})).orElseThrow();
    assertThat(set).isEqualTo(set(4, 6, 12, 14));
    assertThat(set.indices(Shape.of(5, 4), 0)).containsExactly(1, 3);
    assertThat(set.indices(Shape.of(5, 4), 1)).containsExactly(0, 2);
  }

  @Test
  void setsAreSmall() {
    long[] many = LongStream.range(0, 33).toArray();
    assertThat(SliceSet.of(LongStream.range(0, SliceSet.MAX))).isPresent();
    assertThat(SliceSet.of(LongStream.rangeClosed(0, SliceSet.MAX))).isEmpty();
    assertThat(SliceSet.of(Shape.of(40, 40), List.of(many, many))).isEmpty();
  }

  @Test
  void filterPassesSlicesNullsAndBadIndices() {
    long first = 5L * OUTER.dim(1) + 17;
    Filter filter = filter(DataTypes.LongType, first, first + 1);
    assertThat(passes(filter, 5L, 17L)).isTrue();
    assertThat(passes(filter, 5L, 18L)).isTrue();
    assertThat(passes(filter, 5L, 19L)).isFalse();
    assertThat(passes(filter, 6L, 17L)).isFalse();
    assertThat(passes(filter, null, 17L)).isTrue();
    assertThat(passes(filter, 5L, -1L)).isTrue();
    assertThat(passes(filter, OUTER.dim(0), 3L)).isTrue();
  }

  @Test
  void filterHasTheTypesOfTheColumns() {
    Filter tiny = filter(DataTypes.ByteType, 5L * OUTER.dim(1) + 17);
    assertThat(passes(tiny, (byte) 5, (byte) 17)).isTrue();
    assertThat(passes(tiny, (byte) 5, (byte) 18)).isFalse();
    assertThat(passes(tiny, (byte) -1, (byte) 18)).isTrue();
    assertThat(tiny.toString()).doesNotContain("" + OUTER.dim(0));
  }

  @Test
  void filterOfManyRunsWouldNotPay() {
    SliceSet spread = SliceSet.of(LongStream.range(0, 500).map(i -> 3 * i)).orElseThrow();
    DataType type = DataTypes.LongType;
    assertThat(new SliceSetFilter(spread, Shape.of(1 << 20), List.of(type)).on(List.of("i")))
        .isEmpty();
    SliceSet run = SliceSet.of(LongStream.range(0, 500)).orElseThrow();
    assertThat(new SliceSetFilter(run, Shape.of(1 << 20), List.of(type)).on(List.of("i")))
        .isPresent();
  }

  private static Filter filter(DataType type, long... slices) {
    return new SliceSetFilter(set(slices), OUTER, List.of(type, type))
        .on(List.of("i", "j"))
        .orElseThrow();
  }

  /** Evaluates a filter on a row of the columns {@code i, j}. */
  private static boolean passes(Filter filter, Object... row) {
    if (filter instanceof And and) {
      return passes(and.left(), row) && passes(and.right(), row);
    }
    if (filter instanceof Or or) {
      return passes(or.left(), row) || passes(or.right(), row);
    }
    Object value = row[filter.references()[0].equals("i") ? 0 : 1];
    if (filter instanceof IsNull) {
      return value == null;
    }
    return value != null && compares(filter, ((Number) value).longValue());
  }

  private static boolean compares(Filter filter, long value) {
    if (filter instanceof EqualTo equal) {
      return value == number(equal.value());
    }
    if (filter instanceof LessThan below) {
      return value < number(below.value());
    }
    return filter instanceof LessThanOrEqual upTo
        ? value <= number(upTo.value())
        : value >= number(((GreaterThanOrEqual) filter).value());
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }
}
