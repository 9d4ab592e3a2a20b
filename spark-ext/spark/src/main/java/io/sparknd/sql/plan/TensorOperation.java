/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.FoldListener;
import io.sparknd.cluster.TableQuery;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.StructType;

/** What a table function does, with its columns found and checked. */
public sealed interface TensorOperation extends Serializable
    permits GatherRows, ScatterRows, RelationGatherRows, RelationScatterRows {
  /** Columns of the result. */
  StructType schema();

  /** Whether it folds updates, and so has their metrics. */
  default boolean isScatter() {
    return false;
  }

  /** The columns of the first table, if that is a tensor. */
  Optional<SliceTable> tensorTable();

  /** The columns of the tables that hold slices, by the place of the table in the call. */
  Map<Integer, SliceTable> sliceTables();

  /** What table {@code i} is to the call, for messages. */
  String argument(int i);

  /** Runs it. */
  TableQuery run(OperationInputs inputs, FoldListener listener);

  /**
   * A guess at the bytes of the result.
   *
   * @param tables bytes of the tables
   */
  double bytes(List<Double> tables);
}
