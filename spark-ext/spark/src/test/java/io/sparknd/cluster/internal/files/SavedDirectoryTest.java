/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a save deletes and overwrites only files that it wrote itself. */
class SavedDirectoryTest {
  private static final String MANIFEST = "tensor.json";
  private static final String SUFFIX = ".blocks";

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;
  private Path target;

  @BeforeEach
  void setTarget() {
    target = folder.resolve("saved");
  }

  private SavedDirectory directory() {
    return directory(target.toString());
  }

  private SavedDirectory directory(String path) {
    return SavedDirectory.of(spark, path, MANIFEST, SUFFIX);
  }

  private static String part(SavedDirectory directory) throws IOException {
    return directory.write(0, out -> out.write(1));
  }

  private static byte[] lines(List<String> files) {
    return String.join("\n", files).getBytes(StandardCharsets.UTF_8);
  }

  private void saveAndFail() {
    SavedDirectory directory = directory();
    assertThatThrownBy(
            () ->
                directory.save(
                    () -> {
                      part(directory);
                      throw new IllegalStateException("spoilt");
                    },
                    SavedDirectoryTest::lines))
        .hasMessageContaining("spoilt");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(target)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  private void requireComplete() throws IOException {
    List<String> files = Files.readAllLines(target.resolve(MANIFEST));
    assertThat(names()).contains(MANIFEST).containsAll(files);
  }

  @Test
  void failedSaveDeletesItsOwnFiles() {
    saveAndFail();
    assertThat(target).doesNotExist();
  }

  @Test
  void taskThatOutlivesAFailedSaveWritesNothing() {
    SavedDirectory directory = directory();
    assertThatThrownBy(
            () ->
                directory.save(
                    () -> {
                      throw new IllegalStateException("spoilt");
                    },
                    SavedDirectoryTest::lines))
        .hasMessageContaining("spoilt");
    assertThatThrownBy(() -> part(directory))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not there: the save has ended");
    assertThat(target).doesNotExist();
  }

  @Test
  void interruptedSaveDeletesItsFilesWhereInterruptsAreErrors() throws IOException {
    spark.sparkContext().hadoopConfiguration().set("fs.deaf.impl", DeafFileSystem.class.getName());
    SavedDirectory directory = directory("deaf://" + target);
    try {
      assertThatThrownBy(
              () ->
                  directory.save(
                      () -> {
                        part(directory);
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("spoilt");
                      },
                      SavedDirectoryTest::lines))
          .hasMessageContaining("spoilt");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
      spark.sparkContext().hadoopConfiguration().unset("fs.deaf.impl");
    }
    assertThat(target).doesNotExist();
  }

  /** Answers interrupted threads as the client of HDFS does. */
  public static final class DeafFileSystem extends RawLocalFileSystem {
    private static void requireNotInterrupted() throws IOException {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("call interrupted");
      }
    }

    @Override
    public URI getUri() {
      return URI.create("deaf:///");
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
      requireNotInterrupted();
      return super.delete(path, recursive);
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
      requireNotInterrupted();
      return super.listStatus(path);
    }
  }

  @Test
  void attemptThatFailsDeletesItsFile() {
    SavedDirectory directory = directory();
    directory.save(
        () -> {
          assertThatThrownBy(
                  () ->
                      directory.write(
                          0,
                          out -> {
                            out.write(1);
                            throw new IOException("spoilt");
                          }))
              .hasMessageContaining("spoilt");
          assertThat(names()).noneMatch(name -> name.startsWith("part-"));
          return List.of(part(directory));
        },
        SavedDirectoryTest::lines);
  }

