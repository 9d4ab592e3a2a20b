/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import io.sparknd.cluster.spark.ClassicSpark;
import io.sparknd.cluster.spark.SparkErrors;
import io.sparknd.cluster.spark.SparkNdSetting;
import io.sparknd.cluster.spark.SqlNames;
import io.sparknd.table.TableErrors;
import io.sparknd.table.TensorSpec;
import io.sparknd.table.file.RowFormat;
import io.sparknd.table.file.ValueColumns;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ReplaceSortOrder;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.hadoop.HadoopTableOperations;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;

/** Tensors' tables in the Iceberg catalogs of a session. */
public final class TableCatalogs {
  private TableCatalogs() {}

  /**
   * @param name in full, as SQL quotes it
   */
  private record Place(CatalogPlugin plugin, Catalog catalog, TableIdentifier table, String name) {}

  /**
   * @throws io.sparknd.tensor.SparkNdException if the table is there, or the catalog none of
   *     Iceberg's
   */
  public static StoredTensor create(SparkSession spark, String name, TensorSpec spec) {
    Place place = place(spark, name);
    StoredFormat format = format(spec);
    Schema schema = format.rows().schema();
    Map<String, String> properties = new TreeMap<>();
    properties.put("format-version", "3");
    // Iceberg's own default is zstd; floats hardly shrink, and take longer to compress than to
    // write
    properties.put("write.parquet.compression-codec", "uncompressed");
    // old metadata files are of use to nobody, and each names all snapshots
    properties.put("write.metadata.delete-after-commit.enabled", "true");
    properties.put("write.metadata.previous-versions-max", "20");
    properties.putAll(spec.properties());
    properties.putAll(TableProperties.of(format));
    try {
      makeNamespace(place);
      Transaction creation =
          place
              .catalog()
              .buildTable(place.table(), schema)
              .withPartitionSpec(StoredTensor.spec(format))
              .withProperties(properties)
              .createTransaction();
      // an order of its own change: a table created with one lacks the order "unsorted", without
      // which Iceberg's rewrite_data_files cannot sort by another
      ReplaceSortOrder order = creation.replaceSortOrder();
      format.rows().indexColumns().forEach(order::asc);
      order.commit();
      creation.commitTransaction();
      return StoredTensor.of(place.name(), place.catalog().loadTable(place.table()));
    } catch (AlreadyExistsException e) {
      throw TableErrors.tableExists(name);
    } catch (IllegalArgumentException e) {
      throw TableErrors.tableNotMade(name, e);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("creating", name, e);
    }
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or it holds no tensor
   */
  public static StoredTensor open(SparkSession spark, String name) {
    return open(place(spark, name), name);
  }

  private static StoredTensor open(Place place, String name) {
    try {
      return open(place);
    } catch (NoSuchTableException e) {
      throw TableErrors.noSuchTable(name);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("opening", name, e);
    }
  }

  private static StoredTensor open(Place place) {
    Table table = place.catalog().loadTable(place.table());
    table.refresh(); // a catalog may keep tables for a while
    return StoredTensor.of(place.name(), table);
  }

  /** A table, and what its name selects of it. */
  public record Selected(StoredTensor tensor, Optional<TableSelector> selector) {}

  /**
   * The table that a name is of, which may go on with a selector. As in Iceberg a table of the
   * whole name comes first.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #open}
   */
  public static Selected select(SparkSession spark, String name) {
    List<String> parts = SqlNames.parts(name);
    int last = parts.size() - 1;
    Optional<TableSelector> selector =
        last > 0 ? TableSelector.parse(parts.get(last)) : Optional.empty();
    if (selector.isEmpty()) {
      return new Selected(open(spark, name), selector);
    }
    try {
      return new Selected(open(place(spark, name)), Optional.empty());
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      return new Selected(open(spark, SqlNames.joined(parts.subList(0, last))), selector);
    }
  }

  /**
   * The table as it is now, to be written to by one thread.
   *
   * @param name in full
   * @throws io.sparknd.tensor.SparkNdException as {@link #open}, and if commits to the table may be
   *     lost, or it has columns that are not the tensor's
   */
  public static StoredTensor toWrite(SparkSession spark, String name) {
    StoredTensor tensor = open(spark, name);
    boolean isHadoop =
        tensor.table() instanceof HasTableOperations table
            && table.operations() instanceof HadoopTableOperations;
    if (isHadoop && !SparkNdSetting.ALLOW_HADOOP_CATALOG.isTrueIn(spark)) {
      throw TableErrors.unsafeCatalog(tensor.name(), SparkNdSetting.ALLOW_HADOOP_CATALOG.key());
    }
    tensor.requireNoOtherColumns();
    return tensor;
  }

  /** Spark's catalog manager reads the settings of the active session, whichever one it is of. */
  private static Place place(SparkSession spark, String name) {
    return ClassicSpark.withActive(spark, () -> placeInActive(spark, name));
  }

  private static Place placeInActive(SparkSession spark, String name) {
    List<String> parts = SqlNames.parts(name);
    try {
      Spark3Util.CatalogAndIdentifier found = Spark3Util.catalogAndIdentifier(spark, parts);
      Catalog catalog = Spark3Util.loadIcebergCatalog(spark, found.catalog().name());
      return new Place(found.catalog(), catalog, identifier(name, found), fullName(found));
    } catch (IllegalArgumentException e) {
      throw TableErrors.notAnIcebergCatalog(name, e);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("opening the catalog of", name, e);
    }
  }

  private static TableIdentifier identifier(String name, Spark3Util.CatalogAndIdentifier found) {
    try {
      return TableIdentifier.of(
          Namespace.of(found.identifier().namespace()), found.identifier().name());
    } catch (IllegalArgumentException e) { // for one with a NUL
      throw SparkErrors.badTableName(name, e);
    }
  }

  /** The name that says the same when the session has another current catalog or namespace. */
  private static String fullName(Spark3Util.CatalogAndIdentifier found) {
    List<String> parts = new ArrayList<>();
    parts.add(found.catalog().name());
    parts.addAll(List.of(found.identifier().namespace()));
    parts.add(found.identifier().name());
    return SqlNames.joined(parts);
  }

  /** By Spark's own catalog: Iceberg's is without namespaces where its cache wraps it. */
  private static void makeNamespace(Place place) {
    String[] namespace = place.table().namespace().levels();
    if (place.plugin() instanceof SupportsNamespaces namespaces
        && namespace.length > 0
        && !namespaces.namespaceExists(namespace)) {
      try {
        namespaces.createNamespace(namespace, new HashMap<>()); // Iceberg looks for a null in it
      } catch (NamespaceAlreadyExistsException e) {
        // another was faster, which is as well
      } catch (UnsupportedOperationException e) {
        // a catalog without namespaces, which needs none
      }
    }
  }

  private static StoredFormat format(TensorSpec spec) {
    RowFormat rows = new RowFormat(spec.dtype(), spec.shape(), spec.indexColumns(), values(spec));
    Tensor fill =
        RowFill.of(
            spec.dtype(),
            spec.fill().orElseGet(() -> Tensor.zeros(spec.dtype(), Shape.of(1)).element(0)),
            rows.values(),
            spec.featureFills());
    return new StoredFormat(rows, BlockSizes.rowsPerBlock(spec, rows), fill);
  }

  private static ValueColumns values(TensorSpec spec) {
    return switch (spec.layout()) {
      case ARRAY -> new ValueColumns.ArrayColumn(spec.valueColumns().get(0));
      case BINARY -> new ValueColumns.BinaryColumn(spec.valueColumns().get(0));
      case COLUMNS -> new ValueColumns.FeatureColumns(spec.valueColumns());
    };
  }
}
