/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.SparkErrors;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.ReplaceSortOrder;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
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

/** Creates and opens tensor tables in the Iceberg catalogs of a session. */
public final class TableCatalogs {
  /** The property by which Spark gives a table's location, which is no property in Iceberg. */
  private static final String LOCATION = "location";

  /** In a catalog's settings, comes before a property that its new tables have. */
  private static final String TABLE_DEFAULT = ".table-default.";

  /** Properties of new tables, unless the caller or the catalog sets them. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "format-version",
          "3",
          // Iceberg's default is zstd; floats hardly shrink, and compressing takes longer than
          // writing
          "write.parquet.compression-codec",
          "uncompressed",
          // old metadata files are not needed, and each lists all snapshots
          "write.metadata.delete-after-commit.enabled",
          "true",
          "write.metadata.previous-versions-max",
          "20");

  private TableCatalogs() {}

  /**
   * A table's catalog and identifier.
   *
   * @param name the full name, quoted as in SQL
   */
  private record Place(CatalogPlugin plugin, Catalog catalog, TableIdentifier table, String name) {}

  /**
   * A table of a catalog.
   *
   * @param name the full name, quoted as in SQL
   */
  public record Opened(String name, Table table) {}

  /**
   * The definition of a new table.
   *
   * @param sortColumns columns by which rows of a file ascend
   * @param defaults properties of the table beside those of all tables that SparkND creates; the
   *     defaults of the catalog take precedence over both
   * @param properties properties of the table; they take precedence over all defaults
   * @param records further properties, of the schema with the field ids that the catalog gives
   */
  public record Definition(
      Schema schema,
      PartitionSpec partitions,
      List<String> sortColumns,
      Map<String, String> defaults,
      Map<String, String> properties,
      Function<Schema, Map<String, String>> records) {}

  /**
   * Creates a tensor table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table exists, the catalog is not an Iceberg
   *     catalog, or the name selects a version of another table
   */
  public static StoredTensor create(SparkSession spark, String name, TensorSpec spec) {
    StoredFormat format = format(spec);
    Map<String, String> properties = new TreeMap<>(spec.properties());
    properties.putAll(TableProperties.of(format));
    Opened made =
        create(
            spark,
            name,
            new Definition(
                format.rows().schema(),
                StoredTensor.spec(format),
                format.rows().indexColumns(),
                Map.of(),
                properties,
                created -> Map.of()));
    return StoredTensor.of(made.name(), made.table());
  }

  /**
   * Creates a table.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #create(SparkSession, String, TensorSpec)}
   */
  public static Opened create(SparkSession spark, String name, Definition definition) {
    Place place = place(spark, name);
    Map<String, String> properties = new TreeMap<>(DEFAULTS);
    properties.putAll(definition.defaults());
    String ofCatalog = "spark.sql.catalog." + place.plugin().name() + TABLE_DEFAULT;
    properties.keySet().removeIf(key -> spark.conf().contains(ofCatalog + key));
    properties.putAll(definition.properties());
    try {
      requireOwnName(place);
      makeNamespace(place);
      Transaction creation =
          place
              .catalog()
              .buildTable(place.table(), definition.schema())
              .withPartitionSpec(definition.partitions())
              .withLocation(properties.remove(LOCATION))
              .withProperties(properties)
              .createTransaction();
      // set in a change of its own: a table created with an order lacks the order "unsorted",
      // without which Iceberg's rewrite_data_files cannot sort by another
      ReplaceSortOrder order = creation.replaceSortOrder();
      definition.sortColumns().forEach(order::asc);
      order.commit();
      UpdateProperties records = creation.updateProperties();
      definition.records().apply(creation.table().schema()).forEach(records::set);
      records.commit();
      creation.commitTransaction();
      return new Opened(place.name(), place.catalog().loadTable(place.table()));
    } catch (AlreadyExistsException e) {
      throw TableErrors.tableExists(name);
    } catch (SparkNdException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw TableErrors.tableNotCreated(name, e);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("creating", name, e);
    }
  }

  /**
   * Checks that a new table would not hide a branch, tag or snapshot of another one, which its name
   * selects now.
   */
  private static void requireOwnName(Place place) {
    Namespace namespace = place.table().namespace();
    if (namespace.isEmpty()
        || TableSelector.parse(place.table().name()).isEmpty()
        || place.catalog().tableExists(place.table())) {
      return;
    }
    if (isTable(place.catalog(), TableIdentifier.of(namespace.levels()))) {
      List<String> parts = SqlNames.parts(place.name());
      throw CatalogErrors.versionCreated(
          place.name(), SqlNames.joined(parts.subList(0, parts.size() - 1)));
    }
  }

  private static boolean isTable(Catalog catalog, TableIdentifier identifier) {
    try {
      return catalog.tableExists(identifier);
    } catch (RuntimeException e) {
      return false; // for a name that a table of the catalog cannot have
    }
  }

  /**
   * Opens a tensor table.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or it holds no tensor
   */
  public static StoredTensor open(SparkSession spark, String name) {
    Opened found = load(spark, name);
    return StoredTensor.of(found.name(), found.table());
  }

