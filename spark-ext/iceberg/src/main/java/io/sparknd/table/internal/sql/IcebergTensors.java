/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.sql;

import io.sparknd.sql.internal.plan.KeyedRelation;
import io.sparknd.sql.internal.plan.TensorRelation;
import io.sparknd.sql.internal.plan.TensorRelationProvider;
import io.sparknd.table.internal.read.TableSnapshot;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/** Finds tensors and features in Iceberg tables. */
public final class IcebergTensors implements TensorRelationProvider {
  private static final String TABLE = "org.apache.iceberg.spark.source.SparkTable";

  /** Loads {@link IcebergRelation}, which needs Iceberg's classes, only for Iceberg tables. */
  @Override
  public Optional<TensorRelation> tensor(DataSourceV2Relation relation) {
    return isOfIceberg(relation)
        ? IcebergRelation.snapshot(relation).map(TensorRelation.class::cast)
        : Optional.empty();
  }

  @Override
  public Optional<KeyedRelation> keyed(DataSourceV2Relation relation) {
    return isOfIceberg(relation)
        ? IcebergRelation.features(relation).map(KeyedRelation.class::cast)
        : Optional.empty();
  }

  @Override
  public Optional<KeyedRelation> keyedByIndex(DataSourceV2Relation relation) {
    return isOfIceberg(relation)
        ? IcebergRelation.snapshot(relation).map(TableSnapshot::keyedByIndex)
        : Optional.empty();
  }

  /** Compares names, so that no class of Iceberg is loaded for other tables. */
  private static boolean isOfIceberg(DataSourceV2Relation relation) {
    return Stream.<Class<?>>iterate(
            relation.table().getClass(), Objects::nonNull, Class::getSuperclass)
        .anyMatch(type -> type.getName().equals(TABLE));
  }
}
