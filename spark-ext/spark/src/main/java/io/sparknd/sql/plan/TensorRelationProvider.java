/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import java.util.Optional;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Finds tensors among the tables of one format. A service: implementations are listed in {@code
 * META-INF/services} and have a public constructor without parameters.
 */
public interface TensorRelationProvider {

  /**
   * The tensor that {@code relation} reads; empty if its table is of another format, or holds no
   * tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if the relation reads other rows than those of one
   *     version
   */
  Optional<TensorRelation> tensor(DataSourceV2Relation relation);
}
