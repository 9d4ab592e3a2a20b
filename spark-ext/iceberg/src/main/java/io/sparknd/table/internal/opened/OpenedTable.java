/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.opened;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.feature.TensorFeatures;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.Retention;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TablePublication;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** A table of SparkND: one of features, or one of a tensor. */
public sealed interface OpenedTable {
  /** A table of variables by keys. */
  record Features(FeatureTable table) implements OpenedTable {}

  /** A table of one tensor. */
  record Elements(TensorTable table) implements OpenedTable {}

  /**
   * Opens a table, or the version of it that its name selects.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or it is not SparkND's
   */
  static OpenedTable open(SparkSession spark, String name) {
    Table found = TableCatalogs.select(spark, name).opened().table();
    return FeatureProperties.isFeatureTable(found.properties())
        ? new Features(FeatureTable.open(spark, name))
        : new Elements(TensorTable.open(spark, name));
  }

  /** Opens a feature table; empty if its name is that of any other table, of a view, or of none. */
  static Optional<FeatureTable> features(SparkSession spark, String name) {
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

  /**
   * Returns the table at a snapshot of its current state, for reads of its rows by key.
   *
   * @param at null for a table without rows
   */
  default StoredFeatures keyed(@Nullable Snapshot at) {
    return this instanceof Features
        ? StoredFeatures.of(name(), iceberg(), at)
        : TensorFeatures.of(StoredTensor.of(name(), iceberg(), at));
  }

  /** Returns the table after a batch. */
  default OpenedTable batch(String id) {
    return this instanceof Features features
        ? new Features(features.table().batch(id))
        : new Elements(((Elements) this).table().batch(id));
  }

  /** Returns the table at a snapshot. */
  default OpenedTable snapshot(long id) {
    return this instanceof Features features
        ? new Features(features.table().snapshot(id))
        : new Elements(((Elements) this).table().snapshot(id));
  }

  /**
   * Returns the rows that differ from an earlier state.
   *
   * @param before a state of this table
   */
  default Dataset<Row> changesSince(OpenedTable before) {
    return this instanceof Features features
        ? features.table().changesSince(((Features) before).table())
        : ((Elements) this).table().changesSince(((Elements) before).table());
  }

  /** Brings an online store to the table's state. */
  default TablePublication publish(PublishSink sink) {
    return this instanceof Features features
        ? features.table().publish(sink)
        : ((Elements) this).table().publish(sink);
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
