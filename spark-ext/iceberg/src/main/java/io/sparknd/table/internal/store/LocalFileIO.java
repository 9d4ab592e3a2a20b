/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * Local file access for Iceberg. The default, Hadoop's, starts two processes per new file to set
 * permissions if its native library is missing.
 */
public final class LocalFileIO implements FileIO {
  private static final long serialVersionUID = 1;

  private @Nullable String folder;

  @Override
  public InputFile newInputFile(String location) {
    return new LocalFile(location);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return new LocalFile(location, folder);
  }

  /** Deletes a file; does nothing if it does not exist. */
  @Override
  public void deleteFile(String location) {
    try {
      Files.deleteIfExists(new LocalFile(location).path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Map<String, String> properties() {
    return Map.of();
  }

  @Override
  public void initialize(Map<String, String> properties) {
    folder = properties.get(FolderJdbcCatalog.DIRECTORY);
  }
}
