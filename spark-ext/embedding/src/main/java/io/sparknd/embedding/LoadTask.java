/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.files.SavedDirectory;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PartitionDelta;
import io.sparknd.tensor.TensorErrors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The task that reads one partition of a saved table: of a full save, and of its deltas.
 *
 * @param since steps of the table before each delta
 */
record LoadTask(SavedDirectory directory, PartitionDelta delta, long[] since)
    implements Serializable {
  private static final int BUFFER = 64 << 10;

  EmbeddingPartition load(String file) {
    return read(file, in -> EmbeddingPartition.readFrom(in).checked(delta.layout()));
  }

  /**
   * Returns the partition after the deltas of a run.
   *
   * @param files the file of each delta
   */
  EmbeddingPartition applied(EmbeddingPartition base, List<String> files) {
    EmbeddingPartition partition = base;
    for (int i = 0; i < since.length; i++) {
      EmbeddingPartition before = partition;
      long steps = since[i];
      partition = read(files.get(i), in -> delta.applied(before, steps, in));
    }
    return partition;
  }

  private interface Reader {
    EmbeddingPartition read(InputStream in) throws IOException;
  }

  private EmbeddingPartition read(String file, Reader reader) {
    try {
      verify(file);
      try (InputStream in = new BufferedInputStream(directory.open(file), BUFFER)) {
        return reader.read(in);
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory + "/" + file, e);
    }
  }

  /**
   * Verifies the checksum before anything is parsed: a corrupt length could allocate all memory.
   */
  private void verify(String file) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] bytes = new byte[BUFFER];
    int held = 0;
    try (InputStream in = directory.open(file)) {
      for (int read = 0; read >= 0; read = in.read(bytes, held, bytes.length - held)) {
        int body = Math.max(0, held + read - Long.BYTES);
        sum.update(bytes, 0, body);
        held += read - body;
        System.arraycopy(bytes, body, bytes, 0, held);
      }
    }
    if (held < Long.BYTES || ByteBuffer.wrap(bytes).getLong() != sum.getValue()) {
      throw new IOException("CRC-32C checksum mismatch; the file is damaged");
    }
  }
}
