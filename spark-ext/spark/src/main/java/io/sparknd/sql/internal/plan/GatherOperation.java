/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * An operation that returns each row of its last table exactly once. Its schema is the columns of
 * these rows, followed by columns of values.
 */
sealed interface GatherOperation extends TensorOperation
    permits GatherRows, RelationGatherRows, KeyedGatherRows, CheckedRows {

  /** Returns the number of columns of the rows. */
  int columns();

  /** Returns the ordinals of the rows' columns that the operation itself reads. */
  List<Integer> ordinalsRead();

  /**
   * Returns the operation on rows with some of their columns, and with some of its values.
   *
   * @param kept ordinals in {@link #schema}, ascending; among them all of {@link #ordinalsRead}
   */
  GatherOperation keeping(List<Integer> kept);

  @Override
  default Optional<SliceOrdinals> tensorTable() {
    return Optional.empty();
  }

  @Override
  default boolean readsIndices() {
    return true;
  }

  @Override
  default Map<Integer, SliceOrdinals> sliceTables() {
    return Map.of();
  }

  @Override
  default String argument(int i) {
    return "indices";
  }

  /** Returns the ordinals of the columns that are used, by operators above or by the operation. */
  default List<Integer> used(IntPredicate above) {
    return IntStream.range(0, schema().length())
        .filter(i -> above.test(i) || i < columns() && ordinalsRead().contains(i))
        .boxed()
        .toList();
  }

  /** Returns the places that {@code ordinals} have among those {@code kept}. */
  static List<Integer> places(List<Integer> ordinals, List<Integer> kept) {
    return ordinals.stream().map(kept::indexOf).toList();
  }

  /** Returns the columns {@code kept} of {@code schema}. */
  static StructType select(StructType schema, List<Integer> kept) {
    return new StructType(kept.stream().map(i -> schema.fields()[i]).toArray(StructField[]::new));
  }
}
