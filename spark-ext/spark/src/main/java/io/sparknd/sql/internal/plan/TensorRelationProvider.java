/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.Optional;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Finds tensors and tables of variables among the tables of one format. Implementations are listed
 * in {@code META-INF/services} and have a public no-argument constructor.
 */
public interface TensorRelationProvider {

  /**
   * Returns the tensor that {@code relation} reads; empty if its table has another format or holds
   * no tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if the relation may read rows other than those of
   *     one version
   */
  Optional<TensorRelation> tensor(DataSourceV2Relation relation);

  /**
   * Returns the table of variables by keys that {@code relation} reads; empty if its table has
   * another format, or no keys.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #tensor}
   */
  Optional<KeyedRelation> keyed(DataSourceV2Relation relation);

  /**
   * Returns the tensor's table that {@code relation} reads as a table of variables: its value
   * columns, by its index columns. Empty if its table has another format or holds no tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #tensor}
   */
  Optional<KeyedRelation> keyedByIndex(DataSourceV2Relation relation);
}
