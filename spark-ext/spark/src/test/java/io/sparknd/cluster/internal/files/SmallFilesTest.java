/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that small files are written whole and never overwritten. */
class SmallFilesTest {
  @TempDir private Path folder;

  @Test
  void filesAreWrittenOnceAndDeleted() throws IOException {
    SmallFiles files = SmallFiles.of(LocalSpark.session(), folder.resolve("new").toString());
    assertThat(files.names()).isEmpty();
    files.write("one", new byte[] {1, 2});
    assertThatThrownBy(() -> files.write("one", new byte[] {3})).isInstanceOf(IOException.class);
    assertThat(files.names()).containsExactly("one");
    assertThat(files.read("one")).containsExactly(1, 2);
    files.delete("one");
    files.delete("one");
    assertThat(files.names()).isEmpty();
  }

  @Test
  void namesDoNotLeadOutOfTheDirectory() {
    SmallFiles files = SmallFiles.of(LocalSpark.session(), folder.toString());
    assertThatThrownBy(() -> files.delete("../other")).isInstanceOf(SparkNdException.class);
  }

  /** As on stores where a rename is a copy and a delete, which can fail after the copy. */
  @Test
  void aFileWhoseRenameIsNotConfirmedIsWritten() throws IOException {
    Configuration hadoop = LocalSpark.session().sparkContext().hadoopConfiguration();
    hadoop.set("fs.losing.impl", SavedDirectoryTest.LosingFiles.class.getName());
    try {
      SmallFiles files = SmallFiles.of(LocalSpark.session(), "losing://" + folder);
      files.write("one", new byte[] {1, 2});
      assertThat(files.read("one")).containsExactly(1, 2);
      assertThatThrownBy(() -> files.write("one", new byte[] {3})).isInstanceOf(IOException.class);
      assertThat(files.names()).containsExactly("one");
    } finally {
      hadoop.unset("fs.losing.impl");
    }
  }
}
