/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.IncludeSelfArgument;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Parameters shared by several functions, and their parsing. */
final class CommonParameters {
  static final FunctionParameter SHAPE =
      FunctionParameter.constant(
          "shape",
          "shape of the tensor, such as array(1000000, 64); default: the table property "
              + "sparknd.shape");
  static final FunctionParameter DTYPE =
      FunctionParameter.constant(
          "dtype",
          "dtype of the elements, such as 'uint8'; default: that of the value column's "
              + "SQL type");
  static final FunctionParameter FOUND =
      FunctionParameter.constant(
          "found",
          "name of an added boolean column: true if the key of the row is in the feature table, "
              + "false if the row has fill values; default: no such column");
  private static final FunctionParameter BAD_INDICES =
      FunctionParameter.constant(
          "bad_indices", "policy for indices out of bounds: 'error' (default), 'ignore', 'clip'");
  private static final FunctionParameter NEGATIVE =
      FunctionParameter.constant(
          "negative",
          "policy for negative indices: 'error' (default), 'wrap' (count from the end), "
              + "or 'oob' (out of bounds; the default with bad_indices => 'ignore')");
  private static final FunctionParameter ORDER_BY =
      FunctionParameter.constant(
          "order_by",
          "columns of the updates that order the updates of one slice; default: the order"
              + " of the rows");
  private static final FunctionParameter DUPLICATES =
      FunctionParameter.constant(
          "duplicates",
          "several updates of one slice: 'in_order' (default) applies all, 'error' fails");
  private static final FunctionParameter INDEX_COLUMNS =
      FunctionParameter.constant(
          "index_columns",
          "index columns of both tables; default: the columns with the tensor's names, "
              + "else by position");
  private static final FunctionParameter VALUE_COLUMN =
      FunctionParameter.constant(
          "value_column",
          "value column of both tables; default: the column with the tensor's name, else "
              + "the only one beside the indices; the last if the updates have none of the "
              + "tensor's names");

  private static final FunctionParameter INCLUDE_SELF =
      FunctionParameter.constant(IncludeSelfArgument.NAME, IncludeSelfArgument.MEANING);

  private CommonParameters() {}

  /** Returns {@code first}, then the parameters common to all scatters. */
  static List<FunctionParameter> ofScatter(FunctionParameter... first) {
    return Stream.concat(
            Stream.of(first),
            Stream.of(
                ORDER_BY,
                BAD_INDICES,
                NEGATIVE,
                DUPLICATES,
                INDEX_COLUMNS,
                VALUE_COLUMN,
                DTYPE,
                INCLUDE_SELF))
        .toList();
  }

  /** Returns {@code first}, then the parameters for index policies. */
  static List<FunctionParameter> withIndices(FunctionParameter... first) {
    return Stream.concat(Stream.of(first), Stream.of(BAD_INDICES, NEGATIVE)).toList();
  }

  /**
   * Returns the index policies of a call. Without one for negative indices, {@code bad_indices =>
   * 'ignore'} drops them too.
   *
   * @param fill the policy of a fill value, which takes precedence over {@code bad_indices}
   */
  static IndexPolicy indices(FunctionArguments arguments, Optional<BadIndices> fill) {
    BadIndices bad =
        fill.or(() -> arguments.word(BAD_INDICES.name()).map(BadIndices::named))
            .orElse(BadIndices.ERROR);
    Optional<NegativeIndices> negative =
        arguments.word(NEGATIVE.name()).map(NegativeIndices::named);
    return negative
        .map(given -> new IndexPolicy(bad, given))
        .orElseGet(() -> IndexPolicy.STRICT.withBad(bad));
  }

  static Scatter scatter(String function, Scatter reduction, FunctionArguments arguments) {
    Duplicates duplicates =
        arguments.word(DUPLICATES.name()).map(Duplicates::named).orElse(Duplicates.IN_ORDER);
    return IncludeSelfArgument.apply(function, reduction, arguments.flag(INCLUDE_SELF.name()))
        .withIndices(indices(arguments, Optional.empty()))
        .withDuplicates(duplicates);
  }

  static TensorOptions options(FunctionArguments arguments) {
    return new TensorOptions(
        arguments.shape(SHAPE.name()),
        arguments.dtype(DTYPE.name()),
        arguments.columns(INDEX_COLUMNS.name()),
        arguments.word(VALUE_COLUMN.name()),
        arguments.columns(ORDER_BY.name()).orElse(List.of()));
  }
}