  @Test
  void failedSaveKeepsFilesAddedConcurrently() throws IOException {
    List<String> others = List.of("notes.txt", "part-00000-other.blocks");
    SavedDirectory directory = directory();
    assertThatThrownBy(
            () ->
                directory.save(
                    () -> {
                      part(directory);
                      for (String name : others) {
                        Files.writeString(target.resolve(name), "of others");
                      }
                      Files.createDirectories(target.resolve("sub/folder"));
                      throw new IllegalStateException("spoilt");
                    },
                    SavedDirectoryTest::lines))
        .hasMessageContaining("spoilt");
    assertThat(names()).containsExactly("notes.txt", "part-00000-other.blocks", "sub");
    assertThat(target.resolve("sub/folder")).isDirectory();
  }

  @Test
  void failedSaveKeepsADirectoryThatItDidNotCreate() throws IOException {
    Files.createDirectory(target);
    saveAndFail();
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void saveKeepsFilesOfOthersWithItsSuffix() throws IOException {
    SavedDirectory directory = directory();
    List<String> attempts = new ArrayList<>();
    directory.save(
        () -> {
          Files.writeString(target.resolve("part-00000-other.blocks"), "of others");
          attempts.add(part(directory));
          return List.of(part(directory));
        },
        SavedDirectoryTest::lines);
    assertThat(names())
        .hasSize(3)
        .contains("part-00000-other.blocks", MANIFEST)
        .doesNotContainAnyElementsOf(attempts);
    requireComplete();
  }

  /** Some locales have other digits than 0 to 9, which not all file systems can store. */
  @Test
  void namesOfFilesDoNotDependOnTheLocale() throws IOException {
    Locale locale = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      SavedDirectory directory = directory();
      directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
    } finally {
      Locale.setDefault(locale);
    }
    assertThat(Files.readString(target.resolve(MANIFEST))).matches("part-00000-[a-z0-9.-]+");
    requireComplete();
  }

  @Test
  void deleteKeepsFilesOfOthers() throws IOException {
    SavedDirectory directory = directory();
    directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
    Files.writeString(target.resolve("part-00000-other.blocks"), "of others");
    directory.delete(Files.readAllLines(target.resolve(MANIFEST)));
    assertThat(names()).containsExactly("part-00000-other.blocks");
  }

  @Test
  void deleteOfAWholeSaveDeletesItsDirectory() throws IOException {
    SavedDirectory directory = directory();
    directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
    directory.delete(Files.readAllLines(target.resolve(MANIFEST)));
    assertThat(target).doesNotExist();
  }

  @Test
  void saveDoesNotOverwriteAManifestAddedConcurrently() throws IOException {
    SavedDirectory directory = directory();
    assertThatThrownBy(
            () ->
                directory.save(
                    () -> {
                      Files.writeString(target.resolve(MANIFEST), "of others");
                      return List.of(part(directory));
                    },
                    SavedDirectoryTest::lines))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not empty");
    assertThat(names()).containsExactly(MANIFEST);
    assertThat(target.resolve(MANIFEST)).hasContent("of others");
  }

  @Test
  void saveIntoTheDirectoryOfARunningSaveIsRejected() throws IOException {
    SavedDirectory first = directory();
    SavedDirectory second = directory();
    first.save(
        () -> {
          assertThatThrownBy(
                  () -> second.save(() -> List.of(part(second)), SavedDirectoryTest::lines))
              .hasMessageContaining("is not empty");
          return List.of(part(first));
        },
        SavedDirectoryTest::lines);
    assertThat(names()).hasSize(2);
    requireComplete();
  }

