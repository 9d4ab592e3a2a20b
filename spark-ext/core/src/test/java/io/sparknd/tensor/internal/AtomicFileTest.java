/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.ForkedJvm;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

  @Test
  void aUriIsNoLocalPath() throws IOException {
    assertThatThrownBy(() -> AtomicFile.create(Path.of("s3a://bucket/x.npy")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("s3a:/bucket/x.npy: a java.nio.file.Path is on this machine");
    assertThat(LocalPaths.absolute(Path.of("a:b", "c"))).isAbsolute();
  }

  @Test
  void aWriteThatFailsLeavesTheOldFile() throws IOException {
    Path target = Files.writeString(directory.resolve("target"), "before");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    target,
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(target).hasContent("before");
    assertThat(directory.toFile().list()).containsExactly("target");
  }

  @Test
  void filesAreClosed() throws IOException {
    AtomicFile committed = AtomicFile.create(directory.resolve("committed"));
    committed.commit();
    assertThatThrownBy(() -> committed.out().write(1)).isInstanceOf(ClosedChannelException.class);
    AtomicFile discarded = AtomicFile.create(directory.resolve("discarded"));
    discarded.discard();
    assertThatThrownBy(() -> discarded.out().write(1)).isInstanceOf(ClosedChannelException.class);
  }

  private static ForkedJvm forked(Class<?> main, Path argument) throws Exception {
    return ForkedJvm.run(
        List.of("-cp", System.getProperty("java.class.path"), main.getName(), argument.toString()));
  }

  @Test
  void anInterruptedWriteNeverLeavesAFile() throws Exception {
    ForkedJvm run = forked(InterruptedWrite.class, directory.resolve("target"));
    assertThat(run.output()).startsWith(".sparknd-");
    assertThat(directory).isEmptyDirectory();
  }

  /** Begins to write a file, prints its temporary name, and ends as by Ctrl-C. */
  static final class InterruptedWrite {
    private InterruptedWrite() {}

    public static void main(String[] args) throws IOException {
      Path target = Path.of(args[0]);
      AtomicFile.create(target).out().write(1);
      try (Stream<Path> files = Files.list(target.getParent())) {
        files.forEach(file -> System.out.println(file.getFileName()));
      }
      System.exit(130);
    }
  }

  @Test
  void filesOfAJvmThatEndsSayThatItEnds() throws Exception {
    ForkedJvm run = forked(LateWrites.class, directory);
    assertThat(run.output().lines()).containsExactly("the JVM is shutting down");
    assertThat(directory).isDirectoryContaining("glob:**late");
    assertThat(directory.toFile().list()).hasSize(1);
  }

  /** Goes on to write after the temporary files are deleted at the end of the JVM. */
  static final class LateWrites {
    private LateWrites() {}

    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      AtomicFile begun = AtomicFile.create(folder.resolve("begun"));
      Thread later =
          new Thread(
              () -> {
                awaitEmpty(folder);
                printFailure(begun::commit);
                printFailure(() -> AtomicFile.write(folder.resolve("late"), out -> out.write(1)));
              });
      Runtime.getRuntime().addShutdownHook(later);
      System.exit(130);
    }

    private static void awaitEmpty(Path folder) {
      long begin = System.nanoTime();
      while (folder.toFile().list().length > 0
          && System.nanoTime() - begin < TimeUnit.MINUTES.toNanos(1)) {
        Thread.onSpinWait();
      }
    }

    private static void printFailure(WritingStep step) {
      try {
        step.run();
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }

    private interface WritingStep {
      void run() throws IOException;
    }
  }

  @Test
  void linksToFilesThatDoNotExistYetAreFollowed() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("second"));
    Files.createSymbolicLink(directory.resolve("second"), Path.of("other/result"));
    AtomicFile.write(link, out -> out.write(7));
    assertThat(link).isSymbolicLink();
    assertThat(other.resolve("result")).hasBinaryContent(new byte[] {7});
    assertThat(other).isDirectoryContaining(file -> file.endsWith("result"));
  }

  @Test
  void linksInACircleAreAnError() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("link"));
    assertThatThrownBy(() -> AtomicFile.write(link, out -> out.write(7)))
        .isInstanceOf(FileSystemLoopException.class);
    assertThat(link).isSymbolicLink();
  }
}
