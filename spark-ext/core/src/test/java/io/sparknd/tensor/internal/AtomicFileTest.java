/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that appear at their path when they are complete. */
class AtomicFileTest {
  @TempDir Path directory;

  @Test
  void discardedFileIsDeletedEvenIfClosingFails() throws IOException {
    Path written = Files.createFile(directory.resolve("written"));
    OutputStream failing =
        new FilterOutputStream(OutputStream.nullOutputStream()) {
          @Override
          public void close() throws IOException {
            throw new IOException("disk full");
          }
        };
    new AtomicFile(directory.resolve("target"), written, failing).discard();
    assertThat(written).doesNotExist();
  }
}
