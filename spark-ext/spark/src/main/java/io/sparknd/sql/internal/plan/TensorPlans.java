/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Builds the logical plans of table function calls. */
public final class TensorPlans {
  private TensorPlans() {}

  /**
   * Returns the plan of {@code gather_nd}.
   *
   * @param indices may be a stream, all others are read whole
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  public static LogicalPlan gather(
      TableArgument params,
      TableArgument indices,
      TensorOptions options,
      GatherArguments arguments) {
    Optional<KeyedRelation> keyed = TensorRelations.keyed(params.requireWhole());
    if (keyed.isPresent()) {
      return TensorQuery.of(
          KeyedGatherRows.of(keyed.get(), indices, options, arguments), List.of(indices), params);
    }
    return withoutKeys(
        "gather_nd",
        params,
        () -> {
          if (!arguments.valueColumns().isEmpty()) {
            throw SqlErrors.optionOnlyForKeys("value_columns", arguments.valueColumns());
          }
          if (arguments.found().isPresent()) {
            throw SqlErrors.foundOnlyForKeys(arguments.found().get());
          }
          return gather(params, indices, options, arguments.how(), arguments.batchDims());
        });
  }

  /**
   * Returns the plan of {@code gather_nd_as_of}.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code params} is no feature table, or tables and
   *     options are inconsistent
   */
  public static LogicalPlan gatherAsOf(
      TableArgument params,
      TableArgument indices,
      TensorOptions options,
      GatherArguments arguments) {
    KeyedRelation keyed =
        TensorRelations.keyedOrByIndex(params.requireWhole())
            .orElseThrow(() -> SqlErrors.notKeyed("gather_nd_as_of", params.name()));
    return TensorQuery.of(
        KeyedGatherRows.of(keyed, indices, options, arguments), List.of(indices), params);
  }

  /** Builds the plan of a call on a tensor; if that fails on a query of keyed rows, says so. */
  private static LogicalPlan withoutKeys(
      String function, TableArgument tensor, Supplier<LogicalPlan> call) {
    try {
      return call.get();
    } catch (SparkNdException e) {
      Optional<KeyedRelation> under = TensorRelations.keyedUnder(tensor);
      throw under.isPresent()
          ? SqlErrors.queryHasNoKeys(function, tensor.name(), under.get().table(), e)
          : e;
    }
  }

  private static LogicalPlan gather(
      TableArgument params,
      TableArgument indices,
      TensorOptions options,
      Gather how,
      int batchDims) {
    Optional<TensorRelation> stored = TensorRelations.of(params);
    if (stored.isPresent()) {
      TensorNames tensor = TensorNames.of(params, stored.get());
      RelationGatherRows rows =
          RelationGatherRows.of(stored.get(), tensor, indices, options, how, batchDims);
      return TensorQuery.of(rows, List.of(indices), params);
    }
    SliceOrdinals columns = ColumnResolver.ofParams(params, options);
    ValueEncoding values =
        ValueEncoding.ofGather(
            params, columns, options, () -> SliceOrdinals.shape(params, options));
    TableArgument encoded = values.encodedTensor(params, columns);
    GatherRows rows =
        GatherRows.of(encoded, columns, indices, values.options(options), how, batchDims, values);
    return values.decoded(TensorQuery.of(rows, List.of(encoded, indices)), rows.indices());
  }

  /**
   * Returns the plan of {@code tensor_scatter_nd_*}.
   *
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  public static LogicalPlan scatter(
      TableArgument tensor, TableArgument updates, TensorOptions options, Scatter how) {
    updates.requireWhole();
    TensorRelations.keyed(tensor.requireWhole())
        .ifPresent(
            keyed -> {
              throw SqlErrors.scatterByKeys(keyed.table());
            });
    return withoutKeys(
        "tensor_scatter_nd", tensor, () -> scatterTensor(tensor, updates, options, how));
  }

  private static LogicalPlan scatterTensor(
      TableArgument tensor, TableArgument updates, TensorOptions options, Scatter how) {
    Optional<TensorRelation> stored = TensorRelations.of(tensor);
    if (stored.isPresent()) {
      TensorNames names = TensorNames.of(tensor, stored.get());
      RelationScatterRows rows = RelationScatterRows.of(stored.get(), names, updates, options, how);
      return TensorQuery.of(rows, List.of(updates), tensor);
    }
    SliceOrdinals columns = ColumnResolver.ofTensor(tensor, options);
    SliceOrdinals changed =
        ColumnResolver.ofUpdates(updates, options, TensorNames.of(tensor, columns));
    ValueEncoding values =
        ValueEncoding.of(
            how.reduction(),
            tensor,
            columns,
            options,
            () -> columns.shapeAsStored(tensor, SliceOrdinals.shape(tensor, options)));
    TableArgument into = values.encodedTensor(tensor, columns);
    TableArgument changes = values.encodedUpdates(updates, changed);
    ScatterRows rows =
        ScatterRows.into(into, columns, changes, changed, values.options(options), how, values);
    return values.decoded(TensorQuery.of(rows, List.of(into, changes)), first(columns));
  }

  /**
   * Returns the plan of {@code scatter_nd}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table and options are inconsistent
   */
  public static LogicalPlan scatterIntoZeros(
      TableArgument updates, TensorOptions options, Scatter how) {
    SliceOrdinals columns = SliceOrdinals.of(updates.requireWhole(), options);
    ValueEncoding values =
        ValueEncoding.of(
            how.reduction(),
            updates,
            columns,
            options,
            () -> SliceOrdinals.shape(updates, options));
    TableArgument changes = values.encodedUpdates(updates, columns);
    ScatterRows rows =
        ScatterRows.intoZeros(changes, columns, values.options(options), how, values);
    return values.decoded(TensorQuery.of(rows, List.of(changes)), first(columns));
  }

  /** Returns the index columns of a scatter's result, which are its first. */
  private static List<Integer> first(SliceOrdinals columns) {
    return IntStream.range(0, columns.indices().size()).boxed().toList();
  }
}
