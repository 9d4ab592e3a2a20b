/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import java.io.IOException;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A file of Iceberg's, as Parquet reads one. */
record InputAdapter(org.apache.iceberg.io.InputFile file) implements InputFile {

  @Override
  public long getLength() {
    return file.getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    return new Stream(file.newStream());
  }

  @Override
  public String toString() {
    return file.location();
  }

  private static final class Stream extends DelegatingSeekableInputStream {
    private final org.apache.iceberg.io.SeekableInputStream stream;

    Stream(org.apache.iceberg.io.SeekableInputStream stream) {
      super(stream);
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }
  }
}
