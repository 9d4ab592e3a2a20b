/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Files of this machine for Iceberg. Hadoop's, which a catalog has otherwise, starts a process
 * twice for every file that it makes where its native library is missing, to set permissions.
 */
public final class LocalFileIO implements FileIO {
  private static final long serialVersionUID = 1;

  @Override
  public InputFile newInputFile(String location) {
    return new LocalFile(location);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return new LocalFile(location);
  }

  /** Does nothing where there is no such file. */
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
    // there is nothing to choose
  }
}
