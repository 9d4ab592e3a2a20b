/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A few slices of a tensor, by their numbers in row-major order. The position of a slice in the set
 * is its <em>place</em>.
 */
public final class SliceSet implements Serializable {
  private static final long serialVersionUID = 1;

  /** The most slices of a set: a set travels with tasks, and one task computes its slices. */
  public static final int MAX = 1024;

  private static final int SHOWN = 8;

  private final long[] numbers;

  private SliceSet(long[] numbers) {
    this.numbers = numbers;
  }

  /** Returns the set of these slices; empty if they are more than {@link #MAX}. */
  public static Optional<SliceSet> of(LongStream numbers) {
    long[] few = numbers.sorted().distinct().limit(MAX + 1L).toArray();
    return few.length > MAX ? Optional.empty() : Optional.of(new SliceSet(few));
  }

  /**
   * Returns the set of the slices whose index is one of {@code indices} in each dimension; empty if
   * they are more than {@link #MAX}.
   *
   * @param outer shape in slices
   * @param indices for each dimension, distinct and in bounds
   */
  public static Optional<SliceSet> of(Shape outer, List<long[]> indices) {
    LongStream numbers = LongStream.of(0);
    long count = 1;
    for (int d = 0; d < indices.size(); d++) {
      long[] those = indices.get(d);
      count *= those.length; // both are at most MAX
      if (those.length > MAX || count > MAX) {
        return Optional.empty();
      }
      long stride = outer.from(d + 1).elements();
      numbers =
          numbers.flatMap(number -> Arrays.stream(those).map(index -> number + index * stride));
    }
    return of(numbers);
  }

  public int count() {
    return numbers.length;
  }

  /** Returns the number of the slice at {@code place}. */
  public long number(int place) {
    return numbers[place];
  }

  /** Returns the place of a slice, or {@link SliceOffsets#DROPPED} if it is not in the set. */
  public long place(long number) {
    int found = Arrays.binarySearch(numbers, number);
    return found < 0 ? SliceOffsets.DROPPED : found;
  }

  /** Returns the slices of both sets. */
  public SliceSet and(SliceSet other) {
    return where(number -> other.place(number) >= 0);
  }

  /** Returns the slices of this set that pass. */
  public SliceSet where(LongPredicate passes) {
    return new SliceSet(Arrays.stream(numbers).filter(passes).toArray());
  }

  /**
   * Returns the distinct indices that the slices have in a dimension, ascending.
   *
   * @param outer shape in slices
   */
  public long[] indices(Shape outer, int dimension) {
    return Arrays.stream(numbers)
        .map(number -> outer.coordinates(number)[dimension])
        .sorted()
        .distinct()
        .toArray();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SliceSet set && Arrays.equals(numbers, set.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }

  /** Returns the first numbers. */
  @Override
  public String toString() {
    String first =
        Arrays.stream(numbers)
            .limit(SHOWN)
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", "));
    return "[" + first + (numbers.length > SHOWN ? ", ... " + numbers.length + " in all]" : "]");
  }
}
