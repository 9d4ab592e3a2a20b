/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestListFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;

/**
 * The operations of a table whose files are not deleted, but added to those that no commit may use.
 * A transaction of Iceberg has no other way to hold its deletes back.
 *
 * @param check is called with the metadata that a commit is to replace, and may fail
 */
record HoldingOperations(
    TableOperations operations, UnusedMetadata unused, Consumer<TableMetadata> check)
    implements TableOperations {

  @Override
  public TableMetadata current() {
    return operations.current();
  }

  @Override
  public TableMetadata refresh() {
    return operations.refresh();
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    check.accept(base);
    operations.commit(base, metadata);
  }

  @Override
  public FileIO io() {
    return new HoldingIO(operations.io(), unused);
  }

  @Override
  public EncryptionManager encryption() {
    return operations.encryption();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return operations.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return operations.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return operations.temp(uncommitted);
  }

  @Override
  public long newSnapshotId() {
    return operations.newSnapshotId();
  }

  @Override
  public boolean requireStrictCleanup() {
    return operations.requireStrictCleanup();
  }

  @SuppressWarnings("serial") // is not sent to tasks
  private static final class HoldingIO implements FileIO {
    private final FileIO io;
    private final UnusedMetadata unused;

    HoldingIO(FileIO io, UnusedMetadata unused) {
      this.io = io;
      this.unused = unused;
    }

    @Override
    public InputFile newInputFile(String path) {
      return io.newInputFile(path);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
      return io.newInputFile(path, length);
    }

    @Override
    public InputFile newInputFile(DataFile file) {
      return io.newInputFile(file);
    }

    @Override
    public InputFile newInputFile(DeleteFile file) {
      return io.newInputFile(file);
    }

    @Override
    public InputFile newInputFile(ManifestFile manifest) {
      return io.newInputFile(manifest);
    }

    @Override
    public InputFile newInputFile(ManifestListFile list) {
      return io.newInputFile(list);
    }

    @Override
    public OutputFile newOutputFile(String path) {
      return io.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
      unused.add(path);
    }

    @Override
    public Map<String, String> properties() {
      return io.properties();
    }
  }
}
