/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.substring_index;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.DataLocation;
import io.sparknd.table.internal.store.OverlappingTables;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.TableFileNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.hadoop.HadoopConfigurable;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.spark.SparkTableUtil;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that SparkND wrote to a table's folder and that no table references: those of scatters that
 * died. Files with other names and metadata files are ignored.
 */
public final class OrphanFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanFiles.class);
  private static final String NAME = "name";

  private final SparkSession spark;
  private final StoredTable stored;

  public OrphanFiles(SparkSession spark, StoredTable stored) {
    this.spark = spark;
    this.stored = stored;
  }

  /**
   * Finds the orphan files.
   *
   * @return their locations, ascending
   * @throws io.sparknd.tensor.SparkNdException if the catalog cannot list its tables or their
   *     files, or the table does not allow files to be deleted
   */
  public List<String> find(Duration olderThan) {
    Table table = stored.table();
    if (!PropertyUtil.propertyAsBoolean(
        table.properties(), TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT)) {
      throw TableErrors.gcDisabled(stored.name());
    }
    // listed before the tables are read: files committed in between count as referenced
    long before = ClampedTimes.millis(ClampedTimes.before(Instant.now(), olderThan));
    Map<String, String> found = candidates(before);
    if (!found.isEmpty()) {
      for (Table nearby : OverlappingTables.of(spark, stored)) {
        found.keySet().removeAll(referenced(nearby, found.keySet()));
      }
    }
    return found.values().stream().sorted().toList();
  }

  /**
   * Deletes the orphan files.
   *
   * @return the locations of the deleted files
   */
  public List<String> remove(Duration olderThan) {
    List<String> removed = new ArrayList<>();
    for (String location : find(olderThan)) {
      try {
        stored.table().io().deleteFile(location);
        removed.add(location);
      } catch (RuntimeException e) {
        LOG.atWarn()
            .addKeyValue("table_name", stored.name())
            .addKeyValue("path", location)
            .setCause(e)
            .log("{} could not be deleted; the next call tries again", location);
      }
    }
    return removed;
  }

  /** Returns old files with SparkND's names in the table's folder: locations by name. */
  private Map<String, String> candidates(long before) {
    TableFileNames own = new TableFileNames(stored.table());
    Map<String, String> found = new TreeMap<>();
    try {
      for (FileInfo file : list(DataLocation.of(stored.table()))) {
        if (file.createdAtMillis() < before && own.contains(file.location())) {
          found.put(TableFileNames.fileName(file.location()), file.location());
        }
      }
    } catch (IOException | RuntimeException e) {
      throw TableErrors.orphansUnknown(stored.name(), e);
    }
    return found;
  }

  private Iterable<FileInfo> list(String folder) throws IOException {
    // object stores have no folders, and Spark may lack a Hadoop file system for them
    if (stored.table().io() instanceof SupportsPrefixOperations store
        && !(store instanceof HadoopFileIO)) {
      return listed(store, folder + "/");
    }
    Path path = new Path(folder);
    FileSystem system = path.getFileSystem(hadoop());
    List<FileInfo> files = new ArrayList<>();
    if (system.exists(path)) {
      RemoteIterator<LocatedFileStatus> all = system.listFiles(path, true);
      while (all.hasNext()) {
        LocatedFileStatus file = all.next();
        files.add(
            new FileInfo(file.getPath().toString(), file.getLen(), file.getModificationTime()));
      }
    }
    return files;
  }

  /** Returns the settings of the table's catalog, which may have its own. */
  private Configuration hadoop() {
    return stored.table().io() instanceof HadoopConfigurable files
        ? files.getConf()
        : ClassicSpark.hadoop(spark);
  }

  /** A store may list folders, of which one that no file was written to does not exist. */
  private static Iterable<FileInfo> listed(SupportsPrefixOperations store, String prefix) {
    try {
      Iterator<FileInfo> files = store.listPrefix(prefix).iterator();
      return () -> files;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FileNotFoundException) {
        return List.of();
      }
      throw e;
    }
  }

  /** Returns those of {@code names} that snapshots of a table reference. */
  private Set<String> referenced(Table table, Set<String> names) {
    try {
      Dataset<Row> wanted = spark.createDataset(List.copyOf(names), Encoders.STRING()).toDF(NAME);
      List<String> found =
          SparkTableUtil.loadMetadataTable(spark, table, MetadataTableType.ALL_FILES)
              .select(substring_index(col("file_path"), "/", -1).as(NAME))
              .join(wanted, NAME)
              .distinct()
              .as(Encoders.STRING())
              .collectAsList();
      return new HashSet<>(found);
    } catch (RuntimeException e) {
      throw TableErrors.orphansUnknown(stored.name(), e);
    }
  }
}