  /**
   * Loads a table in its current state.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or the catalog fails
   */
  public static Opened load(SparkSession spark, String name) {
    try {
      return load(place(spark, name));
    } catch (NoSuchTableException e) {
      throw TableErrors.noSuchTable(name);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("opening", name, e);
    }
  }

  private static Opened load(Place place) {
    Table table = place.catalog().loadTable(place.table());
    try {
      TableRefresh.orMissing(table); // a catalog may cache tables
    } catch (NoSuchTableException | IllegalStateException e) { // another one has its name
      place.catalog().invalidateTable(place.table());
      table = place.catalog().loadTable(place.table());
    }
    return new Opened(place.name(), table);
  }

  /** A table, and the selector in its name. */
  public record Selected(Opened opened, Optional<TableSelector> selector) {
    /**
     * Returns the tensor that the table holds.
     *
     * @throws io.sparknd.tensor.SparkNdException if it holds none
     */
    public StoredTensor tensor() {
      return StoredTensor.of(opened.name(), opened.table());
    }
  }

  /**
   * Loads the table of a name that may end with a selector. As in Iceberg, a table of the whole
   * name takes precedence.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #load}
   */
  public static Selected select(SparkSession spark, String name) {
    List<String> parts = SqlNames.parts(name);
    int last = parts.size() - 1;
    Optional<TableSelector> selector =
        last > 0 ? TableSelector.parse(parts.get(last)) : Optional.empty();
    if (selector.isEmpty()) {
      return new Selected(load(spark, name), selector);
    }
    try {
      return new Selected(load(place(spark, name)), Optional.empty());
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      return new Selected(load(spark, SqlNames.joined(parts.subList(0, last))), selector);
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("opening", name, e);
    }
  }

  /**
   * Opens a table in its current state, for writing by one thread.
   *
   * @param name the full name
   * @throws io.sparknd.tensor.SparkNdException as {@link #open}, and if commits to the table may be
   *     lost, or others changed its partitions, or added columns that new rows cannot have a value
   *     for
   */
  public static StoredTensor toWrite(SparkSession spark, String name) {
    StoredTensor tensor = open(spark, name);
    requireSafe(spark, tensor);
    tensor.requireDefaults();
    return tensor.requirePartitions();
  }

  /**
   * Checks that commits to a table cannot be lost.
   *
   * @throws io.sparknd.tensor.SparkNdException if its catalog is a Hadoop catalog, and the session
   *     does not allow that
   */
  public static void requireSafe(SparkSession spark, StoredTable stored) {
    requireSafe(spark, stored.name(), stored.table());
  }

  /**
   * Checks that commits to a table cannot be lost.
   *
   * @param name the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException as {@link #requireSafe(SparkSession, StoredTable)}
   */
  public static void requireSafe(SparkSession spark, String name, Table table) {
    boolean isHadoop =
        table instanceof HasTableOperations known
            && known.operations() instanceof HadoopTableOperations;
    if (isHadoop && !SparkNdSetting.ALLOW_HADOOP_CATALOG.isTrueIn(spark)) {
      throw TableErrors.unsafeCatalog(name, SparkNdSetting.ALLOW_HADOOP_CATALOG.key());
    }
  }

  /**
   * Resolves a name in {@code spark}: Spark's catalog manager reads the active session's settings.
   */
  private static Place place(SparkSession spark, String name) {
    return ClassicSpark.withActive(spark, () -> placeInActive(spark, name));
  }

  private static Place placeInActive(SparkSession spark, String name) {
    List<String> parts = SqlNames.parts(name);
    try {
      Spark3Util.CatalogAndIdentifier found = Spark3Util.catalogAndIdentifier(spark, parts);
      Catalog catalog = Spark3Util.loadIcebergCatalog(spark, found.catalog().name());
      return new Place(found.catalog(), catalog, identifier(name, found), fullName(found));
    } catch (SparkNdException e) {
      throw e;
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
    } catch (IllegalArgumentException e) { // a name with a NUL
      throw SparkErrors.badTableName(name, e);
    }
  }

  /** Returns a name that does not depend on the session's current catalog and namespace. */
  private static String fullName(Spark3Util.CatalogAndIdentifier found) {
    List<String> parts = new ArrayList<>();
    parts.add(found.catalog().name());
    parts.addAll(List.of(found.identifier().namespace()));
    parts.add(found.identifier().name());
    return SqlNames.joined(parts);
  }

  /**
   * Creates the namespace through Spark's catalog: Iceberg's catalog lacks namespaces if a cache
   * wraps it.
   */
  private static void makeNamespace(Place place) {
    String[] namespace = place.table().namespace().levels();
    if (place.plugin() instanceof SupportsNamespaces namespaces
        && namespace.length > 0
        && !namespaces.namespaceExists(namespace)) {
      try {
        namespaces.createNamespace(namespace, new HashMap<>()); // Iceberg searches it for null
      } catch (NamespaceAlreadyExistsException e) {
        // created concurrently
      } catch (UnsupportedOperationException e) {
        // the catalog needs no namespaces
      }
    }
  }

  /** Returns the format of a tensor table. */
  public static StoredFormat format(TensorSpec spec) {
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
