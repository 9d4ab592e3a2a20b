/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.Retention;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;

/** A table of SparkND that a call names: one of features, or one of a tensor. */
sealed interface OpenedTable {
  /** A table of variables by keys. */
  record Features(FeatureTable table) implements OpenedTable {}

  /** A table of one tensor. */
  record Elements(TensorTable table) implements OpenedTable {}

  /**
   * Opens the table of a call, or the version of it that its name selects.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or it is not SparkND's
   */
  static OpenedTable open(SparkSession spark, String name) {
    Table found = TableCatalogs.select(spark, name).opened().table();
    return FeatureProperties.isFeatureTable(found.properties())
        ? new Features(FeatureTable.open(spark, name))
        : new Elements(TensorTable.open(spark, name));
  }

  /**
   * Opens the feature table of a call; empty if its name is that of any other table, of a view, or
   * of none.
   *
   * @throws io.sparknd.tensor.SparkNdException if the call says which shape a feature table has
   */
  static Optional<FeatureTable> features(SparkSession spark, ProcedureCall call) {
    Optional<FeatureTable> found = features(spark, call.required("table"));
    if (found.isPresent() && call.shape().isPresent()) {
      throw FeatureErrors.tensorArgument(
          "shape", call.shape().get().toString(), found.get().name());
    }
    return found;
  }

  private static Optional<FeatureTable> features(SparkSession spark, String name) {
    if (isTemporary(spark, name)) {
      return Optional.empty();
    }
    Table found;
    try {
      found = TableCatalogs.select(spark, name).opened().table();
    } catch (SparkNdException e) {
      return Optional.empty(); // whoever reads it as another table says why not
    }
    return FeatureProperties.isFeatureTable(found.properties())
        ? Optional.of(FeatureTable.open(spark, name))
        : Optional.empty();
  }

  private static boolean isTemporary(SparkSession spark, String name) {
    try {
      return SqlNames.parts(name).size() == 1 && spark.catalog().getTable(name).isTemporary();
    } catch (AnalysisException e) {
      return false;
    }
  }

  /** Returns the full name. */
  default String name() {
    if (this instanceof Features features) {
      return features.table().name();
    }
    return ((Elements) this).table().name();
  }

  /** Returns the underlying Iceberg table. */
  default Table iceberg() {
    if (this instanceof Features features) {
      return features.table().iceberg();
    }
    return ((Elements) this).table().iceberg();
  }

  /** Returns the snapshot that reads use; empty if there is none. */
  default OptionalLong snapshot() {
    if (this instanceof Features features) {
      return features.table().snapshot();
    }
    return ((Elements) this).table().snapshot();
  }

  /** Returns the table's format and files at the snapshot that reads use. */
  default StoredTable stored() {
    OptionalLong at = snapshot();
    return this instanceof Features
        ? StoredFeatures.of(
            name(), iceberg(), at.isEmpty() ? null : iceberg().snapshot(at.getAsLong()))
        : StoredTensor.of(name(), iceberg());
  }

  /** Changes the size of the numbered axis. */
  default void resize(long size) {
    if (this instanceof Features features) {
      features.table().resize(size);
    } else {
      ((Elements) this).table().resize(size);
    }
  }

  /** Compacts the table. */
  default TableCommit compact() {
    if (this instanceof Features features) {
      return features.table().compact();
    }
    return ((Elements) this).table().compact();
  }

  /** Expires snapshots. */
  default void expire(Retention retention) {
    if (this instanceof Features features) {
      features.table().expire(retention);
    } else {
      ((Elements) this).table().expire(retention);
    }
  }

  /** Lists orphan files. */
  default List<String> orphans(Duration olderThan) {
    if (this instanceof Features features) {
      return features.table().orphans(olderThan);
    }
    return ((Elements) this).table().orphans(olderThan);
  }

  /** Deletes orphan files. */
  default List<String> removeOrphans(Duration olderThan) {
    if (this instanceof Features features) {
      return features.table().removeOrphans(olderThan);
    }
    return ((Elements) this).table().removeOrphans(olderThan);
  }
}
