/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.table.internal.store.LocalFileIO;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Access to local files that counts how often the process opens one to read it. */
public final class CountingFileIO implements FileIO {
  private static final long serialVersionUID = 1;
  private static final LongAdder OPENED = new LongAdder();

  private final LocalFileIO files = new LocalFileIO();

  /** The number of times that a file was opened so far. */
  static long opened() {
    return OPENED.sum();
  }

  @Override
  public InputFile newInputFile(String location) {
    return new CountedFile(files.newInputFile(location));
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return files.newOutputFile(location);
  }

  @Override
  public void deleteFile(String location) {
    files.deleteFile(location);
  }

  @Override
  public Map<String, String> properties() {
    return files.properties();
  }

  @Override
  public void initialize(Map<String, String> properties) {
    files.initialize(properties);
  }

  private record CountedFile(InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      OPENED.increment();
      return file.newStream();
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }
}
