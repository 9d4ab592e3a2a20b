/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.history.BlockHistory.DeleteHistory;
import io.sparknd.table.internal.history.BlockHistory.FileHistory;
import io.sparknd.table.internal.store.CatalogFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.Tasks;
import org.apache.iceberg.util.ThreadPools;

/**
 * Lists the files of all versions of a table. Each manifest is read once, however many versions
 * have it.
 */
public final class FileHistories {
  private final StoredFeatures features;
  private final Table table;
  private final TableTimeline timeline;
  private final Map<String, DataFile> data = new LinkedHashMap<>();
  private final Map<String, DeleteFile> deletes = new LinkedHashMap<>();
  private final Map<String, VersionSet> versions = new HashMap<>();

  private FileHistories(StoredFeatures features, TableTimeline timeline) {
    this.features = features;
    this.table = features.table();
    this.timeline = timeline;
  }

  /**
   * Returns the files of the versions by block.
   *
   * @param features blocks that all files of the versions fit into
   * @throws io.sparknd.tensor.SparkNdException if a file is not one that SparkND reads, or the
   *     metadata cannot be read
   */
  public static Map<Long, BlockHistory> of(StoredFeatures features, TableTimeline timeline) {
    FileHistories histories = new FileHistories(features, timeline);
    try {
      histories.read();
    } catch (RuntimeException e) {
      throw CatalogFailures.unchanged("reading", features.name(), e);
    }
    return histories.byBlock();
  }

  /** Returns the ids of the partition specs of all files of the versions. */
  public static List<Integer> specIds(Table table, TableTimeline timeline) {
    // snapshots keep their lists of manifests, which take as long to read as the manifests
    inParallel(timeline.snapshots(), id -> table.snapshot(id).allManifests(table.io()));
    return timeline.snapshots().stream()
        .flatMap(id -> table.snapshot(id).dataManifests(table.io()).stream())
        .map(ManifestFile::partitionSpecId)
        .distinct()
        .toList();
  }

  private void read() {
    Map<String, ManifestFile> manifests = new LinkedHashMap<>();
    Map<String, VersionSet.Builder> in = new HashMap<>();
    for (int version = 0; version < timeline.count(); version++) {
      Snapshot snapshot = table.snapshot(timeline.snapshots().get(version));
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        manifests.putIfAbsent(manifest.path(), manifest);
        in.computeIfAbsent(manifest.path(), path -> new VersionSet.Builder()).add(version);
      }
    }
    inParallel(
        manifests.values(),
        manifest -> read(manifest, Objects.requireNonNull(in.get(manifest.path())).build()));
  }

  private static <T> void inParallel(Iterable<T> items, Consumer<T> work) {
    Tasks.foreach(items)
        .stopOnFailure()
        .throwFailureWhenFinished()
        .executeWith(ThreadPools.getWorkerPool())
        .run(work::accept);
  }

  private void read(ManifestFile manifest, VersionSet in) {
    if (manifest.content() == ManifestContent.DATA) {
      List<DataFile> files =
          list(
              () -> ManifestFiles.read(manifest, table.io(), table.specs()),
              DataFile::copyWithoutStats);
      synchronized (this) {
        files.forEach(file -> add(file.location(), file, data, in));
      }
    } else {
      List<DeleteFile> files =
          list(
              () -> ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs()),
              DeleteFile::copyWithoutStats);
      synchronized (this) {
        files.forEach(file -> add(identity(file), file, deletes, in));
      }
    }
  }

  private static <T extends ContentFile<T>> List<T> list(
      Supplier<ManifestReader<T>> manifest, UnaryOperator<T> copy) {
    List<T> files = new ArrayList<>();
    try (ManifestReader<T> reader = manifest.get()) {
      reader.forEach(file -> files.add(copy.apply(file))); // the reader reuses its objects
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private <T> void add(String identity, T file, Map<String, T> all, VersionSet in) {
    all.putIfAbsent(identity, file);
    versions.merge(identity, in, VersionSet::or);
  }

  private VersionSet versions(String identity) {
    return versions.getOrDefault(identity, VersionSet.EMPTY);
  }

  private static String identity(DeleteFile file) {
    return file.location() + "@" + file.contentOffset();
  }

  private Map<Long, BlockHistory> byBlock() {
    PartitionedFiles partitions = new PartitionedFiles(table.specs(), data.values());
    requireNoEqualityDeletes(partitions);
    Map<String, List<DeleteHistory>> ofFiles = new HashMap<>();
    Map<Long, List<DeleteHistory>> ofBlocks = new HashMap<>();
    for (Map.Entry<String, DeleteFile> entry : deletes.entrySet()) {
      DeleteFile file = entry.getValue();
      if (file.content() != FileContent.POSITION_DELETES) {
        continue; // applies to no row
      }
      DeleteHistory history = new DeleteHistory(file, versions(entry.getKey()));
      if (file.referencedDataFile() != null) {
        ofFiles
            .computeIfAbsent(file.referencedDataFile(), location -> new ArrayList<>())
            .add(history);
      } else if (partitions.hasPartitionOf(file)) { // else it applies to no row
        ofBlocks.computeIfAbsent(features.block(file), block -> new ArrayList<>()).add(history);
      }
    }
    return byBlock(ofFiles, ofBlocks);
  }

  /** Plans scans of versions whose rows equality deletes may apply to; such a scan knows. */
  private void requireNoEqualityDeletes(PartitionedFiles partitions) {
    BitSet planned = new BitSet();
    deletes.forEach(
        (identity, file) -> {
          if (file.content() == FileContent.EQUALITY_DELETES) {
            partitions.matchedBy(file).forEach(matched -> addCommon(identity, matched, planned));
          }
        });
    planned.stream().forEach(version -> features.files(timeline.snapshots().get(version)));
  }

  /** Adds a version that has both a delete and a data file, unless there is one. */
  private void addCommon(String delete, DataFile file, BitSet some) {
    VersionSet common = versions(delete).and(versions(file.location()));
    if (!common.isEmpty() && !common.intersects(some)) {
      some.set(common.last());
    }
  }

  private Map<Long, BlockHistory> byBlock(
      Map<String, List<DeleteHistory>> ofFiles, Map<Long, List<DeleteHistory>> ofBlocks) {
    Map<Long, List<FileHistory>> blocks = new TreeMap<>();
    for (DataFile file : data.values()) {
      if (file.format() != FileFormat.PARQUET) {
        throw TableErrors.foreignFile(features.name(), file.location(), file.format().toString());
      }
      long block = features.block(file);
      List<DeleteHistory> own = new ArrayList<>();
      own.addAll(ofFiles.getOrDefault(file.location(), List.of()));
      own.addAll(ofBlocks.getOrDefault(block, List.of()));
      blocks
          .computeIfAbsent(block, absent -> new ArrayList<>())
          .add(new FileHistory(file, versions(file.location()), own));
    }
    Map<Long, BlockHistory> histories = new TreeMap<>();
    blocks.forEach((block, files) -> histories.put(block, new BlockHistory(block, files)));
    return histories;
  }
}