  @Test
  void atMostOneOfConcurrentSavesSucceeds() throws Exception {
    int savers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(savers);
    try {
      for (int round = 0; round < 40; round++) {
        target = folder.resolve("saved" + round);
        CyclicBarrier start = new CyclicBarrier(savers);
        Callable<Boolean> saver =
            () -> {
              SavedDirectory directory = directory();
              start.await();
              return isSaved(directory);
            };
        long saved = 0;
        for (Future<Boolean> each : threads.invokeAll(List.of(saver, saver, saver, saver))) {
          saved += each.get() ? 1 : 0;
        }
        assertThat(saved).isLessThanOrEqualTo(1);
        if (saved == 1) {
          requireComplete();
          assertThat(names()).hasSize(2);
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  private static boolean isSaved(SavedDirectory directory) {
    try {
      directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
      return true;
    } catch (SparkNdException e) {
      return false;
    }
  }

  @Test
  void saveWhoseRenameReportsAFailureKeepsItsFiles() throws IOException {
    spark.sparkContext().hadoopConfiguration().set("fs.losing.impl", LosingFiles.class.getName());
    try {
      SavedDirectory directory = directory("losing://" + target);
      directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
    } finally {
      spark.sparkContext().hadoopConfiguration().unset("fs.losing.impl");
    }
    requireComplete();
  }

  /** A local file system whose renames succeed but report a failure. */
  public static final class LosingFiles extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("losing:///");
    }

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      super.rename(from, to);
      throw new IOException("the response was lost");
    }
  }

  @Test
  void manifestThatCannotBeWithdrawnKeepsItsFiles() throws IOException {
    spark.sparkContext().hadoopConfiguration().set("fs.keeping.impl", KeepingFiles.class.getName());
    try {
      SavedDirectory directory = directory("keeping://" + target);
      directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
      assertThatThrownBy(directory::withdraw)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("cannot delete");
    } finally {
      spark.sparkContext().hadoopConfiguration().unset("fs.keeping.impl");
    }
    requireComplete();
  }

  /** A local file system that deletes nothing. */
  public static final class KeepingFiles extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("keeping:///");
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean isRecursive) {
      return false;
    }
  }

  /** As credentials of a notebook. */
  @Test
  void settingsOfTheSessionApply() throws IOException {
    SparkSession session = spark.newSession();
    session.conf().set("fs.own.impl", OwnFiles.class.getName());
    SavedDirectory directory = SavedDirectory.of(session, "own://" + target, MANIFEST, SUFFIX);
    directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines);
    requireComplete();
  }

  @Test
  void aFileSystemWithoutItsJarIsNamed() {
    SparkSession session = spark.newSession();
    session.conf().set("fs.absent.impl", "com.example.AbsentFileSystem");
    SavedDirectory directory = SavedDirectory.of(session, "absent://" + target, MANIFEST, SUFFIX);
    assertThatThrownBy(
            () -> directory.save(() -> List.of(part(directory)), SavedDirectoryTest::lines))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("absent://")
        .hasMessageContaining("AbsentFileSystem not found");
  }

  /** A local file system that only one session knows. */
  public static final class OwnFiles extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("own:///");
    }
  }

  @Test
  void appendedFilesLeaveThoseOfOthers() throws IOException {
    SavedDirectory base = directory();
    base.save(() -> List.of(part(base)), SavedDirectoryTest::lines);
    List<String> before = names();
    SavedDirectory failed = SavedDirectory.of(spark, target.toString(), "1.json", ".delta");
    assertThatThrownBy(
            () ->
                failed.append(
                    () -> {
                      part(failed);
                      throw new IllegalStateException("spoilt");
                    },
                    SavedDirectoryTest::lines))
        .hasMessageContaining("spoilt");
    assertThat(names()).isEqualTo(before);
    SavedDirectory second = SavedDirectory.of(spark, target.toString(), "1.json", ".delta");
    second.append(() -> List.of(part(second)), SavedDirectoryTest::lines);
    assertThat(names()).hasSize(before.size() + 2).contains("1.json");
    SavedDirectory third = SavedDirectory.of(spark, target.toString(), "1.json", ".delta");
    assertThatThrownBy(() -> third.append(() -> List.of(part(third)), SavedDirectoryTest::lines))
        .isInstanceOf(SparkNdException.class);
    assertThat(names()).hasSize(before.size() + 2);
    second.withdraw();
    assertThat(names()).isEqualTo(before);
  }
}
